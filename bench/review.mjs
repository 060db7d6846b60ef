// A whole `skillpr review` with a model that answers at once (three rounds, one skill), in turns with the git calls
// that it makes, run one after the other by a shell. The calls are recorded from a review of the same repository:
// a program named `git`, first in the PATH, writes down arguments, input, folder and settings, and calls the real one.
// usage: npm run bundle && node bench/review.mjs [rounds]
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { DEMO_SESSION, demoRepository, labelSkill } from "./demo-project.mjs";
import {
  CLI,
  compared,
  environmentOf,
  imported,
  inTemporaryHome,
  inTurns,
  whenMain,
} from "./support.mjs";

const execute = promisify(execFile);
const SKILL = "label-tests";
const BRANCH = `refs/heads/auto-skill/${SKILL}`;

export function measure({ rounds = 15 } = {}) {
  return inTemporaryHome(async (home) => {
    const { calls, scriptedModel } = await imported(home, ["test/support/scripted-model.ts"]);
    const model = await scriptedModel((request) => answer(calls, request));
    try {
      return [await compareWith(home, model, rounds)];
    } finally {
      await model.close();
    }
  });
}

async function compareWith(home, model, rounds) {
  const settings = {
    OPENAI_API_KEY: "local",
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: "scripted",
  };
  const env = { ...environmentOf(home), ...settings };
  const { dir } = demoRepository(home, env);
  const review = async (more = {}) => {
    const run = execute(process.execPath, [CLI, "review", DEMO_SESSION, "--json"], {
      cwd: dir,
      env: { ...env, ...more },
    });
    run.child.stdin?.end();
    const { status, proposals } = JSON.parse((await run).stdout);
    if (status !== "proposed" || proposals.length !== 1) throw new Error(`review: ${status}`);
  };
  const forget = () => {
    execFileSync("git", ["update-ref", "-d", BRANCH], { cwd: dir, env });
    rmSync(join(dir, ".git/skillpr"), { recursive: true, force: true });
  };
  const recorded = recorder(home, env);
  await review({ PATH: recorded.path });
  forget();
  const replay = replayOf(recorded);
  const times = await inTurns(
    [
      { name: "review", before: forget, run: () => review() },
      {
        name: "git",
        before: () => {
          forget();
          replay.prepare();
        },
        run: () => void execFileSync("sh", [replay.script], { cwd: dir, env, stdio: "ignore" }),
      },
    ],
    { rounds },
  );
  return compared({
    id: "review",
    what: "whole `review`, 3 rounds, 1 skill",
    beside: `its ${replay.calls} git calls in a shell loop`,
    unit: "ms",
    ours: times.review,
    theirs: times.git,
    bar: 8,
    rounds,
    how: "The model answers at once, over HTTP on loopback. The shell runs the very calls that a review makes, with the same input.",
  });
}

/** Round one looks, round two writes the skill, round three is done. */
function answer(calls, request) {
  const rounds = request.body.messages.filter(({ role }) => role === "assistant").length;
  if (rounds === 0) return calls(["read_file", { file_path: "README.md" }]);
  if (rounds > 1) return "Saved.";
  return calls(["write_file", labelSkill(SKILL)]);
}

/** A `git` that writes down how it is called, for {@link replay}. */
const RECORDING_GIT = `#!/bin/sh
n=1
while ! mkdir "@folder@/$n" 2>/dev/null; do n=$((n + 1)); done
r="@folder@/$n"
pwd > "$r/folder"
env | grep '^GIT_' > "$r/settings"
for arg in "$@"; do printf '%s\\0' "$arg"; done > "$r/arguments"
case "$*" in
*--stdin-paths*)
  mkdir "$r/files"
  cat > "$r/input"
  while read -r path; do
    path=\${path#\\"}
    path=\${path%\\"}
    cp "$path" "$r/files/$(basename "$path")"
  done < "$r/input"
  exec "@git@" "$@" < "$r/input" ;;
*) tee "$r/input" | "@git@" "$@" ;;
esac
`;

function recorder(home, env) {
  const [bin, folder] = ["bin", "calls"].map((name) => join(home, name));
  for (const made of [bin, folder]) mkdirSync(made);
  const git = execFileSync("sh", ["-c", "command -v git"], { env, encoding: "utf8" }).trim();
  const text = RECORDING_GIT.replaceAll("@folder@", folder).replaceAll("@git@", git);
  writeFileSync(join(bin, "git"), text, { mode: 0o755 });
  return { git, folder, path: `${bin}${delimiter}${env.PATH}` };
}

/**
 * The recorded calls as one script that stops at the first failure. `prepare` puts back the files and folders
 * that a review makes by itself between them.
 */
function replayOf({ git, folder }) {
  const numbers = readdirSync(folder)
    .map(Number)
    .sort((a, b) => a - b);
  const of = (number, name) => readFileSync(join(folder, String(number), name), "utf8");
  const folders = new Set();
  const files = [];
  const commands = numbers.map((number) => {
    const args = of(number, "arguments").split("\0").slice(0, -1);
    const settings = of(number, "settings").trim().split("\n");
    const objects = settings.find((line) => line.startsWith("GIT_OBJECT_DIRECTORY="));
    if (objects !== undefined) folders.add(objects.slice(objects.indexOf("=") + 1));
    if (args.includes("add")) folders.add(dirname(args.find((arg) => arg.endsWith("/skillpr"))));
    if (args.includes("--stdin-paths")) {
      for (const line of of(number, "input").trim().split("\n")) {
        const path = JSON.parse(line);
        files.push([join(folder, String(number), "files", basename(path)), path]);
      }
    }
    // The shell sets them itself: `env` would be one more program for each call, on git's side of the scale.
    const call = [...settings.map(assigned), ...[git, ...args].map(quoted)].join(" ");
    const isAsked = /merge-base|cat-file|for-each-ref/.test(args.join(" "));
    return `cd ${quoted(of(number, "folder").trim())} && ${call} < ${quoted(join(folder, String(number), "input"))}${isAsked ? " || true" : ""}`;
  });
  const script = join(folder, "replay.sh");
  writeFileSync(script, `set -e\n${commands.join("\n")}\n`);
  const prepare = () => {
    for (const path of folders) mkdirSync(path, { recursive: true });
    for (const [from, to] of files) {
      mkdirSync(dirname(to), { recursive: true });
      cpSync(from, to);
    }
  };
  return { calls: numbers.length, script, prepare };
}

/** `NAME=value` for a shell. */
function assigned(setting) {
  const [, name, value] = /^(\w+)=(.*)$/.exec(setting);
  return `${name}=${quoted(value)}`;
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

await whenMain(import.meta, measure);
