import { expect, test } from "vitest";
import { BRANCH_WALK_MAX_COMMITS } from "../../src/core/limits.ts";
import { ObjectReader } from "../../src/git/objects.ts";
import { openRepository, resolveBase } from "../../src/git/repository.ts";
import { listProposalBranches } from "../../src/publish/open-proposals.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

const PREFIX = "refs/heads/auto-skill/";

test("a branch's own commits and its fork point are what git says, whatever its shape", async () => {
  await using repository = await temporaryRepository({ files: { a: "1" } });
  const { git, commit } = repository;
  const branch = async (name: string, start: string) =>
    await git("checkout", "--quiet", "-b", `auto-skill/${name}`, start);
  await branch("behind", "main");
  await commit("before the base moved");
  await git("checkout", "--quiet", "main");
  await commit("second");
  await branch("empty", "main");
  await branch("short", "main");
  await commit("one");
  await commit("two");
  await branch("long", "main");
  for (let at = 0; at <= BRANCH_WALK_MAX_COMMITS; at += 1) await commit(`commit ${at}`);
  await branch("merged-from-base", "auto-skill/behind");
  await git("merge", "--quiet", "--no-edit", "main");
  await branch("at-an-older-base", "main~1");
  await git("checkout", "--quiet", "--orphan", "auto-skill/of-its-own");
  await commit("no history of the base");
  await git("checkout", "--quiet", "main");

  const opened = await openRepository(repository.dir);
  await using reader = new ObjectReader(opened.git, opened.objectFormat);
  const base = await resolveBase(opened, "main");
  const context = { repository: opened, reader, base, skillsRoot: ".qwen/skills" };
  const branches = await listProposalBranches(context);
  expect(branches).toHaveLength(7);
  for (const { ref, tip, commits, forkPoint } of branches) {
    const own = await git("rev-list", tip, "^main");
    expect([ref, commits.map(({ id }) => id).join("\n")]).toEqual([ref, own]);
    const fork = await git("merge-base", tip, "main").catch(() => null);
    expect([ref, forkPoint]).toEqual([ref, fork]);
    expect(ref.startsWith(PREFIX)).toBe(true);
  }
});
