/** `git worktree` beside half-made registrations, as other processes leave them for a moment. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepository } from "../../src/git/repository.ts";
import { openWorkspace } from "../../src/git/workspace.ts";
import { listWorktrees } from "../../src/git/worktree-list.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

/** What `git worktree add` has written when it is half done: enough to make every call of git fail. */
function halfMade(repository: { readonly dir: string }): string {
  const folder = join(repository.dir, ".git/worktrees/another");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "gitdir"), `${repository.dir}-another/.git\n`);
  writeFileSync(join(folder, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(folder, "commondir"), "");
  return folder;
}

describe("while another process is adding a work tree", () => {
  test("the list is asked for again until it is whole", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    const { git } = await openRepository(repository.dir);
    const folder = halfMade(repository);
    await expect(repository.git("worktree", "list")).rejects.toThrow(/commondir/);
    setTimeout(() => rmSync(folder, { recursive: true }), 100);
    expect((await listWorktrees(git)).map(({ path }) => path)).toEqual([repository.dir]);
  });

  test("a workspace opens and closes", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    const opened = await openRepository(repository.dir);
    const commit = await repository.git("rev-parse", "HEAD");
    const tree = await repository.git("rev-parse", "HEAD^{tree}");
    const folder = halfMade(repository);
    setTimeout(() => rmSync(folder, { recursive: true }), 150);
    const base = { commit, tree };
    const { tempRoot } = repository;
    const options = { base, skillsRoot: ".qwen/skills", overlays: [], tempRoot };
    await (await openWorkspace(opened, options))[Symbol.asyncDispose]();
    expect(await repository.git("worktree", "list", "--porcelain")).not.toContain("detached");
  });

  test("one that stays broken is an error of git", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    const { git } = await openRepository(repository.dir);
    halfMade(repository);
    await expect(listWorktrees(git)).rejects.toMatchObject({ code: "git" });
  });
});
