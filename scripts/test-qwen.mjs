// `npm run test:qwen`: installs the pinned Qwen Code into .cache/qwen (once), then runs the tests
// with it. They need a registry for the first run, and tmux for those in a terminal.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const cache = resolve(root, ".cache/qwen");
const wanted = resolve(root, "test/qwen/install");

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (error) console.error(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** True when the cache was made from this very lock file. */
function isInstalled() {
  const [mine, theirs] = [cache, wanted].map((folder) => resolve(folder, "package-lock.json"));
  const entry = resolve(cache, "node_modules/@qwen-code/qwen-code/cli.js");
  return existsSync(entry) && existsSync(mine) && readFileSync(mine).equals(readFileSync(theirs));
}

if (!isInstalled()) {
  mkdirSync(cache, { recursive: true });
  for (const name of ["package.json", ".npmrc"])
    cpSync(resolve(wanted, name), resolve(cache, name));
  cpSync(resolve(wanted, "package-lock.json"), resolve(cache, "package-lock.json"));
  // Not `npm ci`: the lock file can not name the optional binaries of platforms that a registry lacks.
  run("npm", ["install", "--omit=optional"], cache);
}
if (process.argv.includes("--install-only")) process.exit(0);
run("npm", ["run", "--silent", "bundle"], root);
const vitest = resolve(root, "node_modules/vitest/vitest.mjs");
run(
  process.execPath,
  [vitest, "run", "--config", "vitest.qwen.config.ts", ...process.argv.slice(2)],
  root,
);
