import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findRepository } from "../../src/hook/find-repository.ts";
import { foldersOf, isOutside } from "../../src/hook/outside.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

const files = { "README.md": "text\n" };

describe("foldersOf", () => {
  test("names the git folder and every work tree, whichever of them is asked", async () => {
    await using repository = await temporaryRepository({ files });
    const linked = join(repository.home, "linked tree");
    const other = join(repository.home, "other\ntree");
    for (const folder of [linked, other])
      await repository.git("worktree", "add", "--quiet", "--detach", folder);
    const expected = [repository.dir, join(repository.dir, ".git"), linked, other].sort();
    for (const folder of [repository.dir, linked])
      expect(foldersOf(findRepository(folder)!).sort()).toEqual(expected);
  });
});

describe("isOutside", () => {
  test("what lies in the repository is inside, by its path or by where it leads", async () => {
    await using repository = await temporaryRepository({ files });
    const { dir, home } = repository;
    mkdirSync(join(home, "elsewhere"));
    symlinkSync(join(home, "elsewhere"), join(dir, "out"));
    symlinkSync(dir, join(home, "in"));
    const folders = [dir];
    for (const path of [
      dir,
      join(dir, "not/there/yet"),
      join(dir, "..data"),
      `${home}/elsewhere/../repository/x`,
      join(dir, "out/config"),
      join(home, "in"),
      join(home, "in/not/there"),
    ])
      expect(isOutside(path, folders), path).toBe(false);
    for (const path of [home, join(home, "elsewhere"), `${dir}-beside`, join(home, "not/there")])
      expect(isOutside(path, folders), path).toBe(true);
  });
});
