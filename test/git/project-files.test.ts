import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GitProjectFiles } from "../../src/git/project-files.ts";
import { openRepository, resolveBase } from "../../src/git/repository.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

async function open(repository: TemporaryRepository, dir = repository.dir) {
  const opened = await openRepository(dir);
  return new GitProjectFiles(opened, await resolveBase(opened));
}

const text = (read: { bytes: Uint8Array } | null) =>
  read === null ? null : Buffer.from(read.bytes).toString();

test("the base commit's files, whatever the work tree holds", async () => {
  await using repository = await temporaryRepository({
    files: { "a.txt": "committed", "b/ü c": "x" },
  });
  symlinkSync("/etc/passwd", join(repository.dir, "link"));
  await repository.commit();
  const head = await repository.git("rev-parse", "HEAD");
  await repository.git("update-index", "--add", "--cacheinfo", `160000,${head},module`);
  await repository.git("commit", "--quiet", "--message", "a submodule");
  repository.write("a.txt", "changed");
  repository.write("untracked", "x");
  await using files = await open(repository);
  expect(await files.list()).toMatchObject([
    { path: "a.txt", mode: "100644" },
    { path: "b/ü c", mode: "100644" },
    { path: "link", mode: "120000" },
    { path: "module", mode: "160000" },
  ]);
  expect(text(await files.read("a.txt", 100))).toBe("committed");
  expect(text(await files.read("b/ü c", 100))).toBe("x");
  expect(text(await files.read("link", 100))).toBe("/etc/passwd");
  for (const path of ["untracked", "module", "b", ".git/config", "../x", "link/x", "", "a\0b"])
    expect(await files.read(path, 100)).toBeNull();
});

test("no filter and no line ending of a config has a say", async () => {
  await using repository = await temporaryRepository({
    files: { "a.txt": "one\ntwo\n", ".gitattributes": "*.txt filter=loud eol=crlf\n" },
  });
  await repository.git("config", "filter.loud.smudge", "sed s/one/changed/");
  await using files = await open(repository);
  expect(text(await files.read("a.txt", 100))).toBe("one\ntwo\n");
});

test("the beginning of a large file, and one of exactly the size", async () => {
  await using repository = await temporaryRepository({
    files: { large: "0123456789".repeat(500_000), small: "0123456789" },
  });
  await using files = await open(repository);
  expect(await files.read("small", 10)).toMatchObject({ isCut: false });
  const read = await files.read("large", 12);
  expect(read?.isCut).toBe(true);
  expect(text(read)).toBe("012345678901");
});

test("many at once, and again after the reader ended by itself", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `f${index}`);
  await using repository = await temporaryRepository({
    files: Object.fromEntries(names.map((name) => [name, name])),
  });
  await using files = await open(repository);
  const readAll = () => Promise.all(names.map(async (name) => text(await files.read(name, 10))));
  expect(await readAll()).toEqual(names);
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(await readAll()).toEqual(names);
});

test("a partial clone: what isn't here is null, and nothing is fetched", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "x", "b.txt": "y" } });
  const clone = await repository.partialClone();
  await using files = await open(repository, clone);
  const before = await repository.gitIn(clone, "count-objects", "-v");
  expect(await files.list()).toHaveLength(2);
  const reads = ["a.txt", "b.txt", "a.txt"].map((path) => files.read(path, 1000));
  expect(await Promise.all(reads)).toEqual([null, null, null]);
  expect(await files.read("a.txt", 1)).toBeNull();
  expect(await repository.gitIn(clone, "count-objects", "-v")).toBe(before);
});
