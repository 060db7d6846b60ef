import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadWithByteCode } from "../../src/hook/code-cache.ts";

/** A file that can be loaded, and what lies beside it. */
function temporaryProgram() {
  const dir = mkdtempSync(join(tmpdir(), "skillpr-test-code-"));
  const file = join(dir, "program.js");
  const write = (answer: number) =>
    writeFileSync(
      file,
      `const{sep}=require("node:path");exports.answer=()=>[${answer},sep.length]`,
    );
  write(1);
  const run = () => {
    const loaded = loadWithByteCode(file);
    const { answer } = loaded.exports as { answer: () => number[] };
    const result = answer();
    loaded.keepByteCode();
    return result;
  };
  const kept = () => readdirSync(dir).filter((name) => name !== "program.js");
  const dispose = () => rmSync(dir, { recursive: true, force: true });
  return { dir, file, write, run, kept, [Symbol.dispose]: dispose };
}

test("the second process finds the byte code of the first, and leaves it alone", () => {
  using program = temporaryProgram();
  expect(program.run()).toEqual([1, 1]);
  const [name] = program.kept();
  expect(name).toContain(process.version);
  const past = new Date("2026-01-02T12:00:00Z");
  utimesSync(join(program.dir, name!), past, past);
  expect(program.run()).toEqual([1, 1]);
  expect(program.kept()).toEqual([name]);
  expect(statSync(join(program.dir, name!)).mtime).toEqual(past);
});

test("a file that was replaced doesn't run its old byte code", () => {
  using program = temporaryProgram();
  program.run();
  program.write(2);
  const later = new Date(Date.now() + 5000);
  utimesSync(program.file, later, later);
  expect(program.run()).toEqual([2, 1]);
});

test("where nothing can be kept, it runs all the same", () => {
  using program = temporaryProgram();
  const loaded = loadWithByteCode(program.file);
  rmSync(program.dir, { recursive: true });
  expect(() => loaded.keepByteCode()).not.toThrow();
  expect(statSync(program.dir, { throwIfNoEntry: false })).toBeUndefined();
});
