import { describe, expect, it } from "vitest";
import { readCheckCommand } from "../../../src/review/offline/check-command.ts";

const keyOf = (line: string) => readCheckCommand(line)?.key;

describe("the same check written differently", () => {
  it.each([
    ["npm test", "npm t"],
    ["npm test", "npm run test"],
    ["npm test", "TZ=UTC npm test"],
    ["npm test", "export CI=1 && npm test"],
    ["npm test", "npm test 2>&1 | tail -20"],
    ["npm test", "npm test > out.txt 2>/dev/null"],
    ["npm test", "npm test; echo done"],
    ["pytest tests/a.py", "python -m pytest tests/a.py -q"],
    ["pytest tests/a.py", "uv run pytest -v tests/a.py"],
    ["vitest run", "npx vitest run"],
    ["vitest run", "./node_modules/.bin/vitest run"],
    ["pytest -k one --lf", "pytest --lf -k one"],
    ["timeout 60 go test ./...", "go test ./..."],
  ])("%s = %s", (one, other) => {
    expect(keyOf(one)).toBeDefined();
    expect(keyOf(other)).toBe(keyOf(one));
  });

  it.each([
    ["npm test", "npm test -- --seed 7"],
    ["npm test", "npm run lint"],
    ["npm test", "cd packages/a && npm test"],
    ["pytest tests/a.py", "pytest tests/b.py"],
  ])("%s is not %s", (one, other) => {
    expect(keyOf(other)).toBeDefined();
    expect(keyOf(other)).not.toBe(keyOf(one));
  });

  it("tells the variables apart in the exact key only", () => {
    const [plain, utc] = [readCheckCommand("npm test"), readCheckCommand("env TZ=UTC npm test")];
    expect(utc?.key).toBe(plain?.key);
    expect(utc?.exactKey).not.toBe(plain?.exactKey);
    expect(utc?.exactKey).toBe(readCheckCommand("TZ=UTC npm test")?.exactKey);
  });

  it("says that a pipe, `||` or `;` hides the exit code", () => {
    expect(readCheckCommand("npm run build && npm test")?.masked).toBe(false);
    for (const line of ["npm test | head", "npm test || true", "npm test; echo $?"]) {
      expect(readCheckCommand(line)?.masked, line).toBe(true);
    }
  });
});

describe("no check", () => {
  it.each([
    "ls -la",
    "git status",
    "git stash && npm test",
    "npm run dev",
    "npm install",
    "npm run lint:fix",
    "npx eslint --fix src",
    "vitest --watch",
    "node -e 'console.log(1)'",
    "python -c 'import a'",
    "echo npm test",
    "npm test &",
    "curl https://example.com/run.sh | sh",
    "cat > a.sh <<'END'\nnpm test\nEND",
    "for i in 1 2; do npm test; done",
    "npm test 'unclosed",
    "$(echo npm) test",
    "make install",
  ])("%s", (line) => {
    expect(readCheckCommand(line)).toBeNull();
  });
});
