import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadWithByteCode } from "../../src/core/byte-code.ts";

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
  const run = (digest = "0123456789ab") => {
    const loaded = loadWithByteCode(file, digest);
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

test("a file that was replaced doesn't run its old byte code, and that is removed", () => {
  using program = temporaryProgram();
  program.run();
  const [old] = program.kept();
  program.write(2);
  expect(program.run("ba9876543210")).toEqual([2, 1]);
  expect(program.kept()).toEqual([old?.replace("0123456789ab", "ba9876543210")]);
});

test("what a killed process left is removed by the next that keeps byte code, nothing else", () => {
  using program = temporaryProgram();
  const put = (name: string) => {
    const path = join(program.dir, name);
    writeFileSync(path, "half");
    return () => existsSync(path);
  };
  const cut = put(`program.js.${process.version}-${process.arch}-0123456789ab.cache.999999999.tmp`);
  const others = [put("program.js.map"), put("notes.tmp"), put("other.js.v20-0.cache")];
  const newer = put("program.js.v99.0.0-x64-0123456789ab.cache");
  program.run();
  expect(cut()).toBe(false);
  expect([...others, newer].map((isThere) => isThere())).toEqual([true, true, true, true]);
});

test("a process whose temporary file another one removed says nothing", () => {
  using program = temporaryProgram();
  const loaded = loadWithByteCode(program.file, "0123456789ab");
  writeFileSync(
    join(
      program.dir,
      `program.js.${process.version}-${process.arch}-0123456789ab.cache.${process.pid}.tmp`,
    ),
    "",
  );
  expect(() => loaded.keepByteCode()).not.toThrow();
});

test("where nothing can be kept, it runs all the same", () => {
  using program = temporaryProgram();
  const loaded = loadWithByteCode(program.file, "0123456789ab");
  rmSync(program.dir, { recursive: true });
  expect(() => loaded.keepByteCode()).not.toThrow();
  expect(statSync(program.dir, { throwIfNoEntry: false })).toBeUndefined();
});
