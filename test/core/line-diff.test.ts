import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lineDiff } from "../../src/core/line-diff.ts";

test("a new file is all added, a removed one all removed", () => {
  expect(lineDiff(null, "a\nb\n", "x/y.json")).toBe(
    "--- /dev/null\n+++ b/x/y.json\n@@ -0,0 +1,2 @@\n+a\n+b\n",
  );
  expect(lineDiff("a\n", null, "y")).toBe("--- a/y\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n");
});

test("nothing changed is an empty text", () => {
  expect(lineDiff("a\n", "a\n", "y")).toBe("");
});

test("two changes far apart are two hunks with three lines around each", () => {
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`);
  const changed = lines.with(4, "five").toSpliced(25, 0, "new");
  const diff = lineDiff(lines.join("\n"), changed.join("\n"), "y").split("\n");
  expect(diff.filter((line) => line.startsWith("@@"))).toEqual([
    "@@ -2,7 +2,7 @@",
    "@@ -23,6 +23,7 @@",
  ]);
  expect(diff.filter((line) => /^[-+](?![-+])/.test(line))).toEqual(["-line 5", "+five", "+new"]);
  expect(diff.filter((line) => line.startsWith(" "))).toHaveLength(12);
});

test("git can apply it", () => {
  const dir = mkdtempSync(join(tmpdir(), "skillpr-test-diff-"));
  try {
    const before = Array.from({ length: 30 }, (_, n) => `line ${n + 1}\n`);
    const after = before.with(4, "five\n").toSpliced(25, 2, "new\n");
    writeFileSync(join(dir, "y"), before.join(""));
    const input = lineDiff(before.join(""), after.join(""), "y") + lineDiff(null, "a\n", "z");
    execFileSync("git", ["apply", "-"], { cwd: dir, input });
    const read = (name: string) => readFileSync(join(dir, name), "utf8");
    expect([read("y"), read("z")]).toEqual([after.join(""), "a\n"]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("taking the added lines out and the removed ones in gives the text before", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
  const holds = fc.property(text, text, (a, b) => {
    const diff = lineDiff(a.join("\n"), b.join("\n"), "y").split("\n").slice(2);
    const changes = diff.filter((line) => !line.startsWith("@@") && line !== "");
    const counts = (mark: string) => changes.filter((line) => line.startsWith(mark)).length;
    const trimmed = (lines: string[]) => (lines.join("\n") === "" ? 0 : lines.length);
    expect(counts("+") - counts("-")).toBe(trimmed(b) - trimmed(a));
  });
  fc.assert(holds);
});
