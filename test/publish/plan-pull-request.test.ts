/** Every state, decided without a remote. */
import { describe, expect, test } from "vitest";
import type { PullRequest } from "../../src/publish/github-answers.ts";
import type { ProposalBranch } from "../../src/publish/open-proposals.ts";
import { type PullRequestSituation, planPullRequest } from "../../src/publish/plan-pull-request.ts";

const id = (digit: string) => digit.repeat(40);
const [base, tip, proposed, older] = [id("a"), id("b"), id("c"), id("d")];
const person = { name: "Kim Example", email: "kim@example.com", date: null };
const theirs = {
  id: id("e"),
  tree: id("f"),
  parents: [],
  author: person,
  committer: person,
  message: "x",
};
const ref = "refs/heads/auto-skill/release-flow";

const branch = (over: Partial<ProposalBranch> = {}): ProposalBranch => ({
  skill: "release-flow",
  ref,
  tip,
  tree: id("1"),
  folderTree: older,
  forkPoint: base,
  commits: [],
  foreign: null,
  isMerged: false,
  ...over,
});
const pull = (over: Partial<PullRequest> = {}): PullRequest => ({
  number: 7,
  nodeId: "PR_7",
  url: "https://github.com/acme/parcels/pull/7",
  state: "open",
  isDraft: false,
  title: "skill: add release-flow",
  body: "",
  author: "skillpr[bot]",
  head: { branch: "auto-skill/release-flow", sha: tip, repositoryId: 1 },
  baseBranch: "main",
  ...{ labels: [], assignees: [], reviewers: [], teams: [], milestone: null },
  ...over,
});
const plan = (over: Partial<PullRequestSituation> = {}) =>
  planPullRequest({
    skill: "release-flow",
    ref,
    folderTree: proposed,
    startFolder: null,
    base: { branch: "main", commit: base, folderTree: null },
    branch: null,
    strayPath: null,
    isMadeAgain: false,
    signsCommits: false,
    isOnBranch: false,
    nameConflict: null,
    pullRequests: [],
    declinedIn: null,
    openCount: 0,
    maxOpen: 5,
    stopLabel: "stop",
    ...over,
  });
const fromBase = (expectedTip: string | null) => ({
  operation: "publish",
  push: { parent: base, expectedTip },
  pullRequest: null,
});

describe("nothing is open", () => {
  test("no branch: create it, expecting none", () => expect(plan()).toEqual(fromBase(null)));

  test("the base has exactly this: unchanged, with the one that brought it", () => {
    const merged = pull({ state: "merged" });
    const seen = { base: { branch: "main", commit: base, folderTree: proposed } };
    expect(plan(seen)).toEqual({ operation: "unchanged", pullRequest: null });
    expect(plan({ ...seen, pullRequests: [merged] })).toMatchObject({ pullRequest: { number: 7 } });
  });

  test("our branch without a pull request: one is opened, and pushed only what is missing", () => {
    expect(plan({ branch: branch({ folderTree: proposed }) })).toEqual({
      operation: "publish",
      push: null,
      pullRequest: null,
    });
    expect(plan({ branch: branch() })).toMatchObject({ push: { parent: tip, expectedTip: tip } });
  });

  test("merged: from the new base", () => {
    expect(plan({ branch: branch({ isMerged: true }) })).toEqual(fromBase(tip));
    const squashed = {
      branch: branch({ foreign: theirs }),
      pullRequests: [pull({ state: "merged" })],
    };
    expect(plan(squashed)).toEqual(fromBase(tip));
  });

  test("closed with another content: from the new base; with this one: declined", () => {
    const closed = pull({ state: "closed" });
    const seen = { branch: branch(), pullRequests: [closed] };
    expect(plan(seen)).toEqual(fromBase(tip));
    expect(plan({ ...seen, declinedIn: closed })).toMatchObject({
      operation: "blocked",
      why: "declined",
    });
  });

  test("as many as may be open are: it waits", () => {
    expect(plan({ openCount: 5 })).toMatchObject({ operation: "blocked", why: "waiting" });
    expect(plan({ openCount: 4 })).toMatchObject({ operation: "publish" });
    expect(plan({ maxOpen: 0 })).toMatchObject({ why: "waiting" });
  });
});

describe("a pull request is open", () => {
  const open = { branch: branch(), pullRequests: [pull()] };

  test("an older version: a commit on top of what was seen", () => {
    expect(plan(open)).toMatchObject({
      push: { parent: tip, expectedTip: tip },
      pullRequest: { number: 7 },
    });
  });

  test("this version: nothing to push; its text is looked at", () => {
    expect(plan({ ...open, branch: branch({ folderTree: proposed }) })).toMatchObject({
      operation: "publish",
      push: null,
      pullRequest: { number: 7 },
    });
  });

  test("somebody else's commit: blocked; unless there is nothing to add", () => {
    const edited = { ...open, branch: branch({ foreign: theirs }) };
    expect(plan(edited)).toMatchObject({ why: "edited", pullRequest: { number: 7 } });
    expect(plan({ ...edited, isOnBranch: true })).toMatchObject({ operation: "unchanged" });
  });

  test("it is not counted against itself, and an older one that was closed says nothing", () => {
    const pullRequests = [pull(), pull({ number: 3, state: "closed" })];
    const [, closed] = pullRequests;
    const seen = { ...open, pullRequests, declinedIn: closed ?? null, openCount: 9 };
    expect(plan(seen)).toMatchObject({ operation: "publish", pullRequest: { number: 7 } });
  });

  test("the stop label, in any case: hands off", () => {
    const pullRequests = [pull({ labels: ["bug", "Stop"] })];
    expect(plan({ ...open, pullRequests })).toMatchObject({ why: "stopped" });
  });

  test("the skill changed on the base: blocked", () => {
    const moved = { branch: "main", commit: base, folderTree: id("9") };
    expect(plan({ ...open, base: moved })).toMatchObject({ why: "base-changed" });
    expect(plan({ base: moved })).toMatchObject({ why: "base-changed", pullRequest: null });
    expect(plan({ base: moved, startFolder: id("9") })).toMatchObject({ operation: "publish" });
  });
});

test("our branch changes more than the skill: blocked, unless it starts anew", () => {
  const strange = { branch: branch(), strayPath: "package.json" };
  const open = pull();
  expect(plan({ ...strange, pullRequests: [open] })).toMatchObject({
    operation: "blocked",
    why: "stale",
    reason: "auto-skill/release-flow on the remote changes package.json too, which nobody verified",
  });
  const closed = pull({ state: "closed" });
  expect(plan({ ...strange, pullRequests: [closed] })).toEqual(fromBase(tip));
});

test("a ref that excludes ours is named", () => {
  const nameConflict = "refs/heads/auto-skill";
  expect(plan({ nameConflict })).toMatchObject({
    why: "in-the-way",
    reason: expect.stringContaining("beside auto-skill"),
  });
});
