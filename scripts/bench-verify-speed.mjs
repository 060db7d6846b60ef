// `skillpr verify` of 1,000 changed skills against `git diff-tree -r` and `git cat-file --batch` over the same
// objects, in turns: prints the medians and their ratio. For skills as short as those that sessions teach (most real
// ones have less than 1 KB) and for long ones; of harmless texts, and of texts in which one skill in five has some of
// the words that attacks have. Every skill is modified. Build first.
// usage: node scripts/bench-verify-speed.mjs [rounds] [skills]
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { benchSkill, shortBenchSkill } from "./bench-skill-texts.mjs";

const ROUNDS = Number(process.argv[2] ?? 9);
const SKILLS = Number(process.argv[3] ?? 1000);
const BAR = 16;
const CLI = resolve(import.meta.dirname, "../dist/cli.js");

const home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-bench-")));
// Both cost time at every start, and flatter the ratio.
const { NODE_EXTRA_CA_CERTS: _certs, NODE_OPTIONS: _options, CI: _ci, ...inherited } = process.env;
const who = { NAME: "Robin Example", EMAIL: "robin@example.com" };
const env = {
  ...inherited,
  HOME: home,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  ...Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((role) =>
      Object.entries(who).map(([key, value]) => [`GIT_${role}_${key}`, value]),
    ),
  ),
};
try {
  for (const [size, textOf] of [
    ["short", shortBenchSkill],
    ["long", benchSkill],
  ]) {
    measure(`${size}, harmless texts`, textOf, () => false);
    measure(`${size}, one in five with suspicious words`, textOf, (number) => number % 5 === 0);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

function measure(title, textOf, isSuspicious) {
  const dir = makeRepository(title.replace(/\W+/g, "-"), (number, version) =>
    textOf(number, version, isSuspicious(number)),
  );
  const run = (program, args, input) =>
    execFileSync(program, args, { cwd: dir, env, input, maxBuffer: 1 << 28 });
  const git = () => {
    const listed = run("git", ["diff-tree", "-r", "--no-renames", "main", "topic"]).toString();
    const ids = listed.match(/\b[0-9a-f]{40}\b/g).filter((id) => !/^0+$/.test(id));
    return run("git", ["cat-file", "--batch"], `${ids.join("\n")}\n`);
  };
  const range = ["--base", "main", "--head", "topic", "--profile", "pull-request", "--json"];
  const verify = () => run(process.execPath, [CLI, "verify", ...range]);
  const { ok, changes, findings } = JSON.parse(verify().toString());
  const size = (git().length / 2 / SKILLS / 1024).toFixed(1);
  console.log(
    `${title}: ${changes.length} changed files of about ${size} KB, ok: ${ok}, ${findings.length} findings`,
  );
  const sides = [
    { name: "git", work: git, times: [] },
    { name: "verify", work: verify, times: [] },
  ];
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const { work, times } of sides) {
      const startedAt = performance.now();
      work();
      if (round >= 0) times.push(performance.now() - startedAt); // the first warms up
    }
  }
  const [bare, verified] = sides.map(({ name, times }) => {
    const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
    console.log(`${name.padStart(7)}: ${median.toFixed(1)} ms`);
    return median;
  });
  const ratio = verified / bare;
  console.log(`  ratio: ${ratio.toFixed(1)} (bar ${BAR}; ${SKILLS} skills, ${ROUNDS} rounds each)`);
  if (ratio > BAR) process.exitCode = 1;
}

function makeRepository(name, textOf) {
  const dir = join(home, name);
  mkdirSync(dir);
  const git = (...args) => execFileSync("git", args, { cwd: dir, env });
  git("init", "--quiet", "--initial-branch=main");
  const write = (version) => {
    for (let n = 0; n < SKILLS; n += 1) {
      const folder = join(dir, `.qwen/skills/skill-${n}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "SKILL.md"), textOf(n, version));
    }
    git("add", "--all");
    git("commit", "--quiet", "--no-verify", "--message", `version ${version}`);
  };
  write(1);
  git("checkout", "--quiet", "-b", "topic");
  write(2);
  git("gc", "--quiet");
  return dir;
}
