// The story of one pull request, with the built program, against a GitHub and a git remote on loopback:
// a session is reviewed and its skill proposed; run again, nothing is written; a person works on the
// branch, and skillpr keeps off; they merge it. Prints the body as a reviewer reads it.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const ROOT = join(import.meta.dirname, "..");
const CLI = join(ROOT, "dist/cli.js");
const SESSION = join(ROOT, "templates/demo/session.jsonl");

const home = mkdtempSync(join(tmpdir(), "skillpr-demo-"));
const built = mkdtempSync(join(ROOT, "node_modules/.skillpr-demo-"));
const person = { name: "Kim Example", email: "kim@example.com" };

try {
  const { startGithub, FULL_NAME } = await loadServers();
  const github = await startGithub(join(home, "remotes"));
  // Node 20 has no `await using`.
  await tell(github, FULL_NAME).finally(() => github[Symbol.asyncDispose]());
} finally {
  rmSync(home, { recursive: true, force: true });
  rmSync(built, { recursive: true, force: true });
}

/** The servers of the tests, as one module. */
async function loadServers() {
  const bundle = await rolldown({
    input: join(ROOT, "test/support/github-server.ts"),
    platform: "node",
    external: [/^node:/, "emulate"],
  });
  const file = join(built, "github-server.mjs");
  await bundle.write({ file, format: "esm" });
  return await import(pathToFileURL(file).href);
}

async function tell(github, fullName) {
  const repository = join(home, "parcels");
  mkdirSync(repository);
  cpSync(join(ROOT, "templates/demo/repository"), repository, { recursive: true });
  const git = (...args) => runGit(repository, args);
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "-m", "the project, before the session");
  git("push", "--quiet", github.git.bare(fullName), "main");
  git("remote", "add", "origin", `${github.git.url}/${fullName}.git`);
  const skillpr = (...args) => run(github, repository, args);
  const sealed = join(home, "sealed");
  mkdirSync(sealed);

  say("A session is reviewed, and what was learned becomes a pull request:");
  const flags = ["--reviewer", "offline", "--publish", "pr"];
  await skillpr("review", SESSION, ...flags, "--out", sealed);
  const [pull] = await github.pulls();
  say(`What a reviewer reads (#${pull.number}, "${pull.title}"):`);
  console.log(pull.body.replace(/^/gm, "    "));

  say("The same once more: nothing is written.");
  await counted(github, () => skillpr("publish", sealed, "--publish", "pr"));

  say("A person works on the branch. There is nothing to add, so nothing is done:");
  commitAs(github.git, fullName, `refs/heads/${pull.head.ref}`);
  await counted(github, () => skillpr("publish", sealed, "--publish", "pr"));

  say("They merge it. The next run sees that, and has nothing left to do:");
  await github.mergePull(pull.number);
  await counted(github, () => skillpr("publish", sealed, "--publish", "pr"));
}

function say(text) {
  console.log(`\n${text}\n`);
}

async function counted(github, call) {
  const [requests, writes] = [github.requests.length, github.writes().length];
  await call();
  const [asked, wrote] = [github.requests.length - requests, github.writes().length - writes];
  console.log(`    ${asked} requests to GitHub's API, ${wrote} of them wrote something`);
}

function environment() {
  const own = /^(?:CI|GIT_|GITHUB_|GH_|OPENAI_|XDG_)/;
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(inherited), HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
}

function runGit(cwd, args) {
  const who = Object.entries(person).flatMap(([key, value]) => ["-c", `user.${key}=${value}`]);
  return execFileSync("git", [...who, ...args], {
    cwd,
    env: environment(),
    encoding: "utf8",
  }).trim();
}

function run(github, cwd, args) {
  const shown = args.map((arg) => arg.replace(`${home}/`, "").replace(`${ROOT}/`, ""));
  console.log(`  $ skillpr ${shown.join(" ")}`);
  const env = { ...environment(), ...github.env };
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout
    .setEncoding("utf8")
    .on("data", (text) => process.stdout.write(text.replace(/^(?=.)/gm, "    ")));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) =>
      code === 0 ? done() : fail(new Error(`skillpr ended with ${code}`)),
    );
  });
}

function commitAs(git, fullName, ref) {
  const tree = git.git(fullName, ["rev-parse", `${ref}^{tree}`]);
  const env = {};
  for (const role of ["AUTHOR", "COMMITTER"]) {
    env[`GIT_${role}_NAME`] = person.name;
    env[`GIT_${role}_EMAIL`] = person.email;
  }
  const args = ["commit-tree", tree, "-p", ref, "-m", "my own words"];
  const commit = git.git(fullName, args, { env });
  git.git(fullName, ["update-ref", ref, commit]);
  return commit;
}
