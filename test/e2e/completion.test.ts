/** `skillpr completion` on the built program, in real shells where they are there. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/built-cli.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

const has = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

async function scriptFor(shell: string): Promise<string> {
  await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
  const { code, stdout, stderr } = await runCli(repository, ["completion", shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** What bash offers for a line that ends where the cursor is. */
function offered(script: string, ...words: string[]): string[] {
  const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _skillpr; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync("bash", ["-c", ask, "ask", ...words], { encoding: "utf8" });
  return out.split("\n").filter(Boolean);
}

test("bash completes commands, flags, and the values of a flag", async () => {
  const script = await scriptFor("bash");
  expect(offered(script, "skillpr", "re")).toEqual(
    expect.arrayContaining(["review", "reject", "revise", "retry"]),
  );
  expect(offered(script, "skillpr", "review", "--re")).toEqual(["--repo", "--reviewer"]);
  expect(offered(script, "skillpr", "review", "--reviewer", "")).toEqual([
    "auto-skill",
    "skillbook",
    "offline",
  ]);
  expect(offered(script, "skillpr", "review", "--reviewer", "=", "o")).toEqual(["offline"]);
  expect(offered(script, "skillpr", "review", "--reviewer", "=")).toHaveLength(3);
  // Files are the shell's own matter.
  expect(offered(script, "skillpr", "review", "ses")).toEqual([]);
});

test.skipIf(!has("zsh"))("zsh reads its script", async () => {
  const script = await scriptFor("zsh");
  expect(spawnSync("zsh", ["-n"], { input: script }).status).toBe(0);
});

test.skipIf(!has("fish"))("fish reads its script", async () => {
  const script = await scriptFor("fish");
  const dir = mkdtempSync(join(tmpdir(), "skillpr-fish-"));
  try {
    // From a file: fish reads no script from a socket, which is what a child's input is here.
    const file = join(dir, "skillpr.fish");
    writeFileSync(file, script);
    expect(spawnSync("fish", ["--no-execute", file]).status).toBe(0);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

/** What fish offers for a line, without what it says of it. */
function offeredByFish(script: string, line: string): string[] {
  const ask = `${script}\ncomplete -C '${line}'`;
  const out = execFileSync("fish", ["--no-config", "-c", ask], { encoding: "utf8" });
  return out
    .split("\n")
    .filter(Boolean)
    .map((offer) => offer.split("\t")[0] ?? "");
}

test.skipIf(!has("fish"))("fish completes commands, flags, and the values of a flag", async () => {
  const script = await scriptFor("fish");
  expect(offeredByFish(script, "skillpr re")).toEqual(
    expect.arrayContaining(["review", "reject", "revise", "retry"]),
  );
  expect(offeredByFish(script, "skillpr review --re")).toEqual(["--repo", "--reviewer"]);
  expect(offeredByFish(script, "skillpr review --reviewer=o")).toEqual(["--reviewer=offline"]);
  // A skill of that name is no command.
  expect(offeredByFish(script, "skillpr show review --re")).toEqual(["--repo"]);
});

test("zsh offers a value also where it stands in one word with its flag", async () => {
  const script = await scriptFor("zsh");
  expect(script).toMatch(/'--reviewer=\[[^\]]*\]:value:\(auto-skill skillbook offline\)'/);
  expect(script).toMatch(/'--html=\[[^']*\]:value:_files'/);
  // It takes several.
  expect(script).toContain("'*--transcript=[");
  expect(script).toMatch(/'--json\[[^\]]*\]'/);
});

test("the scripts of zsh and fish name every command, and quote what they say of it", async () => {
  for (const shell of ["zsh", "fish"]) {
    const script = await scriptFor(shell);
    for (const command of ["review", "accept", "skillbook", "completion"])
      expect(script).toMatch(new RegExp(`\\b${command}\\b`));
  }
});

test("another shell is refused with those that there are", async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
  const { code, stderr } = await runCli(repository, ["completion", "tcsh"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/bash, zsh, fish/);
});
