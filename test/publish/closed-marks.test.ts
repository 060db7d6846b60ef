/** Marks that a pull request had brought which was closed without a merge: they come again, each once, in any clone. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEFAULTS } from "../../src/core/config.ts";
import { openRepository } from "../../src/git/repository.ts";
import { reject } from "../../src/proposals.ts";
import type { SkillbookOutcome } from "../../src/skillbook-outcome.ts";
import type { Skillbook } from "../../src/skills/skillbook.ts";
import { listWaiting } from "../../src/waiting-tags.ts";
import { ADD, ID, tag } from "../skills/skillbook-samples.ts";
import { applyIn } from "../support/apply-run.ts";
import { FULL_NAME } from "../support/github-server.ts";
import { pullRequestsOf, pullRequestWorld, type World } from "../support/pull-request-world.ts";

const FILE = ".qwen/skills/skillbook/skillbook.json";
const BRANCH = "auto-skill/skillbook";
const other = (issue: string) => ({ ...ADD, issue });
const SLOW = { timeout: 300_000 };

async function clone({ local, github }: World, ...how: string[]): Promise<string> {
  const dir = join(local.home, `clone-${Math.random().toString(36).slice(2)}`);
  const bare = github.git.bare(FULL_NAME);
  const from = how.length === 0 ? bare : `file://${bare}`;
  await local.gitIn(local.home, "clone", "--quiet", ...how, from, dir);
  return dir;
}

/** A run in a clone that is kept. */
async function applyAt(
  world: World,
  dir: string,
  operations: readonly object[],
): Promise<SkillbookOutcome> {
  const repository = await openRepository(dir);
  const pullRequests = pullRequestsOf(world, repository, {});
  const onNote = (note: string) => world.notes.push(note);
  return applyIn(dir, operations, { pullRequests, onNote });
}

/** A run in a clone that is there for this run alone. */
async function onRunner(world: World, operations: readonly object[], ...how: string[]) {
  const dir = await clone(world, ...how);
  const outcome = await applyAt(world, dir, operations);
  rmSync(dir, { recursive: true, force: true });
  return outcome;
}

function marksThere({ github }: World, ref = BRANCH) {
  const text = github.git.git(FULL_NAME, ["show", `${ref}:${FILE}`]);
  const { helpful_count, harmful_count, neutral_count } =
    (JSON.parse(text) as Skillbook).skills[ID] ?? {};
  return [helpful_count, harmful_count, neutral_count];
}

async function withStrategy(): Promise<World> {
  const world = await pullRequestWorld();
  await onRunner(world, [ADD]);
  await world.github.mergePull(1, "squash");
  return world;
}

/** A pull request, closed, with one mark that had waited, one of its own, and one that joined it. */
async function closedOne(world: World): Promise<void> {
  await onRunner(world, [tag(1)]);
  await onRunner(world, [other("Turned down."), tag(-1), tag(1, "context-00002")]);
  await onRunner(world, [tag(0)]);
  expect(marksThere(world)).toEqual([1, 1, 1]);
  await world.github.closePull(2);
}

it.each([
  ["a whole clone", []],
  ["a shallow clone", ["--depth=1"]],
])("the next change in a fresh clone brings them, once: %s", SLOW, async (_, how) => {
  await using world = await withStrategy();
  await closedOne(world);
  // Marks alone still open none, and what the closed one had waits with them.
  expect(await onRunner(world, [tag(1)], ...how)).toMatchObject({ proposals: [], waiting: 4 });
  await onRunner(world, [other("New.")], ...how);
  expect(marksThere(world)).toEqual([2, 1, 1]);
  const book: Skillbook = JSON.parse(
    world.github.git.git(FULL_NAME, ["show", `${BRANCH}:${FILE}`]),
  );
  // Not to whatever has the id of what was turned down.
  expect(book.skills["context-00002"]).toMatchObject({ issue: "New.", helpful_count: 0 });
  await onRunner(world, [other("More.")], ...how);
  expect(marksThere(world)).toEqual([2, 1, 1]);
  // Closed as well: what both had, and what came since, comes once.
  await world.github.closePull(3);
  await onRunner(world, [other("Third."), tag(1)], ...how);
  expect(marksThere(world)).toEqual([3, 1, 1]);
  // Merged with a message that was reduced to its title.
  await world.github.mergePull(4, "squash");
  expect(marksThere(world, "main")).toEqual([3, 1, 1]);
  await onRunner(world, [other("Fourth.")], ...how);
  expect(marksThere(world)).toEqual([3, 1, 1]);
});

it("in the clone that had it: with its branch, and rejected there before", SLOW, async () => {
  await using world = await withStrategy();
  const kept = await clone(world);
  await onRunner(world, [tag(1)]);
  await applyAt(world, kept, [other("Turned down."), tag(-1)]);
  await onRunner(world, [tag(0)]);
  expect(marksThere(world)).toEqual([1, 1, 1]);
  const repository = await openRepository(kept);
  const config = { ...DEFAULTS, base: "main" };
  const { marks } = await reject({ repository, config }, "skillbook", null);
  // The branch here has its own; what came there alone is not in it.
  expect(marks).toEqual({ waiting: 1, dropped: 0 });
  await world.github.closePull(2);
  await applyAt(world, kept, [other("New.")]);
  expect(marksThere(world)).toEqual([1, 1, 1]);
  expect(await listWaiting(repository)).toEqual([]);
  await onRunner(world, [other("More.")]);
  expect(marksThere(world)).toEqual([1, 1, 1]);
});

it("closed while the clone that has its branch goes on: each once", SLOW, async () => {
  await using world = await withStrategy();
  const kept = await clone(world);
  await onRunner(world, [tag(1)]);
  await applyAt(world, kept, [other("Turned down."), tag(-1)]);
  await world.github.closePull(2);
  await applyAt(world, kept, [other("New."), tag(0)]);
  expect(marksThere(world)).toEqual([1, 1, 1]);
  await world.github.mergePull(3, "squash");
  await applyAt(world, kept, [other("Last.")]);
  expect(marksThere(world)).toEqual([1, 1, 1]);
});

it("reopened: they are in it, and come nowhere else", SLOW, async () => {
  await using world = await withStrategy();
  await closedOne(world);
  await world.github.call("PATCH", `/repos/${FULL_NAME}/pulls/2`, { state: "open" });
  await onRunner(world, [other("New.")]);
  expect(marksThere(world)).toEqual([1, 1, 1]);
});

it.each([
  ["with marks that had waited there", 1],
  ["exactly as it was rejected", 0],
])(
  "rejected in a clone, and still open on GitHub, %s: each is there once",
  SLOW,
  async (_, waited) => {
    await using world = await withStrategy();
    const kept = await clone(world);
    if (waited > 0) await onRunner(world, [tag(1)]);
    await applyAt(world, kept, [other("Turned down."), tag(-1)]);
    expect(marksThere(world)).toEqual([waited, 1, 0]);
    const repository = await openRepository(kept);
    const config = { ...DEFAULTS, base: "main" };
    await reject({ repository, config }, "skillbook", null);
    await applyAt(world, kept, [other("New."), tag(0)]);
    expect(marksThere(world)).toEqual([waited, 1, 1]);
  },
);
