/** One test per state of a proposal's branch and pull request, on a real remote and a GitHub over HTTP. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_RULE_LEVELS } from "../../src/core/rule-levels.ts";
import { openRepository, stateDir } from "../../src/git/repository.ts";
import { reject } from "../../src/proposals.ts";
import { listDeclined } from "../../src/publish/declined.ts";
import { listPullRequestNotes } from "../../src/publish/pull-request-notes.ts";
import { FULL_NAME, identity } from "../support/github-server.ts";
import { BRANCH, pullRequestWorld, skillText, type World } from "../support/pull-request-world.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

describe("the first time", () => {
  test("no branch: it is created with the verified commit, and a pull request is opened (22)", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    const before = await world.local.snapshot();
    const { result, requests } = await world.count(() => world.publish(proposal));
    expect(result.error).toBeUndefined();
    expect(result.proposals[0]).toMatchObject({
      operation: "created",
      pullRequest: { number: 1, operation: "created", url: expect.stringContaining("/pull/1") },
    });
    expect(requests).toBeLessThanOrEqual(8);
    const local = await world.local.git("rev-parse", BRANCH);
    expect(world.at()).toBe(local);
    const [pull] = await world.github.pulls("open");
    expect(pull).toMatchObject({ title: "skill: add release-flow", draft: false });
    expect(await world.local.snapshot()).toEqual(before);
  });

  test("our branch, same tree: unchanged, without a single write (22)", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    await world.publish(proposal);
    const tip = world.at();
    const { result, requests, writes } = await world.count(() => world.open(proposal));
    expect(result).toMatchObject({ number: 1, operation: "unchanged" });
    expect(writes).toBe(0);
    expect(requests).toBeLessThanOrEqual(4);
    expect(world.at()).toBe(tip);
  });
});

const SKILL_PATH = ".qwen/skills/release-flow/SKILL.md";

describe("an open pull request", () => {
  test("our branch, older tree: a commit on top, never a force push, the same pull request", async () => {
    await using world = await pullRequestWorld();
    await world.publish(await world.propose());
    const first = world.at();
    const next = await world.propose({ text: "1. Run `npm test` twice." });
    expect(await world.open(next)).toMatchObject({ number: 1, operation: "updated" });
    const tip = world.at() ?? "";
    expect(world.github.git.git(FULL_NAME, ["rev-parse", `${tip}^`])).toBe(first);
    const pulls = await world.github.pulls();
    expect(pulls).toHaveLength(1);
    expect(pulls[0]?.body).toContain("npm test` twice");
  });

  test("a commit of somebody else's: blocked, nothing overwritten, one comment however often it runs (3, 10)", async () => {
    await using world = await pullRequestWorld();
    await world.publish(await world.propose());
    const theirs = world.commitAs(BRANCH, SKILL_PATH, skillText("release-flow", "Mine now."));
    const next = await world.propose({ text: "Something else." });
    for (let n = 0; n < 2; n++) {
      const result = await world.open(next);
      expect(result).toMatchObject({ number: 1, operation: "blocked" });
      expect(result?.reason).toContain("Kim Example");
      expect(result?.hint).toContain("hand it back");
    }
    expect(world.at()).toBe(theirs);
    const comments = await world.github.comments(1);
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toContain("hand the branch back");
    // Handed back: their commit is taken off.
    world.github.git.git(FULL_NAME, ["update-ref", BRANCH, `${theirs}^`]);
    expect(await world.open(next)).toMatchObject({ number: 1, operation: "updated" });
  });

  test("a commit of somebody else's: one comment, behind a long conversation too (10)", async () => {
    await using world = await pullRequestWorld();
    await world.publish(await world.propose());
    world.commitAs(BRANCH, SKILL_PATH, skillText("release-flow", "Mine now."));
    for (let n = 0; n < 100; n++) await world.github.say(1, { body: `Remark ${n}.` });
    const next = await world.propose({ text: "Something else." });
    const { writes } = await world.count(async () => {
      for (let n = 0; n < 2; n++) await world.open(next);
    });
    expect(writes).toBe(1);
  });

  test("a commit of somebody else's, and nothing to add to it: nothing is done or said", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    await world.publish(proposal);
    world.commitAs(BRANCH, SKILL_PATH, skillText("release-flow", "Better said."));
    const { result, writes } = await world.count(() => world.open(proposal));
    expect(result).toMatchObject({ number: 1, operation: "unchanged" });
    expect(writes).toBe(0);
  });

  test('the merge that "Update branch" makes is nobody\'s work', async () => {
    await using world = await pullRequestWorld();
    await world.publish(await world.propose());
    const { git } = world.github;
    world.commitAs("refs/heads/main", "other.md", "x\n");
    const tree = git.git(FULL_NAME, ["merge-tree", "--write-tree", BRANCH, "main"]);
    const env = identity("GitHub", "noreply@github.com");
    const parents = ["-p", BRANCH, "-p", "main"];
    const merge = git.git(FULL_NAME, ["commit-tree", tree, ...parents, "-m", "Merge main"], {
      env,
    });
    git.git(FULL_NAME, ["update-ref", BRANCH, merge]);
    const next = await world.propose({ text: "More." });
    expect(await world.open(next)).toMatchObject({ number: 1, operation: "updated" });
    expect(git.git(FULL_NAME, ["rev-parse", `${world.at()}^`])).toBe(merge);
  });

  test("the stop label: hands off (10)", async () => {
    await using world = await pullRequestWorld();
    await world.publish(await world.propose());
    await world.github.call("POST", `/repos/${FULL_NAME}/issues/1/labels`, { labels: ["Stop"] });
    const tip = world.at();
    const next = await world.propose({ text: "More." });
    const { result, writes } = await world.count(() => world.open(next));
    expect(result).toMatchObject({ number: 1, operation: "blocked" });
    expect(result?.reason).toContain('"stop"');
    expect(writes).toBe(0);
    expect(world.at()).toBe(tip);
  });

  test("what a person wrote outside the markers, and a title of theirs, survive an update", async () => {
    await using world = await pullRequestWorld();
    await world.publish(await world.propose());
    const [pull] = await world.github.pulls();
    const body = `Please look at step 1.\r\n\r\n${pull?.body}\r\n\r\ncc the docs people`;
    const path = `/repos/${FULL_NAME}/pulls/1`;
    await world.github.call("PATCH", path, { body, title: "Our release flow" });
    await world.open(await world.propose({ text: "More." }));
    const [now] = await world.github.pulls();
    expect(now?.title).toBe("Our release flow");
    expect(now?.body).toContain("Please look at step 1.");
    expect(now?.body).toContain("cc the docs people");
    expect(now?.body).toContain("More.");
  });
});

describe("closed and merged", () => {
  test("what was declined is remembered in the words of those who may decide, the last first", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    await world.publish(proposal);
    await world.github.say(1, {
      path: ".qwen/skills/release-flow/SKILL.md",
      body: "We tag by hand.",
    });
    await world.github.say(1, { body: "I'd take it.", association: "CONTRIBUTOR" });
    await world.github.say(1, { event: "REQUEST_CHANGES", body: "Not how we release." });
    await world.github.closePull(1);
    await world.publish(proposal);
    const [declined] = await listDeclined(stateDir(await openRepository(world.local.dir)));
    expect(declined).toMatchObject({
      skill: "release-flow",
      reason: "Not how we release. — before that: We tag by hand.",
    });
  });

  test("a review in another clone learns what was closed there, once, and takes its branch away", async () => {
    await using world = await pullRequestWorld();
    await world.publish(await world.propose());
    const other = join(world.local.home, "other");
    await world.local.gitIn(world.local.home, "clone", "--quiet", world.local.dir, other);
    await world.local.gitIn(other, "fetch", "--quiet", "origin", `${BRANCH}:${BRANCH}`);
    await world.github.say(1, { body: "Not how we release." });
    await world.github.closePull(1);
    world.github.git.git(FULL_NAME, ["update-ref", "-d", BRANCH]);
    await world.fetchOpen(other);
    const known = await listDeclined(stateDir(await openRepository(other)));
    expect(known.map(({ reason }) => reason)).toEqual(["Not how we release."]);
    expect(await world.local.gitIn(other, "for-each-ref", BRANCH)).toBe("");
    const { requests } = await world.count(() => world.fetchOpen(other));
    expect(requests).toBe(2);
  });

  test("closed unmerged, same content: declined and remembered, nothing new is opened (9)", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    await world.publish(proposal);
    await world.github.closePull(1);
    world.github.git.git(FULL_NAME, ["update-ref", "-d", BRANCH]);
    const { result, writes } = await world.count(() => world.open(proposal));
    expect(result).toMatchObject({ number: 1, operation: "blocked" });
    expect(result?.reason).toContain("declined in #1");
    expect(writes).toBe(0);
    expect(world.at()).toBeNull();
    // From now on it is known here; whether somebody reopened it is looked at.
    const { result: again, ...counted } = await world.count(() => world.publish(proposal));
    expect(again.proposals[0]?.reason).toContain("declined");
    expect(counted).toEqual({ requests: 2, writes: 0 });
  });

  test("closed unmerged, another content: a new start from the base, a new pull request", async () => {
    await using world = await pullRequestWorld();
    await world.publish(await world.propose());
    await world.github.closePull(1);
    await world.local.git("update-ref", "-d", BRANCH);
    const other = await world.propose({ text: "Quite another lesson." });
    expect(await world.open(other)).toMatchObject({ number: 2, operation: "created" });
    const base = world.at("refs/heads/main");
    expect(world.github.git.git(FULL_NAME, ["rev-parse", `${world.at()}^`])).toBe(base);
  });

  test("reopened: it is open again", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    await world.publish(proposal);
    await world.github.closePull(1);
    await world.github.call("PATCH", `/repos/${FULL_NAME}/pulls/1`, { state: "open" });
    expect(await world.open(proposal)).toMatchObject({ number: 1, operation: "unchanged" });
  });

  test("reopened after it was remembered as declined: it is open again, and so says a review's first look (9)", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    const state = async () => listDeclined(stateDir(await openRepository(world.local.dir)));
    await world.publish(proposal);
    await world.github.closePull(1);
    expect(await world.open(proposal)).toMatchObject({ operation: "blocked" });
    expect(await state()).toMatchObject([{ pullRequest: 1 }]);
    const path = `/repos/${FULL_NAME}/pulls/1`;
    await world.github.call("PATCH", path, { state: "open" });
    expect(await world.open(proposal)).toMatchObject({ number: 1, operation: "unchanged" });
    expect(await state()).toEqual([]);
    await world.github.closePull(1);
    await world.fetchOpen(world.local.dir);
    expect(await state()).toHaveLength(1);
    await world.github.call("PATCH", path, { state: "open" });
    await world.fetchOpen(world.local.dir);
    expect(await state()).toEqual([]);
    expect(await world.local.git("for-each-ref", BRANCH)).not.toBe("");
  });

  test("rejected here: that stands, whatever is open there, and nobody is asked", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    await world.publish(proposal);
    const config = { base: "main", publish: "pr", rules: DEFAULT_RULE_LEVELS } as const;
    const repository = await openRepository(world.local.dir);
    const place = { repository, config: { ...config, skillsRoot: ".qwen/skills" } };
    await reject(place, "release-flow", "not ours");
    const { result, requests } = await world.count(() => world.publish(proposal));
    expect(result.proposals[0]?.reason).toContain("not ours");
    expect(requests).toBe(0);
  });

  for (const how of ["merge", "squash"] as const) {
    test(`merged by ${how}: what comes next is a new branch from the new base`, async () => {
      await using world = await pullRequestWorld();
      const proposal = await world.propose();
      await world.publish(proposal);
      await world.github.mergePull(1, how);
      expect(await world.open(proposal)).toMatchObject({ number: 1, operation: "unchanged" });
      const bare = world.github.git.bare(FULL_NAME);
      await world.local.git("fetch", "--quiet", bare, "main");
      await world.local.git("merge", "--quiet", "--ff-only", "FETCH_HEAD");
      await world.local.git("update-ref", "-d", BRANCH);
      const next = await world.propose({ text: "The next lesson." });
      expect(await world.open(next)).toMatchObject({ number: 2, operation: "created" });
      const base = world.at("refs/heads/main");
      expect(world.github.git.git(FULL_NAME, ["rev-parse", `${world.at()}^`])).toBe(base);
      const [pull] = await world.github.pulls("open");
      expect(pull?.title).toBe("skill: update release-flow");
    });
  }
});

describe("the base", () => {
  test("moved elsewhere: the commit is on the base as it is now (12, 19)", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    world.commitAs("refs/heads/main", ".github/workflows/ci.yml", "on: push\n");
    expect(await world.open(proposal)).toMatchObject({ number: 1, operation: "created" });
    const base = world.at("refs/heads/main");
    expect(world.github.git.git(FULL_NAME, ["rev-parse", `${world.at()}^`])).toBe(base);
    // The next one goes on from there, although the local branch is on the older base.
    const next = await world.propose({ text: "More." });
    expect(await world.open(next)).toMatchObject({ number: 1, operation: "updated" });
  });

  test("moved with the skill's folder: blocked, and the proposal is kept (27)", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    world.commitAs("refs/heads/main", SKILL_PATH, skillText("release-flow", "By hand."));
    const result = await world.open(proposal);
    expect(result).toMatchObject({ number: null, operation: "blocked" });
    expect(result?.reason).toContain("has changed on main");
    expect(world.at()).toBeNull();
    expect(await world.local.git("rev-parse", BRANCH)).toMatch(/^[0-9a-f]{40}$/);
  });

  test("commits that only this clone has don't come along (19)", async () => {
    await using world = await pullRequestWorld();
    await world.local.git("commit", "--quiet", "--allow-empty", "-m", "to be forgotten");
    const proposal = await world.propose();
    expect(await world.open(proposal)).toMatchObject({ number: 1, operation: "created" });
    const count = ["rev-list", "--count", `main..${world.at()}`];
    expect(world.github.git.git(FULL_NAME, count)).toBe("1");
  });

  test("isn't on the remote: said so", async () => {
    await using world = await pullRequestWorld();
    const outcome = await world.publish(await world.propose(), { baseBranch: "release" });
    expect(outcome.error).toMatchObject({ code: "input" });
    expect(outcome.error?.message).toContain("release is not in acme/parcels");
  });
});

describe("names", () => {
  for (const other of ["refs/heads/auto-skill", `${BRANCH}/draft`]) {
    test(`${other} is in the way: blocked, and it is named (20)`, async () => {
      await using world = await pullRequestWorld();
      const { git } = world.github;
      git.git(FULL_NAME, ["update-ref", other, "main"]);
      const result = await world.open(await world.propose());
      expect(result).toMatchObject({ operation: "blocked" });
      expect(result?.reason).toContain(other.replace("refs/heads/", ""));
      expect(await world.github.pulls()).toEqual([]);
    });
  }

  test("a renamed repository, and another letter case, are found (17)", async () => {
    await using world = await pullRequestWorld();
    world.github.renamed.set("acme/old-parcels", FULL_NAME);
    const proposal = await world.propose();
    expect(await world.open(proposal, { name: "acme/old-parcels" })).toMatchObject({ number: 1 });
    const { result, writes } = await world.count(() =>
      world.open(proposal, { name: "Acme/Parcels" }),
    );
    expect(result).toMatchObject({ number: 1, operation: "unchanged" });
    expect(writes).toBe(0);
  });

  test("a base branch whose name a shell would run is a name and no more (34)", async () => {
    await using world = await pullRequestWorld();
    const baseBranch = "rel;$(id)&x";
    world.github.git.git(FULL_NAME, ["update-ref", `refs/heads/${baseBranch}`, "main"]);
    const proposal = await world.propose();
    expect(await world.open(proposal, { baseBranch })).toMatchObject({ operation: "created" });
    const [pull] = await world.github.pulls();
    expect(pull?.base.ref).toBe(baseBranch);
    expect(pull?.body).toContain(`merged into \`${baseBranch}\``);
  });

  test("a GitHub Enterprise Server: everything below its own address (29)", async () => {
    await using world = await pullRequestWorld();
    const apiUrl = `${world.github.git.url}/api/v3`;
    const config = { signCommits: true };
    const proposal = await world.propose();
    expect(await world.open(proposal, { apiUrl, config })).toMatchObject({ number: 1 });
  });
});

describe("how many", () => {
  test("more than max-open: it waits here, and the next run opens it when there is room", async () => {
    await using world = await pullRequestWorld();
    const config = { maxOpen: 2 };
    const skills = ["one-skill", "two-skill", "three-skill"];
    const outcomes = [];
    for (const skill of skills)
      outcomes.push(
        await world.open(await world.propose({ skill, text: `About ${skill}.` }), { config }),
      );
    expect(outcomes.map((one) => one?.operation)).toEqual(["created", "created", "blocked"]);
    expect(outcomes[2]?.reason).toContain("at most 2");
    expect(await listPullRequestNotes(await stateOf(world))).toEqual(
      expect.arrayContaining([expect.objectContaining({ skill: "three-skill", state: "waiting" })]),
    );
    await world.github.closePull(1);
    const two = await world.propose({ skill: "two-skill", text: "About two-skill, again." });
    const outcome = await world.publish(two, { config });
    expect(
      outcome.proposals.map(({ skill, pullRequest }) => [skill, pullRequest?.operation]),
    ).toEqual([
      ["two-skill", "updated"],
      ["three-skill", "created"],
    ]);
  });

  test("two runs at once: one pull request (25)", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    await using other = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
    expect(await other.git("rev-parse", "HEAD")).toBe(await world.local.git("rev-parse", "HEAD"));
    const second = { ...proposal, files: [{ path: "SKILL.md", content: skillText() }] };
    const results = await Promise.all([
      world.open(proposal),
      world.open(second, { dir: other.dir }),
    ]);
    expect(results.map((one) => one?.number)).toEqual([1, 1]);
    expect(results.map((one) => one?.operation)).toContain("created");
    expect(await world.github.pulls()).toHaveLength(1);
  });
});

async function stateOf(world: World): Promise<string> {
  return stateDir(await openRepository(world.local.dir));
}
