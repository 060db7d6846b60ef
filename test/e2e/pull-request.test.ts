/** `--publish pr` with the built program, as a person and as a worker would run it. */

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEMO_SESSION, runCli } from "../support/built-cli.ts";
import { FULL_NAME, type GithubServer, startGithub, TOKEN } from "../support/github-server.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const files = { "README.md": "# parcels\n" };

async function startWorld(repository: TemporaryRepository): Promise<GithubServer> {
  const github = await startGithub(join(repository.home, "remotes"));
  await repository.git("push", "--quiet", github.git.bare(FULL_NAME), "main");
  await repository.git("remote", "add", "origin", `${github.git.url}/${FULL_NAME}.git`);
  return github;
}

describe("skillpr review --publish pr", () => {
  test("one review, one pull request; show, list and status know of it without asking", async () => {
    await using repository = await temporaryRepository({ files });
    await using github = await startWorld(repository);
    const before = await repository.snapshot();
    const env = { ...github.env };
    const result = await reviewDemoWith(repository, env, "--publish", "pr");
    expect(result.stderr).not.toContain(TOKEN);
    const outcome = result.json();
    expect([result.code, outcome.error]).toEqual([0, undefined]);
    const [proposal] = outcome.proposals;
    expect(proposal).toMatchObject({
      operation: "created",
      pullRequest: { number: 1, operation: "created" },
    });
    expect(github.requests.length).toBeLessThanOrEqual(8);
    expect(await repository.snapshot()).toEqual(before);
    const asked = github.requests.length;
    const skill = proposal?.skill ?? "";
    for (const args of [["show", skill], ["list"], ["status"]]) {
      const { stdout, code } = await runCli(repository, args, { env });
      expect([args, code]).toEqual([args, 0]);
      expect(stdout).toContain("/pull/1");
    }
    const listed = await runCli(repository, ["list", "--json"], { env });
    expect(JSON.parse(listed.stdout).proposals[0].pullRequest).toMatchObject({ number: 1 });
    expect(github.requests.length).toBe(asked);
  });
});

function reviewDemoWith(
  repository: TemporaryRepository,
  env: NodeJS.ProcessEnv,
  ...flags: string[]
) {
  const args = ["review", DEMO_SESSION, "--reviewer", "offline", "--json", ...flags];
  return runCli(repository, args, { env });
}
