/** GitHub Enterprise Server: its API is below `/api/v3` of the server that also has the repositories. In a container job. */
import { chownSync, cpSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { actionProject, stepIn } from "../support/action-project.ts";
import { NODES, runStep } from "../support/built-action.ts";
import { DEMO_SESSION } from "../support/built-cli.ts";
import { FULL_NAME, startGithub, TOKEN } from "../support/github-server.ts";

const SKILL = "npm-test-fails-src-labels";
const NODE = NODES.at(-1)?.[1] ?? process.execPath;
const IS_ROOT = process.getuid?.() === 0;

/** As the runner's user has it, who isn't the container's. */
function handToAnotherUser(dir: string): void {
  for (const name of [".", ...readdirSync(dir, { recursive: true, encoding: "utf8" })]) {
    const path = join(dir, name);
    if (!lstatSync(path).isSymbolicLink()) chownSync(path, 12345, 12345);
  }
}

test("plan, review and publish speak to the server that the runner names", {
  timeout: 300_000,
}, async () => {
  await using repository = await actionProject();
  await using github = await startGithub(join(repository.home, "remotes"));
  const bare = github.git.bare(FULL_NAME);
  const server = github.git.url;
  await repository.git("push", "--quiet", bare, "main");
  const clone = async (name: string) => {
    const dir = join(repository.home, name);
    await repository.gitIn(repository.home, "clone", "--quiet", `file://${bare}`, dir);
    await repository.gitIn(dir, "remote", "set-url", "origin", `${server}/${FULL_NAME}`);
    return dir;
  };
  const step = (workspace: string, given: Record<string, string>) =>
    runStep({
      ...stepIn(repository, workspace),
      node: NODE,
      env: {
        GITHUB_SERVER_URL: server,
        GITHUB_API_URL: `${server}/api/v3`,
        GITHUB_GRAPHQL_URL: `${server}/api/graphql`,
        GITHUB_REPOSITORY: FULL_NAME,
      },
      event: "schedule",
      payload: { repository: { full_name: FULL_NAME, default_branch: "main" } },
      with: given,
    });
  // Whatever is asked for beside that prefix isn't there.
  const served = github.git.fallback;
  const elsewhere: string[] = [];
  github.git.fallback = (request, response) => {
    if (/^\/api\/(?:v3\/|graphql$)/.test(request.url ?? "")) return served?.(request, response);
    elsewhere.push(request.url ?? "");
    response.statusCode = 404;
    response.end();
  };

  const context = join(repository.home, "context.json");
  const planned = await step(await clone("planning"), {
    ...{ command: "plan", transcripts: DEMO_SESSION, context, "github-token": TOKEN },
  });
  expect(planned).toMatchObject({ code: 0, outputs: { jobs: "1", waiting: "0" } });
  const reviewing = await clone("reviewing");
  const review = { command: "review", transcripts: DEMO_SESSION, context, reviewer: "offline" };
  const reviewed = await step(reviewing, review);
  expect(reviewed).toMatchObject({ code: 0, outputs: { outcome: "proposed" } });

  const publishing = await clone("publishing");
  const handed = "skillpr-proposals";
  cpSync(join(reviewing, handed), join(publishing, handed), { recursive: true });
  if (IS_ROOT) {
    handToAnotherUser(publishing);
    await expect(repository.gitIn(publishing, "status")).rejects.toThrow("dubious ownership");
  }
  const published = await step(publishing, { command: "publish", "github-token": TOKEN });
  expect(published.log).toContain(`${SKILL}: created, `);
  expect(published).toMatchObject({ code: 0, outputs: { outcome: "proposed" } });
  const [pull] = await github.pulls("open");
  expect(pull?.head.ref).toBe(`auto-skill/${SKILL}`);
  const writes = github.writes().map(({ path }) => path);
  expect(writes).toContain(`/repos/${FULL_NAME}/statuses/${pull?.head.sha}`);
  expect(elsewhere).toEqual([]);
});
