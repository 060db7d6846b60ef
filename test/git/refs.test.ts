import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  checkedOutAt,
  commitTree,
  deleteRef,
  isAncestor,
  listRefs,
  mergeBase,
  moveRef,
  readRef,
} from "../../src/git/refs.ts";
import { openRepository } from "../../src/git/repository.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const BRANCH = "refs/heads/auto-skill/one";

async function twoCommits() {
  const repository = await temporaryRepository({ files: { a: "1" } });
  const first = await repository.git("rev-parse", "HEAD");
  const second = await repository.commit("second");
  const { git } = await openRepository(repository.dir);
  const dispose = () => repository[Symbol.asyncDispose]();
  return { repository, git, first, second, [Symbol.asyncDispose]: dispose };
}

describe("moveRef and deleteRef", () => {
  test("create, move and delete by compare and swap", async () => {
    await using all = await twoCommits();
    const { git, first, second } = all;
    expect(await readRef(git, BRANCH)).toBeNull();
    expect(await moveRef(git, BRANCH, first, null)).toBe("moved");
    expect(await moveRef(git, BRANCH, second, null)).toBe("lost-race");
    expect(await moveRef(git, BRANCH, second, second)).toBe("lost-race");
    expect(await moveRef(git, BRANCH, second, first)).toBe("moved");
    expect(await listRefs(git, "refs/heads/auto-skill/")).toEqual([{ name: BRANCH, id: second }]);
    expect(await deleteRef(git, BRANCH, first)).toBe("lost-race");
    expect(await deleteRef(git, BRANCH, second)).toBe("deleted");
    expect(await readRef(git, BRANCH)).toBeNull();
  });

  test("only one of two writers wins", async () => {
    await using all = await twoCommits();
    const { git, first, second } = all;
    const results = await Promise.all([
      moveRef(git, BRANCH, first, null),
      moveRef(git, BRANCH, second, null),
    ]);
    expect(results.sort()).toEqual(["lost-race", "moved"]);
  });

  test("no hook runs, wherever hooks are", async () => {
    await using all = await twoCommits();
    const { repository, git, first } = all;
    const mark = join(repository.home, "hook-ran");
    repository.hook("reference-transaction", `touch '${mark}'; exit 1`);
    for (const hooksPath of [null, join(repository.dir, ".git/hooks")]) {
      if (hooksPath !== null) await repository.git("config", "core.hooksPath", hooksPath);
      const branch = hooksPath === null ? BRANCH : `${BRANCH}-more`;
      expect(await moveRef(git, branch, first, null)).toBe("moved");
    }
    expect(existsSync(mark)).toBe(false);
  });

  test("a branch named like the folder is in the way, either way round", async () => {
    await using all = await twoCommits();
    const { repository, git, first } = all;
    await repository.git("branch", "auto-skill");
    expect(await moveRef(git, BRANCH, first, null)).toEqual({
      blocked: `${BRANCH} can't exist beside refs/heads/auto-skill: rename or delete that one`,
    });
    await repository.git("branch", "-D", "auto-skill");
    await repository.git("branch", "auto-skill/one/more");
    expect(await moveRef(git, BRANCH, first, null)).toEqual({
      blocked: `${BRANCH} can't exist beside ${BRANCH}/more: rename or delete that one`,
    });
  });

  test("a lock that stays is named; one that goes is waited for", async () => {
    await using all = await twoCommits();
    const { repository, git, first } = all;
    const lock = join(repository.dir, ".git", `${BRANCH}.lock`);
    mkdirSync(join(lock, ".."), { recursive: true });
    writeFileSync(lock, "");
    expect(await moveRef(git, BRANCH, first, null)).toEqual({
      blocked: expect.stringContaining(`is locked by ${lock}`),
    });
    setTimeout(() => rmSync(lock), 60);
    expect(await moveRef(git, BRANCH, first, null)).toBe("moved");
  });

  test("ids and names that are none never reach git", async () => {
    await using all = await twoCommits();
    const { git, first } = all;
    await expect(readRef(git, "--help")).rejects.toThrow("not a full ref name");
    await expect(listRefs(git, "refs/heads/*")).rejects.toThrow("not a full ref name");
    await expect(moveRef(git, "main", first, null)).rejects.toThrow("not a full ref name");
    expect(() => moveRef(git, BRANCH, "main", null)).toThrow("not an object id");
    await expect(mergeBase(git, "--all", first)).rejects.toThrow("not an object id");
  });
});

describe("checkedOutAt", () => {
  const at = async (repository: TemporaryRepository, branch: string) =>
    checkedOutAt((await openRepository(repository.dir)).git, `refs/heads/${branch}`);

  test("names the work tree that has a branch checked out", async () => {
    await using all = await twoCommits();
    const { repository } = all;
    await repository.git("branch", "free");
    const linked = join(repository.home, "ein anderer ü");
    await repository.git("worktree", "add", "--quiet", "-b", "side", linked);
    expect(await at(repository, "main")).toBe(repository.dir);
    expect(await at(repository, "side")).toBe(linked);
    expect(await at(repository, "free")).toBeNull();
    expect(await at(repository, "none")).toBeNull();
  });

  test("counts a branch that is being rebased or bisected", async () => {
    await using all = await twoCommits();
    const { repository } = all;
    const linked = join(repository.home, "linked");
    await repository.git("worktree", "add", "--quiet", "-b", "side", linked, "HEAD~1");
    repository.write("a", "main\n");
    await repository.commit();
    writeFileSync(join(linked, "a"), "side\n");
    await repository.gitIn(linked, "commit", "--quiet", "-a", "-m", "side");
    await expect(repository.gitIn(linked, "rebase", "main")).rejects.toThrow();
    expect(await repository.gitIn(linked, "branch", "--show-current")).toBe("");
    expect(await at(repository, "side")).toBe(linked);

    await repository.git("bisect", "start");
    await repository.git("bisect", "bad", "HEAD");
    await repository.git("bisect", "good", "HEAD~2");
    expect(await repository.git("branch", "--show-current")).toBe("");
    expect(await at(repository, "main")).toBe(repository.dir);
  });
});

describe("commits", () => {
  const who = (name: string) => ({
    name,
    email: `${name}@example.com`,
    date: new Date("2026-03-01T00:00:00.900Z"),
  });

  test("are made by the people given, without signature, config or hooks; same input, same id", async () => {
    await using all = await twoCommits();
    const { repository, git, second } = all;
    await repository.git("config", "commit.gpgsign", "true");
    await repository.git("config", "user.useConfigOnly", "true");
    await repository.git("config", "i18n.commitEncoding", "latin1");
    const tree = await repository.git("rev-parse", "HEAD^{tree}");
    const commit = {
      tree,
      parents: [second],
      message: "Fähigkeit\n\nTrailer: 1\n",
      author: who("ada"),
      committer: who("skillpr"),
    };
    const id = await commitTree(git, commit);
    expect(await commitTree(git, commit)).toBe(id);
    expect(await repository.git("cat-file", "commit", id)).toBe(
      [
        `tree ${tree}`,
        `parent ${second}`,
        "author ada <ada@example.com> 1772323200 +0000",
        "committer skillpr <skillpr@example.com> 1772323200 +0000",
        "",
        "Fähigkeit\n\nTrailer: 1",
      ].join("\n"),
    );
    expect(readFileSync(join(repository.dir, ".git/HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
  });

  test("history: ancestors and merge bases, also without one", async () => {
    await using all = await twoCommits();
    const { repository, git, first, second } = all;
    expect(await isAncestor(git, first, second)).toBe(true);
    expect(await isAncestor(git, second, first)).toBe(false);
    expect(await mergeBase(git, first, second)).toBe(first);
    const tree = await repository.git("rev-parse", "HEAD^{tree}");
    const orphan = await repository.git("commit-tree", tree, "-m", "orphan");
    expect(await mergeBase(git, orphan, second)).toBeNull();
  });
});
