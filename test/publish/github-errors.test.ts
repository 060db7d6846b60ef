/** What GitHub refuses, limits and loses, over HTTP: what is tried again, what isn't, and what is said. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepository, stateDir } from "../../src/git/repository.ts";
import { writePullRequestNote } from "../../src/publish/pull-request-notes.ts";
import { type ApiRequest, FULL_NAME, failure, TOKEN } from "../support/github-server.ts";
import { BRANCH, pullRequestWorld, type World } from "../support/pull-request-world.ts";

const isCreate = ({ method, path }: ApiRequest) => method === "POST" && path.endsWith("/pulls");

/** Answers the first requests that match, then lets them through. */
function fail(
  world: World,
  matches: (request: ApiRequest) => boolean,
  answer: ReturnType<typeof failure>,
  times = Number.POSITIVE_INFINITY,
): () => number {
  let seen = 0;
  world.github.faults.push((request) => {
    if (!matches(request)) return null;
    seen += 1;
    return seen <= times ? answer : null;
  });
  return () => seen;
}

describe("creation forbidden", () => {
  for (const status of [403, 422]) {
    test(`by the setting (${status}): a normal outcome with the page and the setting's name (2)`, async () => {
      await using world = await pullRequestWorld();
      const words = "GitHub Actions is not permitted to create or approve pull requests.";
      fail(world, isCreate, failure(status, words), 1);
      const proposal = await world.propose();
      const outcome = await world.publish(proposal);
      expect(outcome.error).toBeUndefined();
      const blocked = outcome.proposals[0]?.pullRequest;
      expect(blocked).toMatchObject({ number: null, operation: "blocked" });
      expect(blocked?.url).toBe(
        `${world.github.git.url}/${FULL_NAME}/compare/main...auto-skill/release-flow?expand=1`,
      );
      expect(blocked?.hint).toContain("Allow GitHub Actions to create and approve pull requests");
      expect(world.at()).not.toBeNull();
      // Switched on: the next run opens it, with nothing to push.
      const pushes = world.github.git.requests.length;
      expect(await world.open(proposal)).toMatchObject({ number: 1, operation: "created" });
      const later = world.github.git.requests.slice(pushes);
      expect(later.filter(({ url }) => url.includes("git-receive-pack"))).toEqual([]);
    });
  }
});

describe("tried again", () => {
  test("an outage (502), a few times", async () => {
    await using world = await pullRequestWorld();
    const seen = fail(world, isCreate, failure(502, "Bad Gateway"), 2);
    expect(await world.open(await world.propose())).toMatchObject({ operation: "created" });
    expect(seen()).toBe(3);
  });

  test("an outage that hid that it worked: one pull request (25)", async () => {
    await using world = await pullRequestWorld();
    let isHidden = false;
    world.github.faults.push((request) => {
      if (!isCreate(request) || isHidden) return null;
      isHidden = true;
      void world.github.call("POST", request.path, request.body);
      return failure(502, "Bad Gateway");
    });
    expect(await world.open(await world.propose())).toMatchObject({ number: 1 });
    expect(await world.github.pulls()).toHaveLength(1);
  });

  test("a secondary limit, after the time that it asks for (21)", async () => {
    await using world = await pullRequestWorld();
    const limit = failure(403, "You have exceeded a secondary rate limit. Please wait.");
    const seen = fail(world, isCreate, { ...limit, headers: { "retry-after": "1" } }, 1);
    const started = Date.now();
    expect(await world.open(await world.propose())).toMatchObject({ operation: "created" });
    expect(seen()).toBe(2);
    expect(Date.now() - started).toBeGreaterThanOrEqual(1000);
  });

  test("the hour's limit, when it ends soon", async () => {
    await using world = await pullRequestWorld();
    const reset = String(Math.ceil(Date.now() / 1000) + 1);
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
    const limit = { ...failure(403, "API rate limit exceeded"), headers };
    const seen = fail(world, isCreate, limit, 1);
    expect(await world.open(await world.propose())).toMatchObject({ operation: "created" });
    expect(seen()).toBe(2);
  });

  test("an object that the replicas don't know yet (23)", async () => {
    await using world = await pullRequestWorld();
    const words = "Could not resolve to a node with the global id of 'PR_kwDOExample'.";
    const isReview = ({ path }: ApiRequest) => path.endsWith("/requested_reviewers");
    const seen = fail(world, isReview, failure(422, "Validation Failed", [words]), 2);
    await world.open(await world.propose(), { config: { reviewers: ["kim"] } });
    expect(seen()).toBe(3);
    expect((await world.github.pulls())[0]?.requested_reviewers).toMatchObject([{ login: "kim" }]);
  });
});

describe("not tried again (35)", () => {
  const PERMISSION = {
    ...failure(403, "Resource not accessible by integration"),
    headers: { "x-accepted-github-permissions": "pull_requests=write" },
  };
  const cases: readonly (readonly [string, ReturnType<typeof failure>, string])[] = [
    ["a missing permission", PERMISSION, 'lacks the permission "pull-requests: write"'],
    ["a token that nobody knows", failure(401, "Bad credentials"), "does not know the token"],
    ["a repository that isn't there", failure(404, "Not Found"), "no such repository"],
    [
      "an archived repository",
      failure(403, "Repository was archived so is read-only."),
      "archived",
    ],
    [
      "a limit of an hour",
      {
        ...failure(403, "API rate limit exceeded"),
        headers: {
          "x-ratelimit-remaining": "0",
          "x-ratelimit-reset": String(Math.ceil(Date.now() / 1000) + 3600),
        },
      },
      "rate limit is used up",
    ],
    [
      "anything else",
      failure(422, "Validation Failed", [{ field: "base", code: "invalid" }]),
      "base invalid",
    ],
  ];
  for (const [name, answer, words] of cases) {
    test(`${name}: one request, one sentence, and the proposal waits here`, async () => {
      await using world = await pullRequestWorld();
      const seen = fail(world, isCreate, answer);
      const proposal = await world.propose();
      const outcome = await world.publish(proposal);
      expect(outcome.error).toMatchObject({ code: "github" });
      expect(outcome.error?.message).toContain(words);
      expect(seen()).toBe(1);
      expect(await world.local.git("rev-parse", BRANCH)).toMatch(/^[0-9a-f]{40}$/);
      world.github.faults.length = 0;
      expect(await world.open(proposal)).toMatchObject({ number: 1, operation: "created" });
    });
  }

  test("an error page that something else sends is no data (29)", async () => {
    await using world = await pullRequestWorld();
    fail(world, ({ method }) => method === "GET", { status: 200, body: { message: "hello" } });
    const outcome = await world.publish(await world.propose());
    expect(outcome.error?.message).toContain("GitHub's answer to");
    expect(outcome.error?.hint).toContain("GITHUB_API_URL");
  });
});

describe("what is done at best effort", () => {
  const dressed = { labels: ["skill"], assignees: ["kim"], milestone: 3, reviewers: ["robin"] };
  const wanted = {
    labels: [{ name: "skill" }],
    assignees: [{ login: "kim" }],
    milestone: { number: 3 },
    requested_reviewers: [{ login: "robin" }],
  };

  test("stopped between the pull request and its labels: the next run sets them, in any clone, once", async () => {
    await using world = await pullRequestWorld();
    const proposal = await world.propose();
    await world.open(proposal);
    const repository = await openRepository(world.local.dir);
    const note = { skill: "release-flow", number: 1, url: null, reason: null } as const;
    await writePullRequestNote(stateDir(repository), { ...note, state: "open", extras: "due" });
    const next = await world.count(() => world.open(proposal, { config: { labels: ["skill"] } }));
    expect(next).toMatchObject({ result: { operation: "unchanged" }, writes: 1 });
    // All of it is there but for what was added to the config since; that isn't anybody's stopped run.
    const later = await world.count(() => world.open(proposal, { config: dressed }));
    expect(later).toMatchObject({ writes: 0 });
    await using fresh = await pullRequestWorld();
    const same = await fresh.propose();
    await fresh.open(same);
    const other = join(fresh.local.home, "other");
    await fresh.local.gitIn(fresh.local.home, "clone", "--quiet", fresh.local.dir, other);
    const setting = { config: dressed, dir: other };
    const first = await fresh.count(() => fresh.open(same, setting));
    expect((await fresh.github.pulls())[0]).toMatchObject(wanted);
    expect(first.requests).toBeLessThanOrEqual(8);
    const second = await fresh.count(() => fresh.open(same, setting));
    expect(second).toMatchObject({ result: { operation: "unchanged" }, writes: 0 });
    expect(second.requests).toBeLessThanOrEqual(4);
  });

  test("what a person took away stays away (10)", async () => {
    await using world = await pullRequestWorld();
    const config = { labels: ["skill"] };
    const proposal = await world.propose();
    await world.open(proposal, { config });
    await world.github.call("DELETE", `/repos/${FULL_NAME}/issues/1/labels/skill`);
    const other = join(world.local.home, "other");
    await world.local.gitIn(world.local.home, "clone", "--quiet", world.local.dir, other);
    for (const dir of [world.local.dir, other]) {
      const { writes, requests } = await world.count(() => world.open(proposal, { config, dir }));
      expect([writes, requests <= 4]).toEqual([0, true]);
    }
  });

  test("an outage that hid that a comment was made: it isn't made twice", async () => {
    await using world = await pullRequestWorld();
    await world.publish(await world.propose());
    world.commitAs(BRANCH, "README.md", "theirs\n");
    let isHidden = false;
    world.github.faults.push((request) => {
      if (isHidden || request.method !== "POST" || !request.path.endsWith("/comments")) return null;
      isHidden = true;
      void world.github.call("POST", request.path, request.body);
      return failure(502, "Bad Gateway");
    });
    const next = await world.propose({ text: "More." });
    for (let n = 0; n < 2; n++) await world.open(next);
    expect([isHidden, (await world.github.comments(1)).length]).toEqual([true, 1]);
  });

  test("a workflow's token: that checks may wait for a person is said (1)", async () => {
    await using world = await pullRequestWorld();
    await world.open(await world.propose(), { token: `ghs_${TOKEN}` });
    expect(world.notes.join()).toContain('"Approve workflows to run"');
  });

  test("labels, assignees, a milestone and reviewers are set", async () => {
    await using world = await pullRequestWorld();
    const config = {
      labels: ["skill"],
      assignees: ["kim"],
      milestone: 3,
      reviewers: ["robin"],
    };
    const { result, requests } = await world.count(async () =>
      world.open(await world.propose(), { config }),
    );
    expect(result).toMatchObject({ operation: "created" });
    expect(requests).toBeLessThanOrEqual(8);
    expect((await world.github.pulls())[0]).toMatchObject({
      labels: [{ name: "skill" }],
      assignees: [{ login: "kim" }],
      milestone: { number: 3 },
      requested_reviewers: [{ login: "robin" }],
    });
    expect(world.notes).toEqual([]);
  });

  test("reviewers that are refused cost neither the pull request nor the exit code (11)", async () => {
    await using world = await pullRequestWorld();
    const config = { labels: ["skill"], reviewers: ["nobody-here"], teamReviewers: ["no-team"] };
    const outcome = await world.publish(await world.propose(), { config });
    expect(outcome.error).toBeUndefined();
    expect(outcome.proposals[0]?.pullRequest).toMatchObject({ number: 1, operation: "created" });
    expect(world.notes.join()).toContain("asking for a review of #1");
    expect((await world.github.pulls())[0]?.labels).toMatchObject([{ name: "skill" }]);
  });
});
