import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadWithByteCode } from "../../src/core/byte-code.ts";

const DIGEST = "0123456789ab";

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
  const run = (digest = DIGEST, more: { use?: string; times?: number } = {}) => {
    const loaded = loadWithByteCode(file, { digest, ...more });
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
  const loaded = loadWithByteCode(program.file, { digest: DIGEST });
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
  const loaded = loadWithByteCode(program.file, { digest: DIGEST });
  rmSync(program.dir, { recursive: true });
  expect(() => loaded.keepByteCode()).not.toThrow();
  expect(statSync(program.dir, { throwIfNoEntry: false })).toBeUndefined();
});

/** A program of three files, two of which require each other; the third one is loaded when it is asked for. */
function temporaryProgramOfThree() {
  const program = temporaryProgram();
  const put = (name: string, text: string) => writeFileSync(join(program.dir, name), text);
  put("program.js", 'exports.word=()=>"one";exports.two=require("./two.js");');
  put("two.js", 'const one=require("./program.js");exports.call=()=>one.word()+" two";');
  put("three.js", "module.exports=[__filename,__dirname];");
  put("program.js", `${read(program.file)}exports.later=()=>require("./three.js");`);
  const load = () => {
    const loaded = loadWithByteCode(program.file, { digest: DIGEST });
    const { two, later } = loaded.exports as { two: { call(): string }; later(): string[] };
    return { ...loaded, call: two.call, later };
  };
  const cache = () => {
    const [name = ""] = readdirSync(program.dir).filter((each) => each.endsWith(".cache"));
    return join(program.dir, name);
  };
  return { ...program, load, cache };
}

const read = (path: string) => readFileSync(path, "utf8");

/** The names in the first line of what was kept. */
const partsOf = (cache: string) =>
  JSON.parse(readFileSync(cache, "latin1").split("\n")[0]!)
    .slice(1)
    .map(([name]: [string]) => name);

test("files beside the program are required, each once, and their byte code is kept with its own", () => {
  using program = temporaryProgramOfThree();
  const first = program.load();
  expect(first.call()).toBe("one two");
  first.keepByteCode();
  expect(partsOf(program.cache())).toEqual(["program.js", "two.js"]);
  const second = program.load();
  expect(second.later()).toEqual([join(program.dir, "three.js"), program.dir]);
  expect(second.later()).toBe(second.later());
  second.keepByteCode();
  expect(partsOf(program.cache())).toEqual(["program.js", "two.js", "three.js"]);
  // What this one doesn't load stays.
  const past = new Date("2026-01-02T12:00:00Z");
  utimesSync(program.cache(), past, past);
  const third = program.load();
  expect(third.call()).toBe("one two");
  third.keepByteCode();
  expect(statSync(program.cache()).mtime).toEqual(past);
});

test("what is neither built in nor there is not found, as with Node's own require", () => {
  using program = temporaryProgram();
  writeFileSync(program.file, 'require("picomatch")');
  expect(() => program.run()).toThrow(expect.objectContaining({ code: "MODULE_NOT_FOUND" }));
});

test.each([
  ["cut in half", (file: string) => truncateSync(file, statSync(file).size / 2)],
  ["cut by the last bytes", (file: string) => truncateSync(file, statSync(file).size - 8)],
  ["empty", (file: string) => truncateSync(file, 0)],
  ["of an older version", (file: string) => writeFileSync(file, Buffer.alloc(5000, 0xde))],
  ["a number", (file: string) => writeFileSync(file, "7\n")],
  ["a list of something else", (file: string) => writeFileSync(file, "[1,null]\n")],
  ["a list without an end", (file: string) => writeFileSync(file, "[1,")],
])("byte code that is %s is made anew", (_what, damage) => {
  using program = temporaryProgramOfThree();
  program.load().keepByteCode();
  const { size } = statSync(program.cache());
  damage(program.cache());
  const again = program.load();
  expect(again.call()).toBe("one two");
  again.keepByteCode();
  expect(partsOf(program.cache())).toEqual(["program.js", "two.js"]);
  expect(statSync(program.cache()).size).toBeGreaterThan(size / 2);
});

test("each use has byte code of its own, and none removes another's", () => {
  using program = temporaryProgram();
  program.run(DIGEST, { use: "help" });
  program.run(DIGEST, { use: "call" });
  expect(program.kept().map((name) => name.replace(/^.*-(\w+-\w+)\.cache$/, "$1"))).toEqual([
    `call-${DIGEST}`,
    `help-${DIGEST}`,
  ]);
  program.run("ba9876543210", { use: "call" });
  expect(program.kept()).toEqual([expect.stringContaining("call-ba9876543210")]);
});

test("as many processes as are asked for add what they compiled, and no more", () => {
  using program = temporaryProgram();
  const times = () =>
    JSON.parse(readFileSync(join(program.dir, program.kept()[0]!), "latin1").split("\n")[0]!)[0];
  const all = [1, 2, 3, 4].map(() => {
    program.run(DIGEST, { times: 3 });
    return times();
  });
  expect(all).toEqual([1, 2, 3, 3]);
});
