import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  makePrivateFolder,
  stageFile,
  stageText,
  temporaryName,
} from "../../src/hook/private-file.ts";

function temporaryFolder() {
  const dir = mkdtempSync(join(tmpdir(), "skillpr-test-"));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

test("a file is replaced whole and is private", () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.dir, "x.json"), "old", { mode: 0o644 });
  const staged = stageText(folder.dir, "x.json", "newer");
  expect(staged.size).toBe(5);
  staged.flush();
  expect(readFileSync(join(folder.dir, "x.json"), "utf8")).toBe("old");
  staged.put();
  staged.drop();
  expect(readdirSync(folder.dir)).toEqual(["x.json"]);
  expect(readFileSync(join(folder.dir, "x.json"), "utf8")).toBe("newer");
  expect(statSync(join(folder.dir, "x.json")).mode & 0o777).toBe(0o600);
});

test("what isn't put in place is dropped", () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.dir, "x.json/occupied"), { recursive: true });
  const staged = stageText(folder.dir, "x.json", "new");
  staged.flush();
  expect(() => staged.put()).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  staged.drop();
  expect(readdirSync(folder.dir)).toEqual(["x.json"]);
});

test("what can't be written leaves nothing behind", () => {
  using folder = temporaryFolder();
  const failing = (path: string) => {
    writeFileSync(path, "half");
    throw new Error("no more");
  };
  expect(() => stageFile(folder.dir, "x.json", failing)).toThrow("no more");
  expect(readdirSync(folder.dir)).toEqual([]);
});

test("a temporary name says which process made it", () => {
  const [name, other] = [temporaryName("a.json"), temporaryName("a.json")];
  expect(name).not.toBe(other);
  expect(name).toMatch(new RegExp(`^\\.a\\.json\\.${process.pid}-[0-9a-f]{12}\\.tmp$`));
});

test("a folder is made with those above it; a file in its place is told", () => {
  using folder = temporaryFolder();
  expect(makePrivateFolder(join(folder.dir, "a/b"))).toBeNull();
  expect(statSync(join(folder.dir, "a")).mode & 0o777).toBe(0o700);
  expect(makePrivateFolder(join(folder.dir, "a/b"))).toBeNull();
  writeFileSync(join(folder.dir, "a/file"), "");
  expect(makePrivateFolder(join(folder.dir, "a/file"))).toMatch(/is no folder$/);
  expect(() => makePrivateFolder(join(folder.dir, "a/file/b"))).toThrow(/ENOTDIR/);
});
