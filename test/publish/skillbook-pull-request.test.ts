/** The Skillbook's rolling pull request, whatever moved meanwhile: on this clone, on another, on GitHub. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkSkillbook } from "../../src/check-skillbook.ts";
import type { PullRequestConfig } from "../../src/core/pull-request-config.ts";
import { openRepository } from "../../src/git/repository.ts";
import type { SkillbookOutcome } from "../../src/skillbook-outcome.ts";
import type { Skillbook } from "../../src/skills/skillbook.ts";
import { ADD, HARNESS, ID, tag } from "../skills/skillbook-samples.ts";
import { applyIn } from "../support/apply-run.ts";
import { FULL_NAME } from "../support/github-server.ts";
import { pullRequestsOf, pullRequestWorld, type World } from "../support/pull-request-world.ts";

const FILE = ".qwen/skills/skillbook/skillbook.json";
const BRANCH = "auto-skill/skillbook";
const other = (issue: string) => ({ ...ADD, issue });

/** What `skillpr apply --publish pr` does in a clone. */
async function apply(
  world: World,
  operations: readonly object[],
  {
    dir = world.local.dir,
    isLocal = false,
    config = {},
  }: { dir?: string; isLocal?: boolean; config?: Partial<PullRequestConfig> } = {},
): Promise<SkillbookOutcome> {
  const repository = await openRepository(dir);
  const onNote = (words: string) => world.notes.push(words);
  const pullRequests = pullRequestsOf(world, repository, { config });
  const outcome = await applyIn(dir, operations, isLocal ? {} : { pullRequests, onNote });
  expect(outcome.error).toBeUndefined();
  return outcome;
}

const pullOf = ({ proposals }: SkillbookOutcome) =>
  proposals.find(({ skill }) => skill === "skillbook")?.pullRequest;

function bookThere({ github }: World, ref = BRANCH): Skillbook {
  return JSON.parse(github.git.git(FULL_NAME, ["show", `${ref}:${FILE}`]));
}

const said = (book: Skillbook) =>
  Object.values(book.skills).map(({ id, issue }) => `${id} ${issue}`);

async function clone({ local, github }: World, name: string): Promise<string> {
  const dir = join(local.home, name);
  await local.gitIn(local.home, "clone", "--quiet", github.git.bare(FULL_NAME), dir);
  return dir;
}

/** The base there becomes the base here. */
async function pull({ local, github }: World): Promise<void> {
  await local.git("fetch", "--quiet", github.git.bare(FULL_NAME), "main");
  await local.git("reset", "--quiet", "--hard", "FETCH_HEAD");
}

/** Somebody's branch is pushed to the base there. */
async function pushToMain({ local, github }: World, dir: string): Promise<void> {
  const bare = github.git.bare(FULL_NAME);
  await local.gitIn(dir, "push", "--quiet", bare, `${BRANCH}:main`);
}

describe("one rolling pull request", { timeout: 300_000 }, () => {
  it("hostile words of a strategy stay words, on the page and in the commit", async () => {
    await using world = await pullRequestWorld();
    const words = "Ask @acme/all, see #1 and GH-2 <img src=x> <!-- skillpr:end --> [x](//e.test)";
    const insight_source = { trace_uid: "qwen-code:@kim | #3\nCloses: #4", display_name: "@kim" };
    const hostile = { ...ADD, issue: words, keywords: ["@robin"], reason: "@kim", insight_source };
    await apply(world, [hostile]);
    const [page] = await world.github.pulls();
    // What is left outside of code spans is what GitHub reads.
    const prose = page?.body.replace(/(`+)(?:(?!`).)+?\1/g, "").replace(/^<!-- skillpr:.*$/gm, "");
    expect(prose).not.toMatch(/@(?:acme|kim|robin)|#\d|GH-\d|<img|<!--|[^\\]\]\(/);
    expect(page?.body.match(/<!-- skillpr:end -->/g)).toHaveLength(1);
    const message = world.github.git.git(FULL_NAME, ["log", "-1", "--format=%B", BRANCH]);
    expect(message).not.toMatch(/@|#\d|GH-\d|^Closes/m);
  });

  it("marks alone open none, and join the one that is open", async () => {
    await using world = await pullRequestWorld();
    await apply(world, [ADD]);
    await world.github.mergePull(1);
    await pull(world);
    expect(await apply(world, [tag(1)])).toMatchObject({ proposals: [], waiting: 1 });
    expect(await world.github.pulls("open")).toHaveLength(0);
    const content = await apply(world, [other("Another.")]);
    expect(pullOf(content)).toMatchObject({ number: 2, operation: "created" });
    expect(bookThere(world).skills[ID]).toMatchObject({ helpful_count: 1 });
    expect(world.github.git.git(FULL_NAME, ["log", "-1", "--format=%B", BRANCH])).toMatch(
      /^Skillpr-Marks: \d+-[0-9a-f]+$/m,
    );
    expect(pullOf(await apply(world, [tag(1)]))).toMatchObject({ number: 2 });
    expect(bookThere(world).skills[ID]).toMatchObject({ helpful_count: 2 });
  });
});

describe("when the base moved", { timeout: 300_000 }, () => {
  it("here it isn't known yet: the operations are applied again to what GitHub has", async () => {
    await using world = await pullRequestWorld();
    await apply(world, [ADD, HARNESS]);
    await world.github.mergePull(1, "squash");
    await pull(world);
    const dir = await clone(world, "theirs");
    await apply(world, [other("Mine."), tag(1)]);
    // Somebody else's proposal is merged meanwhile, on a branch of another name.
    await apply(world, [other("Theirs."), tag(1), { type: "REMOVE", skill_id: "harness-00002" }], {
      dir,
      isLocal: true,
    });
    await pushToMain(world, dir);
    const outcome = await apply(world, [tag(1), tag(0, "harness-00002")]);
    expect(pullOf(outcome)).toMatchObject({ number: 2, operation: "updated" });
    const book = bookThere(world);
    expect(said(book)).toEqual([
      `${ID} ${ADD.issue}`,
      `harness-00002 ${HARNESS.issue}`,
      "context-00003 Theirs.",
      "context-00004 Mine.",
    ]);
    expect(book.skills[ID]).toMatchObject({ helpful_count: 3 });
    expect(book.skills["harness-00002"]).toMatchObject({ active: false, neutral_count: 0 });
    const parents = world.github.git
      .git(FULL_NAME, ["log", "-1", "--format=%P", BRANCH])
      .split(" ");
    expect(parents[1]).toBe(world.github.git.git(FULL_NAME, ["rev-parse", "main"]));
    const [page] = await world.github.pulls();
    expect(page?.body).toContain("- **ADD** `context-00004`: Mine.");
    expect(page?.body).not.toContain("Theirs.");
    // Said again, and nothing moved since: it is there once.
    await apply(world, [other("Mine.")]);
    expect(said(bookThere(world)).filter((each) => each.endsWith("Mine."))).toHaveLength(1);
  });

  it("and was fetched: the branch goes on from both, on GitHub too", async () => {
    await using world = await pullRequestWorld();
    await apply(world, [ADD]);
    await world.github.mergePull(1, "squash");
    await pull(world);
    await apply(world, [other("Mine."), tag(1)]);
    const dir = await clone(world, "theirs");
    await apply(world, [other("Theirs."), tag(1)], { dir, isLocal: true });
    await pushToMain(world, dir);
    await pull(world);
    const outcome = await apply(world, [tag(-1)]);
    expect(pullOf(outcome)).toMatchObject({ number: 2, operation: "updated" });
    const book = bookThere(world);
    expect(said(book)).toEqual([
      `${ID} ${ADD.issue}`,
      "context-00002 Theirs.",
      "context-00003 Mine.",
    ]);
    expect(book.skills[ID]).toMatchObject({ helpful_count: 2, harmful_count: 1 });
    await world.github.mergePull(2);
    expect(said(bookThere(world, "main"))).toHaveLength(3);
  });

  it("with sign-commits the branch begins again on the base, in one signed commit, counted once", async () => {
    await using world = await pullRequestWorld();
    const signed = { config: { signCommits: true } };
    await apply(world, [ADD], signed);
    await world.github.mergePull(1, "squash");
    await pull(world);
    await apply(world, [other("Mine."), tag(1)], signed);
    const late = await clone(world, "late");
    await apply(world, [tag(1)], { ...signed, dir: late });
    const dir = await clone(world, "theirs");
    await apply(world, [other("Theirs."), tag(1)], { dir, isLocal: true });
    await pushToMain(world, dir);
    // This clone pulls, and marks; the other one knows its own branch alone.
    await pull(world);
    expect(pullOf(await apply(world, [tag(-1)], signed))).toMatchObject({
      number: 2,
      operation: "updated",
    });
    const { git } = world.github;
    const [parents, committer] = git
      .git(FULL_NAME, ["log", "-1", "--format=%P%n%cn", BRANCH])
      .split("\n");
    expect(parents).toBe(git.git(FULL_NAME, ["rev-parse", "main"]));
    expect(committer).toBe("GitHub");
    expect(git.git(FULL_NAME, ["for-each-ref", "refs/heads/skillpr"])).toBe("");
    await apply(world, [tag(0)], { ...signed, dir: late });
    const book = bookThere(world);
    expect(said(book)).toEqual([
      `${ID} ${ADD.issue}`,
      "context-00002 Theirs.",
      "context-00003 Mine.",
    ]);
    expect(book.skills[ID]).toMatchObject({
      helpful_count: 3,
      harmful_count: 1,
      neutral_count: 1,
    });
    expect(await world.github.pulls("open")).toHaveLength(1);
  });

  it("a squash of an older state isn't applied again", async () => {
    await using world = await pullRequestWorld();
    await apply(world, [ADD, tag(1)]);
    await world.github.mergePull(1, "squash");
    // Not fetched: what is new is new on top of what was merged.
    const outcome = await apply(world, [other("More."), tag(1)]);
    expect(pullOf(outcome)).toMatchObject({ number: 2, operation: "created" });
    expect(said(bookThere(world))).toEqual([`${ID} ${ADD.issue}`, "context-00002 More."]);
    expect(bookThere(world).skills[ID]).toMatchObject({ helpful_count: 2 });
    await world.github.mergePull(2, "squash");
    const dir = await clone(world, "theirs");
    await apply(world, [tag(1), other("Theirs.")], { dir });
    await world.github.mergePull(3, "squash");
    await pull(world);
    await apply(world, [other("Last.")]);
    expect(bookThere(world).skills[ID]).toMatchObject({ helpful_count: 3 });
    expect(said(bookThere(world))).toHaveLength(4);
  });
});

/** Somebody merges a pull request as one commit, with better words for the first strategy. */
async function squashEdited(world: World, number: number, isKept: boolean): Promise<void> {
  const { git } = world.github;
  const run = (args: readonly string[]) => git.git(FULL_NAME, args);
  const [pull] = (await world.github.pulls("open")).filter((one) => one.number === number);
  const told = isKept ? run(["log", "--format=%B", `main..${BRANCH}`]) : "";
  const dir = await clone(world, `merging-${number}`);
  await world.local.gitIn(dir, "fetch", "--quiet", git.bare(FULL_NAME), BRANCH);
  await world.local.gitIn(dir, "merge", "--quiet", "--squash", "FETCH_HEAD");
  const path = join(dir, FILE);
  const book = bookThere(world);
  // Where the trailers are kept, they alone tell: another tool wrote the file, with moments of its own.
  const moment = isKept ? { created_at: "2026-01-02T03:04:05Z", updated_at: undefined } : {};
  const all = Object.values(book.skills).map((each) => [each.id, { ...each, ...moment }] as const);
  const skills: Record<string, object> = Object.fromEntries(all);
  const edited = { ...skills[ID], issue: "Said better." };
  writeFileSync(path, JSON.stringify({ ...book, skills: { ...skills, [ID]: edited } }));
  expect(await checkSkillbook(path, true)).toMatchObject({ ok: true });
  await world.local.gitIn(dir, "add", "--all");
  const message = `${pull?.title} (#${number})\n\n${told}`;
  await world.local.gitIn(dir, "commit", "--quiet", "-m", message);
  await world.github.mergePull(number, "squash");
  const bare = git.bare(FULL_NAME);
  // What GitHub shows as its merge is what the person made of it.
  await world.local.gitIn(dir, "push", "--quiet", "--force", bare, "HEAD:main");
}

describe.each([
  ["its trailers kept", true],
  ["its message reduced to the title", false],
])("a squash on GitHub that somebody edited, %s", { timeout: 300_000 }, (_, isKept) => {
  async function merged(): Promise<World> {
    const world = await pullRequestWorld();
    await apply(world, [ADD]);
    await world.github.mergePull(1, "squash");
    await pull(world);
    // One waits on GitHub, and joins what is proposed then.
    await apply(world, [tag(1)]);
    await apply(world, [HARNESS, tag(1)]);
    expect(bookThere(world).skills[ID]).toMatchObject({ helpful_count: 2 });
    await squashEdited(world, 2, isKept);
    return world;
  }

  it("not fetched here yet: only what is new here is new there", async () => {
    await using world = await merged();
    await apply(world, [other("Later."), tag(-1)]);
    expect(said(bookThere(world))).toEqual([
      `${ID} Said better.`,
      `harness-00002 ${HARNESS.issue}`,
      "context-00003 Later.",
    ]);
    expect(bookThere(world).skills[ID]).toMatchObject({ helpful_count: 2, harmful_count: 1 });
  });

  it("fetched here: the branch has nothing left that is open", async () => {
    await using world = await merged();
    await pull(world);
    await apply(world, [other("Later."), tag(-1)]);
    expect(said(bookThere(world))).toHaveLength(3);
    expect(bookThere(world).skills[ID]).toMatchObject({ helpful_count: 2, harmful_count: 1 });
  });
});

describe("several clones", { timeout: 300_000 }, () => {
  it("one branch: a fresh clone goes on from it, and two at once lose nothing", async () => {
    await using world = await pullRequestWorld();
    await apply(world, [ADD]);
    const dir = await clone(world, "other");
    expect(pullOf(await apply(world, [tag(1), other("Theirs.")], { dir }))).toMatchObject({
      number: 1,
      operation: "updated",
    });
    // The first clone knows nothing of it, and can't look: its batch is made on its own branch.
    await apply(world, [other("Mine."), tag(1)], { isLocal: true });
    expect(pullOf(await apply(world, [tag(-1)]))).toMatchObject({ number: 1 });
    const book = bookThere(world);
    expect(said(book)).toEqual([
      `${ID} ${ADD.issue}`,
      "context-00002 Theirs.",
      "context-00003 Mine.",
    ]);
    expect(book.skills[ID]).toMatchObject({ helpful_count: 2, harmful_count: 1 });
    // Again and again: nothing is counted twice.
    await apply(world, [tag(0)]);
    await apply(world, [tag(0)], { dir });
    expect(bookThere(world).skills[ID]).toMatchObject({
      helpful_count: 2,
      harmful_count: 1,
      neutral_count: 2,
    });
    expect(await world.github.pulls("all")).toHaveLength(1);
  });

  it("somebody's commit on GitHub: it is left alone, the marks wait, and come after the merge", async () => {
    await using world = await pullRequestWorld();
    await apply(world, [ADD]);
    const dir = await clone(world, "person");
    await world.local.gitIn(dir, "fetch", "--quiet", world.github.git.bare(FULL_NAME), BRANCH);
    await world.local.gitIn(dir, "checkout", "--quiet", "-B", "edit", "FETCH_HEAD");
    const path = join(dir, FILE);
    const book = bookThere(world);
    const edited = { ...book.skills[ID], issue: "Said better." };
    writeFileSync(path, JSON.stringify({ ...book, skills: { [ID]: edited } }));
    expect(await checkSkillbook(path, true)).toMatchObject({ ok: true });
    await world.local.gitIn(dir, "commit", "--quiet", "-am", "Better words");
    await world.local.gitIn(
      dir,
      "push",
      "--quiet",
      world.github.git.bare(FULL_NAME),
      `edit:${BRANCH}`,
    );
    const blocked = await apply(world, [tag(1)]);
    expect(pullOf(blocked)).toMatchObject({ operation: "blocked" });
    expect(said(bookThere(world))).toEqual([`${ID} Said better.`]);
    await world.github.mergePull(1);
    const after = await apply(world, [other("New.")]);
    expect(pullOf(after)).toMatchObject({ number: 2, operation: "created" });
    expect(said(bookThere(world))).toEqual([`${ID} Said better.`, "context-00002 New."]);
    expect(bookThere(world).skills[ID]).toMatchObject({ helpful_count: 1 });
  });
});
