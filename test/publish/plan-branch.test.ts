import { describe, expect, test } from "vitest";
import type { ProposalBranch } from "../../src/publish/open-proposals.ts";
import { type BranchSituation, planBranch } from "../../src/publish/plan-branch.ts";
import { sampleProposal } from "../proposal/sample-proposal.ts";

const proposal = sampleProposal();
const tip = "1".repeat(40);
const person = { name: "Kim Example", email: "kim@example.com", date: null };
const theirs = {
  id: "2".repeat(40),
  tree: "3".repeat(40),
  parents: [],
  author: person,
  committer: person,
  message: "x",
};

const branch = (over: Partial<ProposalBranch> = {}): ProposalBranch => ({
  skill: "release-flow",
  ref: "refs/heads/auto-skill/release-flow",
  tip,
  tree: "4".repeat(40),
  folderTree: "5".repeat(40),
  forkPoint: proposal.base.commit,
  commits: [],
  foreign: null,
  isMerged: false,
  ...over,
});
const plan = (over: Partial<BranchSituation> = {}) =>
  planBranch({
    proposal,
    branch: null,
    checkedOutAt: null,
    declined: [],
    contentKey: "key",
    baseFolderTree: null,
    isParentInBase: true,
    ...over,
  });

describe("nothing is open", () => {
  test("no branch: create it, and only if it still doesn't exist", () => {
    expect(plan()).toEqual({
      operation: "created",
      parent: proposal.base.commit,
      expectedTip: null,
    });
  });

  test("the base has exactly this: unchanged", () => {
    expect(plan({ baseFolderTree: proposal.tree })).toMatchObject({ operation: "unchanged" });
  });

  test("an old merged branch starts again from the base", () => {
    expect(plan({ branch: branch({ isMerged: true }) })).toEqual({
      operation: "created",
      parent: proposal.base.commit,
      expectedTip: tip,
    });
  });

  test("the branch that it was reviewed on is gone: stale", () => {
    expect(
      plan({ proposal: sampleProposal({ parent: tip }), isParentInBase: false }),
    ).toMatchObject({
      operation: "blocked",
      why: "stale",
    });
  });
});

describe("a proposal is open", () => {
  const onTip = sampleProposal({ parent: tip, operation: "UPDATE" });

  test("reviewed on its tip: a commit on top", () => {
    expect(plan({ proposal: onTip, branch: branch() })).toEqual({
      operation: "updated",
      parent: tip,
      expectedTip: tip,
    });
  });

  test("the same content: unchanged, also when somebody worked on it", () => {
    const same = branch({ folderTree: proposal.tree, foreign: theirs });
    expect(plan({ branch: same })).toEqual({ operation: "unchanged", commit: tip });
  });

  test("it moved since: stale", () => {
    expect(plan({ branch: branch() })).toMatchObject({ operation: "blocked", why: "stale" });
  });

  test("somebody else's commit: in the way, with their name", () => {
    const result = plan({ proposal: onTip, branch: branch({ foreign: theirs }) });
    expect(result).toMatchObject({ operation: "blocked", why: "in-the-way" });
    expect(result).toHaveProperty("reason", expect.stringContaining("Kim Example"));
  });

  test.each([false, true])("checked out somewhere (merged: %s): in the way", (isMerged) => {
    const result = plan({
      proposal: isMerged ? proposal : onTip,
      branch: branch({ isMerged }),
      checkedOutAt: "/home/kim/linked",
    });
    expect(result).toMatchObject({
      operation: "blocked",
      why: "in-the-way",
      reason: expect.stringContaining("/home/kim/linked"),
    });
  });
});

describe("the Skillbook, made again on a base that moved", () => {
  const again = { ...proposal, skill: "skillbook", continues: tip };
  const open = branch({ skill: "skillbook", ref: "refs/heads/auto-skill/skillbook" });

  test("continues its branch, with the base as the second parent", () => {
    expect(plan({ proposal: again, branch: open })).toEqual({
      operation: "updated",
      parent: proposal.base.commit,
      expectedTip: tip,
      continues: tip,
    });
  });

  test.each([
    ["the tip is another", { proposal: { ...again, continues: "9".repeat(40) } }],
    ["it is no commit of the base's", { isParentInBase: false }],
    ["it is another skill", { proposal: { ...again, skill: "release-flow" } }],
  ])("not where %s", (_, over) => {
    expect(plan({ proposal: again, branch: open, ...over })).toMatchObject({
      operation: "blocked",
      why: "stale",
    });
  });
});

test("what was declined stays declined, with the reason, by content and not by name alone", () => {
  const declined = [
    {
      skill: "release-flow",
      contentKey: "key",
      description: null,
      reason: "we do\u001b this otherwise",
      commit: tip,
      at: "2026-01-02T03:04:05Z",
    },
  ];
  expect(plan({ declined })).toMatchObject({
    operation: "blocked",
    why: "declined",
    reason: expect.stringContaining("we do\\u{1b} this"),
  });
  expect(plan({ declined, contentKey: "other" })).toMatchObject({ operation: "created" });
});
