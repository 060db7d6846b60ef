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
const isDone = (command, ...args) =>
  spawnSync(command, args, { cwd: ROOT, env, stdio: "inherit" }).status === 0;
const show = (command, ...args) => {
  if (!isDone(command, ...args))
    stop(`${command} ${args.join(" ")} failed: nothing was tagged, nothing was pushed`);
};

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
if (manifest.version !== version)
  stop(
    `package.json says ${manifest.version}: set its version to ${version} and commit that first`,
  );
const changes = run("git", "status", "--porcelain");
if (changes !== "") stop(`the work tree has changes: commit or stash them first\n${changes}`);
const tag = `v${version}`;
const major = `v${match[1]}`;
// What is released elsewhere counts as much as what is here.
const known = new Set(run("git", "tag", "--list").split("\n"));
if (isPushed)
  for (const [, name] of run("git", "ls-remote", "--tags", "origin").matchAll(
    /refs\/tags\/(\S+)$/gm,
  ))
    known.add(name);
if (known.has(tag)) stop(`${tag} is there already: a release never changes`);

// A version before its release moves nobody, and neither does a late repair of an older one.
const isFinal = !version.includes("-");
const newer = [...known].filter((name) => isFinalOf(major, name) && isLater(name, tag));
const isMoved = isFinal && newer.length === 0;

show("npm", "run", "--silent", "build");
show("npx", "vitest", "run", "--project", "e2e", "test/e2e/action.test.ts");

const commit = commitWithDist();
run("git", "tag", "--annotate", "--message", `skillpr ${tag}`, tag, commit);
if (isMoved)
  run("git", "tag", "--force", "--annotate", "--message", `skillpr ${tag}`, major, commit);
const refs = [tag, ...(isMoved ? [major] : [])];
console.log(`${refs.join(" and ")} at ${commit}`);
if (isFinal && !isMoved) console.log(`${major} stays: ${newer.join(", ")} is newer`);
// Both or neither; only the moving one may be moved.
const specs = [`refs/tags/${tag}`, ...(isMoved ? [`+refs/tags/${major}`] : [])];
const push = ["push", "--atomic", "origin", ...specs];
if (!isPushed) console.log(`nothing was pushed; to do so: git ${push.join(" ")}`);
else if (!isDone("git", ...push))
  stop(`the tags are here, and were not pushed; to try again: git ${push.join(" ")}`);

/** HEAD's tree and dist, on top of HEAD; no branch is at it. */
function commitWithDist() {
  // A private index: the one of the work tree stays as it is.
  const scratch = mkdtempSync(join(tmpdir(), "skillpr-release-"));
  try {
    env.GIT_INDEX_FILE = join(scratch, "index");
    run("git", "read-tree", "HEAD");
    // Byte code is one machine's.
    run("git", "add", "--force", "--", "dist", ":(exclude)dist/*.cache");
    const tree = run("git", "write-tree");
    return run("git", "commit-tree", tree, "-p", "HEAD", "-m", `Release ${tag}, with dist`);
  } finally {
    delete env.GIT_INDEX_FILE;
    rmSync(scratch, { recursive: true, force: true });
  }
}

function isFinalOf(majorTag, name) {
  return name.startsWith(`${majorTag}.`) && /^v\d+\.\d+\.\d+$/.test(name);
}

function isLater(a, b) {
  const [p, q] = [a, b].map((name) => name.slice(1).split(".").map(Number));
  const at = p.findIndex((number, index) => number !== q[index]);
  return at !== -1 && p[at] > q[at];
}

function stop(message) {
  process.stderr.write(`release: ${message}\n`);
  process.exit(1);
}
