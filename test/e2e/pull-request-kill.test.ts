/**
 * kill -9 at every request of a run that opens a pull request, to git and to the API: when it arrives,
 * before it is answered, or after. The next run finishes the work: exactly one pull request.
 */
import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { CLI, DEMO_SESSION } from "../support/built-cli.ts";
import { githubAsOrigin } from "../support/github-origin.ts";
import { FULL_NAME, type GithubServer } from "../support/github-server.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const ARGS = ["review", DEMO_SESSION, "--reviewer", "offline", "--publish", "pr", "--json"];

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly stdout: string;
}

/** @param at number of the request at which the process dies; 0: it doesn't */
function run(
  repository: TemporaryRepository,
  github: GithubServer,
  at: number,
  moment: "before" | "after",
): Promise<Ended> {
  const own = /^(?:CI|GITHUB_|GH_|OPENAI_|XDG_|NODE_OPTIONS)/;
  const clean = Object.entries(repository.env).filter(([name]) => !own.test(name));
  const env = { ...Object.fromEntries(clean), TMPDIR: repository.tempRoot, ...github.env };
  const child = spawn(process.execPath, [CLI, ...ARGS], { cwd: repository.dir, env });
  let requests = 0;
  const isLast = () => {
    requests += 1;
    if (requests === at) child.kill("SIGKILL");
    return requests === at && moment === "before";
  };
  github.git.intercept = () => (isLast() ? { status: 503, body: "" } : null);
  github.faults.splice(0, 1, () => (isLast() ? { status: 503, body: {} } : null));
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => done({ code, signal, stdout }));
  });
}

describe("kill -9 at every request", () => {
  for (const moment of ["before", "after"] as const) {
    test(`${moment} it is answered`, { timeout: 900_000 }, async () => {
      let killed = 0;
      for (let at = 1; ; at++) {
        await using repository = await temporaryRepository({ files: { "README.md": "# x\n" } });
        await using github = await githubAsOrigin(repository);
        const before = await repository.snapshot();
        const first = await run(repository, github, at, moment);
        if (first.signal !== "SIGKILL") break;
        killed += 1;
        const second = await run(repository, github, 0, moment);
        expect([at, second.code, second.stdout]).toEqual([at, 0, expect.anything()]);
        const pulls = await github.pulls();
        expect([at, pulls.map(({ state }) => state)]).toEqual([at, ["open"]]);
        const branch = pulls[0]?.head.ref ?? "";
        const remote = github.git.git(FULL_NAME, ["rev-parse", `${branch}^{tree}`]);
        expect(remote).toBe(await repository.git("rev-parse", `${branch}^{tree}`));
        expect(await repository.snapshot()).toEqual(before);
      }
      // Looking up, asking where things are, pushing, opening.
      expect(killed).toBeGreaterThanOrEqual(7);
    });
  }
});
