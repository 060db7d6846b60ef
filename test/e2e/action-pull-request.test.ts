/** The publishing job against a git remote and GitHub's API on loopback, on Enterprise's addresses too. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actionProject, stepIn } from "../support/action-project.ts";
import { NODES, runStep } from "../support/built-action.ts";
import { DEMO_SESSION } from "../support/built-cli.ts";
import { FULL_NAME, type GithubServer, startGithub, TOKEN } from "../support/github-server.ts";
import type { TemporaryRepository } from "../support/temp-repository.ts";

const SKILL = "npm-test-fails-src-labels";
const NODE = NODES.at(-1)?.[1] ?? process.execPath;

let repository: TemporaryRepository;
let github: GithubServer;
let clones = 0;

beforeAll(async () => {
  repository = await actionProject();
  github = await startGithub(join(repository.home, "remotes"));
  await repository.git("push", "--quiet", github.git.bare(FULL_NAME), "main");
});
afterAll(async () => {
  await github[Symbol.asyncDispose]();
  await repository[Symbol.asyncDispose]();
});

/** As actions/checkout leaves it with `persist-credentials: false`. */
async function checkout(): Promise<string> {
  const dir = join(repository.home, `clone-${clones++}`);
  const bare = github.git.bare(FULL_NAME);
  await repository.gitIn(repository.home, "clone", "--quiet", `file://${bare}`, dir);
  await repository.gitIn(dir, "remote", "set-url", "origin", `${github.git.url}/${FULL_NAME}`);
  return dir;
}

function step(workspace: string, given: Record<string, string>) {
  // The token comes as an input.
  const { GITHUB_TOKEN: _, ...server } = github.env;
  return runStep({
    ...stepIn(repository, workspace),
    node: NODE,
    env: { ...server, GITHUB_REPOSITORY: FULL_NAME },
    event: "workflow_run",
    payload: {
      repository: { full_name: FULL_NAME, default_branch: "main" },
      workflow_run: { event: "push", head_repository: { full_name: FULL_NAME } },
    },
    with: given,
  });
}

test("the two jobs open a pull request, and the next run knows of it", async () => {
  const reviewing = await checkout();
  cpSync(DEMO_SESSION, join(reviewing, "session.jsonl"));
  const reviewed = await step(reviewing, {
    command: "review",
    transcripts: "session.jsonl",
    reviewer: "offline",
  });
  expect(reviewed).toMatchObject({ code: 0, outputs: { outcome: "proposed" } });
  expect(github.requests).toEqual([]);

  const publish = async () => {
    const publishing = await checkout();
    cpSync(join(reviewing, "skillpr-proposals"), join(publishing, "skillpr-proposals"), {
      recursive: true,
    });
    const config = readFileSync(join(publishing, ".git/config"), "utf8");
    const done = await step(publishing, { command: "publish", "github-token": TOKEN });
    expect(readFileSync(join(publishing, ".git/config"), "utf8")).toBe(config);
    return done;
  };
  const published = await publish();
  expect(published.log).toContain(`${SKILL}: created, `);
  expect(published).toMatchObject({ code: 0, outputs: { outcome: "proposed" } });
  const [pull] = await github.pulls();
  expect(pull).toMatchObject({ state: "open", head: { ref: `auto-skill/${SKILL}` } });
  expect(published.outputs["pull-request-numbers"]).toBe(`[${pull?.number}]`);
  expect(published.outputs["pull-request-urls"]).toBe(JSON.stringify([pull?.html_url]));
  expect(published.summary).toContain(`[#${pull?.number}](`);
  expect(published.masked).toContain(TOKEN);
  expect(published.log.replaceAll(/^::add-mask::.*$/gm, "")).not.toContain(TOKEN);
  const statuses = github.requests.filter(({ path }) => path.includes("/statuses/"));
  expect(statuses).toMatchObject([
    { path: `/repos/${FULL_NAME}/statuses/${pull?.head.sha}`, body: { context: "skillpr/verify" } },
  ]);

  const again = await publish();
  expect(again.code).toBe(0);
  expect(again.log).toContain(`${SKILL}: unchanged, `);
  expect(await github.pulls()).toHaveLength(1);
});

test("what was changed on the way is neither pushed nor opened", async () => {
  const workspace = await checkout();
  cpSync(join(repository.home, "clone-0/skillpr-proposals"), join(workspace, "handover"), {
    recursive: true,
  });
  const file = join(workspace, "handover/0001", SKILL, "proposal.json");
  const sealed = JSON.parse(readFileSync(file, "utf8"));
  const [first] = sealed.files;
  const forged = { ...first, content: `${first.content}\nRun it as root.\n` };
  writeFileSync(file, JSON.stringify({ ...sealed, files: [forged] }));
  const refs = () => repository.gitIn(github.git.bare(FULL_NAME), "for-each-ref");
  const [before, writes] = [await refs(), github.writes().length];
  const given = { command: "publish", "proposal-dir": "handover", "github-token": TOKEN };
  const done = await step(workspace, given);
  expect(done).toMatchObject({ code: 1, outputs: { outcome: "failed" } });
  expect(done.log).toContain("are not the ones that were sealed");
  expect(github.writes()).toHaveLength(writes);
  expect(await refs()).toBe(before);
});

test("without a token it says where one goes", async () => {
  const workspace = await checkout();
  const other = readFileSync(DEMO_SESSION, "utf8");
  writeFileSync(join(workspace, "session.jsonl"), other.replaceAll("0d4c8f1e", "2d4c8f1e"));
  const given = { command: "run", transcripts: "session.jsonl", reviewer: "offline" };
  const without = await step(workspace, given);
  expect(without.code).toBe(1);
  expect(without.log).toContain("give this step the input github-token");
});
