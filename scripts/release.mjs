// Makes a release: builds, tests the built action, commits dist on a detached commit, tags it vX.Y.Z and moves vX there.
// Nothing leaves this machine without --push; the branch and the work tree stay as they are.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [version, ...flags] = process.argv.slice(2);
const isPushed = flags.includes("--push");
const unknown = flags.filter((flag) => flag !== "--push");
const match = /^(\d+)\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.exec(version ?? "");
if (match === null || unknown.length > 0)
  stop("usage: npm run release -- <major.minor.patch> [--push]");

const env = { ...process.env };
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: ROOT, env, encoding: "utf8" }).trim();
const show = (command, ...args) => {
  const { status } = spawnSync(command, args, { cwd: ROOT, env, stdio: "inherit" });
  if (status !== 0) stop(`${command} ${args.join(" ")} failed: nothing was done after it`);
};

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
if (manifest.version !== version)
  stop(
    `package.json says ${manifest.version}: set its version to ${version} and commit that first`,
  );
if (run("git", "status", "--porcelain") !== "")
  stop("the work tree has changes: commit or stash them first");
const tag = `v${version}`;
const major = `v${match[1]}`;
if (run("git", "tag", "--list", tag) !== "")
  stop(`${tag} is there already: a release never changes`);

show("npm", "run", "--silent", "build");
show("npx", "vitest", "run", "--project", "e2e", "test/e2e/action.test.ts");

// A private index: the one of the work tree stays as it is.
const scratch = mkdtempSync(join(tmpdir(), "skillpr-release-"));
try {
  env.GIT_INDEX_FILE = join(scratch, "index");
  run("git", "read-tree", "HEAD");
  run("git", "add", "--force", "dist");
  const tree = run("git", "write-tree");
  delete env.GIT_INDEX_FILE;
  const commit = run("git", "commit-tree", tree, "-p", "HEAD", "-m", `Release ${tag}, with dist`);
  run("git", "tag", "--annotate", "--message", `skillpr ${tag}`, tag, commit);
  // A version before its release moves nobody.
  const isFinal = !version.includes("-");
  if (isFinal)
    run("git", "tag", "--force", "--annotate", "--message", `skillpr ${tag}`, major, commit);
  const refs = [tag, ...(isFinal ? [major] : [])];
  console.log(`${refs.join(" and ")} at ${commit}`);
  if (isPushed) {
    show("git", "push", "origin", `refs/tags/${tag}`);
    if (isFinal) show("git", "push", "--force", "origin", `refs/tags/${major}`);
  } else {
    const force = isFinal ? ` && git push --force origin refs/tags/${major}` : "";
    console.log(`nothing was pushed; to do so: git push origin refs/tags/${tag}${force}`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function stop(message) {
  process.stderr.write(`release: ${message}\n`);
  process.exit(1);
}
