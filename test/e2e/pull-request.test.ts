/** `--publish pr` with the built program, as a person and as a worker would run it. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JobView } from "../../src/cli/job-view.ts";
import { beside, DEMO_SESSION, runCli } from "../support/built-cli.ts";
import { githubAsOrigin } from "../support/github-origin.ts";
import {
  FULL_NAME,
  failure,
  type GithubServer,
  startGithub,
  TOKEN,
} from "../support/github-server.ts";
import { capture, userConfig } from "../support/queue.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const files = { "README.md": "# parcels\n" };

describe("skillpr review --publish pr", () => {
  test("one review, one pull request; show, list and status know of it without asking", async () => {
    await using repository = await temporaryRepository({ files });
    await using github = await githubAsOrigin(repository);
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

describe("a dry run", () => {
  test("says what would be done from what is seen there, and writes nothing", async () => {
    await using repository = await temporaryRepository({ files });
    await using github = await githubAsOrigin(repository);
    const env = { ...github.env };
    const dry = () => reviewDemoWith(repository, env, "--publish", "pr", "--dry-run", "--force");
    const first = (await dry()).json();
    const [one] = first.proposals;
    const planned = { number: null, operation: "created", isPlanned: true };
    expect(one).toMatchObject({ commit: null, operation: "created", pullRequest: planned });
    const skill = one?.skill ?? "";
    const branch = `refs/heads/auto-skill/${skill}`;
    expect(github.requests.length).toBeGreaterThan(0);
    expect(await repository.git("for-each-ref", branch)).toBe("");
    // Declined, and open again, as it is seen there: nothing of it is known here.
    await reviewDemoWith(repository, env, "--publish", "pr", "--force");
    await repository.git("update-ref", "-d", branch);
    const writes = github.writes().length;
    expect((await dry()).json().proposals[0]?.pullRequest).toMatchObject({
      number: 1,
      operation: "unchanged",
    });
    await github.closePull(1);
    expect((await dry()).json().proposals[0]?.pullRequest).toMatchObject({
      operation: "blocked",
      reason: expect.stringContaining("declined in #1"),
    });
    const words = ["review", DEMO_SESSION, "--reviewer", "offline", "--force"];
    const { stdout } = await runCli(repository, [...words, "--publish", "pr", "--dry-run"], {
      env,
    });
    expect(stdout).toMatch(/on GitHub +#1 \(blocked\)[\s\S]*nothing was written/);
    expect(github.writes()).toHaveLength(writes);
    expect(await repository.git("for-each-ref", branch)).toBe("");
    github.faults.push(() => failure(401, "Bad credentials"));
    const blind = await dry();
    expect([blind.code, blind.stderr]).toEqual([0, expect.stringContaining("not looked at")]);
    expect(blind.json().proposals[0]?.pullRequest).toBeUndefined();
  });
});

describe("who decides where it goes", () => {
  test("auto: a pull request where origin is on the server and a token is there, else the branch", async () => {
    await using repository = await temporaryRepository({ files });
    await using github = await githubAsOrigin(repository);
    const { GITHUB_TOKEN: _, ...tokenless } = github.env;
    const flags = ["--publish", "auto", "--force"];
    const without = await reviewDemoWith(repository, tokenless, ...flags);
    expect([without.code, without.json().proposals[0]?.pullRequest]).toEqual([0, undefined]);
    expect(github.requests).toEqual([]);
    const other = { ...github.env, GITHUB_SERVER_URL: "https://ghe.example.com" };
    const elsewhere = await reviewDemoWith(repository, other, ...flags);
    expect(elsewhere.code).toBe(0);
    expect(github.requests).toEqual([]);
  });

  test("pr without a token says how to give one, before anything is done", async () => {
    await using repository = await temporaryRepository({ files });
    await using github = await githubAsOrigin(repository);
    const { GITHUB_TOKEN: _, ...env } = github.env;
    const result = await reviewDemoWith(repository, env, "--publish", "pr");
    expect(result.code).toBe(1);
    expect(result.json().error?.hint).toContain("GITHUB_TOKEN");
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
  });

  test("an origin elsewhere gets no token (invariant 6), whatever .skillpr.yml says", async () => {
    await using repository = await temporaryRepository({
      files: { ...files, ".skillpr.yml": "publish: pr\n" },
    });
    await using github = await githubAsOrigin(repository);
    await using elsewhere = await startGithub(join(repository.home, "elsewhere"));
    await repository.git("remote", "set-url", "origin", `${elsewhere.git.url}/${FULL_NAME}.git`);
    const result = await reviewDemoWith(repository, { ...github.env }, "--publish", "pr");
    expect(result.code).toBe(1);
    expect(result.json().error?.message).toContain("not sent anywhere else");
    expect(elsewhere.git.requests).toEqual([]);
    expect(elsewhere.requests).toEqual([]);
  });

  test("the token is in no file that is left behind (39)", async () => {
    await using repository = await temporaryRepository({ files });
    await using github = await githubAsOrigin(repository);
    await reviewDemoWith(repository, { ...github.env }, "--publish", "pr");
    const basic = Buffer.from(`x-access-token:${TOKEN}`).toString("base64");
    for (const word of [TOKEN, basic]) {
      const found = spawnSync("grep", ["-rlF", word, repository.dir, repository.tempRoot]);
      expect(found.stdout.toString()).toBe("");
    }
  });

  test("more open proposals than max-open: the new one waits, nothing is written, and status says why", async () => {
    await using repository = await temporaryRepository({ files });
    await using github = await githubAsOrigin(repository);
    userConfig(repository, "pull-request:\n  max-open: 0\n");
    await reviewDemoWith(repository, { ...github.env }, "--publish", "pr");
    expect(github.writes()).toEqual([]);
    const { stdout } = await runCli(repository, ["status"]);
    expect(stdout).toMatch(/waits for the next run with --publish pr: .*max-open/);
  });

  test("GitHub fails after the review: told with exit code 3; the next run goes on, though the session is known", async () => {
    await using repository = await temporaryRepository({ files });
    await using github = await githubAsOrigin(repository);
    const words = failure(403, "Resource not accessible by integration");
    github.faults.push(({ method }) => (method === "POST" ? words : null));
    const first = await reviewDemoWith(repository, { ...github.env }, "--publish", "pr");
    expect(first.code).toBe(3);
    expect(first.json()).toMatchObject({ status: "proposed", error: { code: "github" } });
    const status = await runCli(repository, ["status"]);
    expect(status.stdout).toContain("waits for the next run with --publish pr");
    github.faults.length = 0;
    const env = { ...github.env };
    const second = await reviewDemoWith(repository, env, "--publish", "pr", "--force");
    expect(second.json().proposals[0]?.pullRequest).toMatchObject({ operation: "created" });
  });
});

describe("in the background", () => {
  const config = (github: GithubServer, section: string) =>
    [
      "reviewer: offline",
      "publish: pr",
      "github:",
      `  server-url: ${github.git.url}`,
      `  api-url: ${github.apiUrl}`,
      section,
    ].join("\n");

  async function work(repository: TemporaryRepository, env: NodeJS.ProcessEnv) {
    capture(repository);
    const result = await runCli(repository, ["work", "--now", "--json"], { env });
    return result.json<{ jobs: JobView[] }>().jobs[0];
  }

  test("the token of the user's own config, and no word of the environment's (invariant 6)", async () => {
    await using repository = await temporaryRepository({ files });
    await using github = await githubAsOrigin(repository);
    await using trap = await startGithub(join(repository.home, "trap"));
    userConfig(repository, config(github, `  token: ${TOKEN}`));
    const planted = { ...trap.env, GITHUB_TOKEN: "planted-token-0123456789" };
    const job = await work(repository, { ...planted, GITHUB_REPOSITORY: "kim/parcels" });
    expect(job).toMatchObject({ state: "done", outcome: { status: "proposed" } });
    expect(await github.pulls()).toHaveLength(1);
    expect([trap.requests, trap.git.requests]).toEqual([[], []]);
  });

  test("a token in the environment counts where the user says so, and only there", async () => {
    await using repository = await temporaryRepository({ files });
    await using github = await githubAsOrigin(repository);
    userConfig(repository, config(github, ""));
    const job = await work(repository, { GITHUB_TOKEN: TOKEN });
    expect(job).toMatchObject({ state: "parked", outcome: { error: { code: "config" } } });
    expect(job?.outcome?.error?.hint).toContain("github.from-environment");
    expect(github.requests).toEqual([]);
    userConfig(repository, config(github, "  from-environment: true"));
    await runCli(repository, ["retry", "--all"]);
    await runCli(repository, ["work", "--now"], { env: { GITHUB_TOKEN: TOKEN } });
    expect(await github.pulls()).toHaveLength(1);
  });
});

describe("skillpr publish --publish pr", () => {
  test("the trusted half in another clone, twice; the table of the contract", async () => {
    await using repository = await temporaryRepository({ files });
    await using github = await githubAsOrigin(repository);
    const out = beside(repository, "sealed");
    await reviewDemoWith(repository, {}, "--publish", "none", "--out", out);
    const clone = join(repository.home, "clone");
    await repository.gitIn(repository.home, "clone", "--quiet", repository.dir, clone);
    const url = `${github.git.url}/${FULL_NAME}.git`;
    await repository.gitIn(clone, "remote", "set-url", "origin", url);
    const env = { ...github.env, CI: "true" };
    const args = ["publish", out, "--publish", "pr", "--json"];
    const results = [];
    for (let n = 0; n < 2; n++)
      results.push(await runCli({ ...repository, dir: clone }, args, { env }));
    const operations = results.map((one) => one.json().proposals[0]?.pullRequest?.operation);
    expect(operations).toEqual(["created", "unchanged"]);
    expect(await github.pulls()).toHaveLength(1);
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
