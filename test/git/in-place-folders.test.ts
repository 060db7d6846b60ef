import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IN_PLACE_ENTRIES_MAX, IN_PLACE_FOLDERS_MAX } from "../../src/core/limits.ts";
import {
  folderProblem,
  listInPlaceFolders,
  readInPlaceFolder,
} from "../../src/git/in-place-folders.ts";
import { openRepository } from "../../src/git/repository.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

test("more folders than are looked at are said, not listed", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  for (let n = 0; n <= IN_PLACE_FOLDERS_MAX; n++)
    mkdirSync(join(repository.dir, ".qwen/skills", `s${n}`), { recursive: true });
  const opened = await openRepository(repository.dir);
  const { folders, notes } = await listInPlaceFolders(opened, ".qwen/skills");
  expect(folders).toHaveLength(IN_PLACE_FOLDERS_MAX);
  expect(notes.join("\n")).toContain(`only the first ${IN_PLACE_FOLDERS_MAX}`);
});

test("a staged skill is found in its task's folder, and without one", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  for (const path of ["task-1/first", "task-1/second", "third"])
    repository.write(`.qwen/pending-skills/${path}/SKILL.md`, "text");
  repository.write(".qwen/pending-skills/third/references/a.md", "text");
  const opened = await openRepository(repository.dir);
  const { folders, notes } = await listInPlaceFolders(opened, ".qwen/skills");
  expect(folders.map(({ path, folder }) => [path, folder])).toEqual([
    [".qwen/pending-skills/task-1/first", "first"],
    [".qwen/pending-skills/task-1/second", "second"],
    [".qwen/pending-skills/third", "third"],
  ]);
  expect(notes).toEqual([]);
});

test("a folder with too many entries, or too many bytes, is not read to the end", async () => {
  await using repository = await temporaryRepository();
  for (let n = 0; n <= IN_PLACE_ENTRIES_MAX; n++) repository.write(`many/${n}.md`, "x");
  const many = readInPlaceFolder(repository.dir, "many");
  expect(many.isTooMuch).toBe(true);
  expect(many.entries.length).toBe(IN_PLACE_ENTRIES_MAX);
  for (const name of ["a", "b", "c"]) repository.write(`large/${name}.md`, "x".repeat(900_000));
  expect(readInPlaceFolder(repository.dir, "large")).toMatchObject({ isTooMuch: true });
});

test("every kind of entry is named, and only plain files are read", async () => {
  await using repository = await temporaryRepository();
  repository.write("skill/SKILL.md", "text");
  repository.write("skill/references/a.md", "more");
  symlinkSync("/etc/hostname", join(repository.dir, "skill/link"));
  writeFileSync(
    Buffer.concat([Buffer.from(join(repository.dir, "skill/")), Buffer.from([0xff])]),
    "x",
  );
  const { entries, files } = readInPlaceFolder(repository.dir, "skill");
  expect([...files.keys()]).toEqual(["SKILL.md", "references/a.md"]);
  expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
    ["SKILL.md", "file"],
    ["link", "symlink"],
    ["references", "folder"],
    ["references/a.md", "file"],
    ["\ufffd", "unreadable"],
  ]);
});

test("a link anywhere on the way is a problem", async () => {
  await using repository = await temporaryRepository();
  repository.write("real/skills/a/SKILL.md", "x");
  symlinkSync("real", join(repository.dir, "linked"));
  expect(folderProblem(repository.dir, "real/skills/a")).toBeNull();
  expect(folderProblem(repository.dir, "linked/skills/a")).toContain("symbolic link");
  expect(folderProblem(repository.dir, "real/skills/b")).toBe("absent");
  expect(folderProblem(repository.dir, "real/skills/a/SKILL.md")).toBe("is not a folder");
});
