// Requests to GitHub's API for a first pull request and for one that has nothing new, counted by a server on loopback.
// usage: npm run bundle && node bench/requests.mjs
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { DEMO_SESSION, demoRepository } from "./demo-project.mjs";
import {
  alone,
  CLI,
  environmentOf,
  imported,
  inTemporaryHome,
  ROOT,
  statistic,
  whenMain,
} from "./support.mjs";

const execute = promisify(execFile);

export function measure() {
  return inTemporaryHome(async (home) => {
    // Beside the packages, so that the GitHub of the tests is found as they find it.
    const built = mkdtempSync(join(ROOT, "node_modules/.skillpr-bench-"));
    try {
      const { startGithub, FULL_NAME } = await imported(built, ["test/support/github-server.ts"], {
        external: ["emulate"],
      });
      const github = await startGithub(join(home, "remotes"));
      // Node 20 has no `await using`.
      return await count(home, github, FULL_NAME).finally(() => github[Symbol.asyncDispose]());
    } finally {
      rmSync(built, { recursive: true, force: true });
    }
  });
}

async function count(home, github, fullName) {
  const sealed = join(home, "sealed");
  mkdirSync(sealed);
  const env = { ...environmentOf(home), ...github.env };
  const { dir: cwd, git } = demoRepository(home, env);
  git("push", "--quiet", github.git.bare(fullName), "main");
  git("remote", "add", "origin", `${github.git.url}/${fullName}.git`);
  const asked = async (...args) => {
    const before = github.requests.length;
    const run = execute(process.execPath, [CLI, ...args, "--publish", "pr"], { cwd, env });
    run.child.stdin?.end();
    await run;
    return statistic([github.requests.length - before]);
  };
  const first = await asked("review", DEMO_SESSION, "--reviewer", "offline", "--out", sealed);
  if ((await github.pulls()).length !== 1) throw new Error("there is no pull request");
  const unchanged = await asked("publish", sealed);
  const row = { unit: "requests", rounds: 1 };
  return [
    alone({
      ...row,
      id: "requests-first",
      what: "API requests for a first pull request",
      ours: first,
      bar: 8,
      how: "`review --publish pr` against a GitHub on loopback that counts.",
    }),
    alone({
      ...row,
      id: "requests-unchanged",
      what: "API requests for an unchanged one",
      ours: unchanged,
      bar: 4,
      how: "`publish --publish pr` of the same proposal once more.",
    }),
  ];
}

await whenMain(import.meta, measure);
