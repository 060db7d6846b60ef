/** The events that start a workflow, in the fields of GitHub's payloads that matter here. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAsked, readEvent } from "../../src/action/event.ts";
import { ACTION_COMMANDS } from "../../src/action/inputs.ts";
import { whyNotHere } from "../../src/action/safe-subset.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "skillpr-event-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function event(name: string, payload: unknown) {
  const path = join(dir, "event.json");
  writeFileSync(path, typeof payload === "string" ? payload : JSON.stringify(payload));
  return readEvent({
    GITHUB_EVENT_PATH: path,
    GITHUB_EVENT_NAME: name,
    GITHUB_REPOSITORY: "acme/parcels",
  });
}

const repository = { full_name: "acme/parcels", default_branch: "main", private: true };
const pull = (from: string | null) => ({
  number: 7,
  head: { ref: "fix", sha: "b".repeat(40), repo: from === null ? null : { full_name: from } },
  base: { ref: "release", sha: "a".repeat(40), repo: repository },
});

test.each([
  ["push", { repository, ref: "refs/heads/main" }],
  ["workflow_dispatch", { repository, ref: "refs/heads/main", inputs: null }],
  ["schedule", { repository, schedule: "0 3 * * *" }],
  [
    "workflow_run",
    { repository, workflow_run: { event: "push", head_repository: { full_name: "Acme/Parcels" } } },
  ],
  [
    "issue_comment",
    {
      repository,
      issue: { number: 7, pull_request: {} },
      comment: { author_association: "MEMBER" },
    },
  ],
])("%s is for the default branch", async (name, payload) => {
  const seen = await event(name, payload);
  expect(seen).toMatchObject({ name, repository: "acme/parcels", baseBranch: "main" });
  expect(ACTION_COMMANDS.map((command) => whyNotHere(command, seen))).toEqual(
    ACTION_COMMANDS.map(() => null),
  );
});

test.each(["pull_request", "pull_request_review"])("%s is for its base", async (name) => {
  const seen = await event(name, {
    repository,
    pull_request: pull("acme/parcels"),
    ...(name === "pull_request_review" && { review: { author_association: "OWNER" } }),
  });
  expect(seen).toMatchObject({
    baseBranch: "release",
    pullRequest: { number: 7, baseCommit: "a".repeat(40), headCommit: "b".repeat(40) },
    stranger: null,
  });
});

test("an event about one pull request asks for that one", async () => {
  const proposals = [
    { number: 7, waiting: ["words"] },
    { number: 8, waiting: ["words"] },
    { number: 9, waiting: [] },
  ];
  const asked = async (name: string, payload: unknown) => {
    const seen = await event(name, payload);
    return proposals.filter((one) => isAsked(one, seen)).map(({ number }) => number);
  };
  expect(await asked("schedule", { repository })).toEqual([7, 8]);
  const comment = { author_association: "OWNER" };
  expect(await asked("issue_comment", { repository, issue: { number: 8 }, comment })).toEqual([8]);
  const reviewed = { repository, pull_request: pull("acme/parcels"), review: comment };
  expect(await asked("pull_request_review", reviewed)).toEqual([7]);
  expect(await asked("issue_comment", { repository, issue: { number: 9 }, comment })).toEqual([]);
});

test("what is new on the base branch begins where the event says", async () => {
  const [before, zeros] = ["c".repeat(40), "0".repeat(40)];
  const newFrom = async (name: string, payload: object) =>
    (await event(name, { repository, ...payload })).newFrom;
  expect(await newFrom("push", { ref: "refs/heads/main", before })).toBe(before);
  expect(await newFrom("push", { ref: "refs/heads/main", before: zeros })).toBeNull();
  expect(await newFrom("push", { ref: "refs/heads/fix", before })).toBeNull();
  expect(await newFrom("push", { ref: "refs/tags/v1", before: zeros })).toBeNull();
  expect(await newFrom("merge_group", { merge_group: { base_sha: before } })).toBe(before);
  expect(await newFrom("workflow_dispatch", { ref: "refs/heads/main" })).toBeNull();
});

test("a schedule whose payload says nothing is told by the environment", async () => {
  const seen = await event("schedule", { schedule: "0 3 * * *" });
  expect(seen).toMatchObject({ repository: "acme/parcels", baseBranch: null, stranger: null });
});

test.each([
  ["pull_request", { repository, pull_request: pull("stranger/parcels") }, "comes from a fork"],
  ["pull_request", { repository, pull_request: pull(null) }, "comes from a fork"],
  [
    "pull_request_target",
    { repository, pull_request: pull("acme/parcels") },
    "pull_request_target brings the repository's secrets",
  ],
  [
    "workflow_run",
    { repository, workflow_run: { event: "push", head_repository: { full_name: "x/parcels" } } },
    "was started from a fork",
  ],
  [
    "workflow_run",
    {
      repository,
      workflow_run: {
        event: "pull_request_target",
        head_repository: { full_name: "acme/parcels" },
      },
    },
    "was started by pull_request_target",
  ],
  [
    "issue_comment",
    { repository, issue: { number: 7 }, comment: { author_association: "CONTRIBUTOR" } },
    "neither owner, member nor collaborator",
  ],
  [
    "pull_request_review",
    { repository, pull_request: pull("acme/parcels"), review: { author_association: "NONE" } },
    "neither owner, member nor collaborator",
  ],
])("what strangers bring by %s is checked and nothing else", async (name, payload, why) => {
  const seen = await event(name, payload);
  expect(seen.stranger).toContain(why);
  const refusals = ACTION_COMMANDS.filter((command) => whyNotHere(command, seen) !== null);
  expect(refusals).toEqual(ACTION_COMMANDS.filter((command) => command !== "verify"));
  expect(whyNotHere("review", seen)).toMatch(/^`review` does nothing here: .*only `verify` runs/);
});

test("a file that describes no event is named", async () => {
  await expect(event("push", "{")).rejects.toThrow("GITHUB_EVENT_PATH is not JSON");
  await expect(event("push", { repository: 1 })).rejects.toThrow("repository");
  await expect(readEvent({ GITHUB_EVENT_PATH: join(dir, "no") })).rejects.toThrow("can't be read");
});
