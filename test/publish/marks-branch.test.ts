/** Marks that wait on GitHub: a runner's clone is thrown away, and none of them is lost or counted twice. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PullRequestConfig } from "../../src/core/pull-request-config.ts";
import { DEFAULT_RULE_LEVELS } from "../../src/core/rule-levels.ts";
import { openRepository } from "../../src/git/repository.ts";
import { publishArtifacts } from "../../src/publish-artifacts.ts";
import { publishFolder } from "../../src/publish-sealed.ts";
import type { SkillbookOutcome } from "../../src/skillbook-outcome.ts";
import type { Skillbook } from "../../src/skills/skillbook.ts";
import { readTemplate } from "../../src/templates.ts";
import { ADD, ID, tag } from "../skills/skillbook-samples.ts";
import { applyIn } from "../support/apply-run.ts";
import { FULL_NAME } from "../support/github-server.ts";
import { pullRequestsOf, pullRequestWorld, type World } from "../support/pull-request-world.ts";

const FILE = ".qwen/skills/skillbook/skillbook.json";
const BRANCH = "auto-skill/skillbook";
const MARKS = "skillpr/marks";
const other = (issue: string) => ({ ...ADD, issue });
const SLOW = { timeout: 300_000 };

/** A run on a runner: its clone is there for this run alone. */
async function onRunner(
  world: World,
  operations: readonly object[],
  { config = {}, clone = [] }: { config?: Partial<PullRequestConfig>; clone?: string[] } = {},
): Promise<SkillbookOutcome> {
  const { local, github } = world;
  const dir = join(local.home, `runner-${Math.random().toString(36).slice(2)}`);
  const from =
    clone.length === 0 ? github.git.bare(FULL_NAME) : `file://${github.git.bare(FULL_NAME)}`;
  await local.gitIn(local.home, "clone", "--quiet", ...clone, from, dir);
  const repository = await openRepository(dir);
  const pullRequests = pullRequestsOf(world, repository, { config });
  const onNote = (note: string) => world.notes.push(note);
  const outcome = await applyIn(dir, operations, { pullRequests, onNote });
  rmSync(dir, { recursive: true, force: true });
  return outcome;
}

function there({ github }: World, ref: string): Skillbook {
  return JSON.parse(github.git.git(FULL_NAME, ["show", `${ref}:${FILE}`]));
}

function waitingThere({ github }: World): string[] {
  const refs = github.git.git(FULL_NAME, [
    "for-each-ref",
    "--format=%(refname)",
    `refs/heads/${MARKS}`,
  ]);
  if (refs === "") return [];
  return github.git.git(FULL_NAME, ["ls-tree", "--name-only", `${MARKS}:marks`]).split("\n");
}

async function withStrategy(): Promise<World> {
  const world = await pullRequestWorld();
  await onRunner(world, [ADD]);
  await world.github.mergePull(1, "squash");
  return world;
}

describe("without an open pull request", SLOW, () => {
  it("marks wait on GitHub, open none, and come with the next change, once", async () => {
    await using world = await withStrategy();
    expect(await onRunner(world, [tag(1)])).toMatchObject({
      status: "nothing_to_save",
      waiting: 1,
      proposals: [],
    });
    expect(await onRunner(world, [tag(1), tag(-1)])).toMatchObject({ waiting: 3 });
    expect(await world.github.pulls("open")).toHaveLength(0);
    expect(world.github.git.git(FULL_NAME, ["branch", "--list", "auto-skill/*"])).not.toContain(
      "+",
    );
    expect(waitingThere(world)).toHaveLength(2);
    await onRunner(world, [other("More.")]);
    expect(there(world, BRANCH).skills[ID]).toMatchObject({ helpful_count: 2, harmful_count: 1 });
    expect(waitingThere(world)).toEqual([]);
    const [page] = await world.github.pulls("open");
    expect(page?.body).toMatch(/\*\*TAG\*\* `context-00001`: it helped, 2 times/);
    const message = world.github.git.git(FULL_NAME, ["log", "-1", "--format=%B", BRANCH]);
    expect(message.match(/^Skillpr-Marks: \d+-[0-9a-f]{16}$/gm)).toHaveLength(2);
    await onRunner(world, [tag(0)]);
    expect(there(world, BRANCH).skills[ID]).toMatchObject({ helpful_count: 2, neutral_count: 1 });
  });

  it("killed between the push and the clearing: what was brought isn't brought again", async () => {
    await using world = await withStrategy();
    await onRunner(world, [tag(1)]);
    const { git } = world.github;
    const tip = git.git(FULL_NAME, ["rev-parse", MARKS]);
    await onRunner(world, [other("More.")]);
    git.git(FULL_NAME, ["update-ref", `refs/heads/${MARKS}`, tip]);
    await onRunner(world, [other("Again.")]);
    expect(there(world, BRANCH).skills[ID]).toMatchObject({ helpful_count: 1 });
    expect(waitingThere(world)).toEqual([]);
    git.git(FULL_NAME, ["update-ref", `refs/heads/${MARKS}`, tip]);
    await world.github.mergePull(2);
    await onRunner(world, [other("Last.")]);
    expect(there(world, BRANCH).skills[ID]).toMatchObject({ helpful_count: 1 });
  });

  it("runs at once lose none of theirs", async () => {
    await using world = await withStrategy();
    await Promise.all([1, 1, -1].map((delta) => onRunner(world, [tag(delta as 1)])));
    expect(waitingThere(world)).toHaveLength(3);
    const changes = ["One.", "Two."].map((issue) => onRunner(world, [other(issue)]));
    await Promise.all([...changes, onRunner(world, [tag(1)])]);
    await onRunner(world, [other("Three.")]);
    const book = there(world, BRANCH);
    expect(book.skills[ID]).toMatchObject({ helpful_count: 3, harmful_count: 1 });
    expect(Object.keys(book.skills)).toHaveLength(4);
    expect(waitingThere(world)).toEqual([]);
  });

  it("sign-commits: GitHub commits them", async () => {
    await using world = await withStrategy();
    const config = { signCommits: true };
    await onRunner(world, [tag(1)], { config });
    await onRunner(world, [tag(-1)], { config });
    expect(waitingThere(world)).toHaveLength(2);
    await onRunner(world, [other("More.")], { config });
    expect(there(world, BRANCH).skills[ID]).toMatchObject({ helpful_count: 1, harmful_count: 1 });
    expect(waitingThere(world)).toEqual([]);
  });

  it("what somebody else put there is passed over", async () => {
    await using world = await withStrategy();
    await onRunner(world, [tag(1)]);
    const bad = JSON.stringify({ operations: [other("Smuggled.")] });
    world.commitAs(MARKS, "marks/1-0123456789abcdef.json", bad);
    world.commitAs(MARKS, "marks/notes.md", "mine");
    await onRunner(world, [other("More.")]);
    expect(Object.values(there(world, BRANCH).skills).map(({ issue }) => issue)).toEqual([
      ADD.issue,
      "More.",
    ]);
    expect(there(world, BRANCH).skills[ID]).toMatchObject({ helpful_count: 1 });
  });
});

describe("with an open pull request whose base moved", SLOW, () => {
  it.each([
    ["a whole clone", []],
    ["a shallow clone", ["--depth=1"]],
  ])("marks join it, its operations made again: %s", async (_, clone) => {
    await using world = await withStrategy();
    await onRunner(world, [other("Open."), tag(1)]);
    // Somebody else's change is merged meanwhile, on a branch of another name.
    const { local, github } = world;
    const dir = join(local.home, "theirs");
    await local.gitIn(local.home, "clone", "--quiet", github.git.bare(FULL_NAME), dir);
    await applyIn(dir, [other("Theirs."), tag(1)]);
    await local.gitIn(dir, "push", "--quiet", github.git.bare(FULL_NAME), `${BRANCH}:main`);
    const outcome = await onRunner(world, [tag(-1)], { clone });
    expect(outcome.proposals[0]?.pullRequest).toMatchObject({ number: 2, operation: "updated" });
    const book = there(world, BRANCH);
    expect(Object.values(book.skills).map(({ id, issue }) => `${id} ${issue}`)).toEqual([
      `${ID} ${ADD.issue}`,
      "context-00002 Theirs.",
      "context-00003 Open.",
    ]);
    expect(book.skills[ID]).toMatchObject({ helpful_count: 2, harmful_count: 1 });
    await world.github.mergePull(2);
    expect(there(world, "main").skills[ID]).toMatchObject({ helpful_count: 2, harmful_count: 1 });
  });
});

it(
  "what a reviewing job sealed waits on GitHub too; where it can't, that fails",
  SLOW,
  async () => {
    await using world = await withStrategy();
    const { local, github } = world;
    const dir = join(local.home, "jobs");
    await local.gitIn(local.home, "clone", "--quiet", github.git.bare(FULL_NAME), dir);
    const outDir = mkdtempSync(join(local.tempRoot, "sealed-"));
    await applyIn(dir, [tag(1)], { outDir });
    const publish = async (setting: { token?: string }) => {
      const repository = await openRepository(dir);
      const pullRequests = pullRequestsOf(world, repository, setting);
      const rules = DEFAULT_RULE_LEVELS;
      const config = { base: "main", publish: "pr", rules, skillsRoot: ".qwen/skills" } as const;
      const messageTemplate = readTemplate("commit-message.txt");
      return publishFolder({ repository, config }, outDir, { messageTemplate, pullRequests });
    };
    const refused = await publish({ token: "ghp_cannot_push_anything_000000000000000" });
    expect(refused).toMatchObject({ status: "failed", error: { code: "github" } });
    // Again with one that may, and once more: it is there once.
    expect(await publish({})).toMatchObject({ status: "nothing_to_save" });
    expect(await publish({})).toMatchObject({ status: "nothing_to_save" });
    expect(waitingThere(world)).toHaveLength(1);
    await onRunner(world, [other("More.")]);
    expect(there(world, BRANCH).skills[ID]).toMatchObject({ helpful_count: 1 });
  },
);

it("where nothing may be pushed, marks wait in this clone, and that is said", SLOW, async () => {
  await using world = await withStrategy();
  const { local, github, notes } = world;
  const dir = join(local.home, "kept");
  await local.gitIn(local.home, "clone", "--quiet", github.git.bare(FULL_NAME), dir);
  const repository = await openRepository(dir);
  const token = "ghp_cannot_push_anything_000000000000000";
  const onNote = (note: string) => notes.push(note);
  const refused = pullRequestsOf(world, repository, { token });
  expect(await applyIn(dir, [tag(1)], { pullRequests: refused, onNote })).toMatchObject({
    waiting: 1,
  });
  expect(notes.join("\n")).toContain("marks wait in this clone alone");
  expect(waitingThere(world)).toEqual([]);
  // With a token that may, they go where they are safe.
  const pullRequests = pullRequestsOf(world, repository, {});
  expect(await applyIn(dir, [tag(1)], { pullRequests })).toMatchObject({ waiting: 2 });
  expect(waitingThere(world)).toHaveLength(2);
});

it(
  "two clones publish what other runs sealed, some of it both: it waits on GitHub once",
  SLOW,
  async () => {
    await using world = await withStrategy();
    const { local, github } = world;
    const dirs = await Promise.all(
      ["first", "second"].map(async (name) => {
        const dir = join(local.home, name);
        await local.gitIn(local.home, "clone", "--quiet", github.git.bare(FULL_NAME), dir);
        return dir;
      }),
    );
    const jobs = ["one", "two", "three"].map((name) => join(local.tempRoot, `job-${name}`));
    for (const [at, delta] of [1, 1, -1].entries()) {
      mkdirSync(jobs[at] ?? "");
      await applyIn(dirs[0] ?? "", [tag(delta)], { outDir: jobs[at] ?? "" });
    }
    const publish = async (dir: string | undefined, sealed: readonly (string | undefined)[]) => {
      const repository = await openRepository(dir ?? "");
      const all = mkdtempSync(join(local.tempRoot, "all-"));
      for (const job of sealed)
        cpSync(job ?? "", join(all, basename(job ?? "")), { recursive: true });
      const rules = DEFAULT_RULE_LEVELS;
      const config = { base: "main", publish: "pr", rules, skillsRoot: ".qwen/skills" } as const;
      const messageTemplate = readTemplate("commit-message.txt");
      const pullRequests = pullRequestsOf(world, repository, {});
      const options = { messageTemplate, pullRequests, otherName: "x.txt" };
      return publishArtifacts({ repository, config }, all, options);
    };
    await publish(dirs[0], jobs.slice(0, 2));
    expect(waitingThere(world)).toHaveLength(2);
    await publish(dirs[1], jobs.slice(1));
    expect(waitingThere(world)).toHaveLength(3);
    await onRunner(world, [other("More.")]);
    expect(there(world, BRANCH).skills[ID]).toMatchObject({ helpful_count: 2, harmful_count: 1 });
    await publish(dirs[1], jobs);
    await onRunner(world, [other("Last.")]);
    expect(there(world, BRANCH).skills[ID]).toMatchObject({ helpful_count: 2, harmful_count: 1 });
  },
);
