/** An agent waits for the hook: nothing but built-in modules may be on its path. */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const SRC = resolve(import.meta.dirname, "../../src");

/** Every module that an entry reaches, by path below `src` or by name. Types cost nothing. */
function reachedFrom(entry: string): Set<string> {
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    if (!/\.(?:ts|mjs)$/.test(name)) return;
    const code = readFileSync(join(SRC, name), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    const pattern =
      /\b(?:import|export)\s+(?!type\b)(?:[\w*{},\s]+?\s+from\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/g;
    for (const [, stated, dynamic] of code.matchAll(pattern)) {
      const target = stated ?? dynamic ?? "";
      const isOwn = target.startsWith(".");
      visit(isOwn ? relative(SRC, resolve(SRC, dirname(name), target)) : target);
    }
  };
  visit(entry);
  return seen;
}

describe("the path of the hook", () => {
  test("reaches built-in modules only, and of those only cheap ones", () => {
    const reached = [...reachedFrom("hook/hook.ts"), ...reachedFrom("core/byte-code.ts")];
    expect(reached.length).toBeGreaterThan(20);
    const foreign = [...new Set(reached.filter((name) => !name.endsWith(".ts")))].sort();
    expect(foreign).toEqual(["node:fs", "node:path"]);
  });

  test("reaches neither config files nor git", () => {
    const reached = reachedFrom("hook/hook.ts");
    for (const name of ["core/yaml.ts", "core/schema.ts", "core/config-file.ts", "git/git.ts"])
      expect(reached).not.toContain(name);
  });

  test("the test sees through what it follows", () => {
    expect(reachedFrom("core/config-file.ts")).toContain("yaml");
    expect(reachedFrom("cli/command-line.ts")).toContain("commander");
  });
});
