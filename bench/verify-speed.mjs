// `skillpr verify` of 1,000 changed skills, in turns with `git diff-tree -r` and `git cat-file --batch` over the same
// objects. For skills as short as those that sessions teach (most real ones have less than 1 KB) and for long ones; of
// harmless texts, and of texts in which one skill in five has some of the words that attacks have. All are modified.
// usage: npm run bundle && node bench/verify-speed.mjs [rounds]
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { benchSkill, shortBenchSkill } from "./skill-texts.mjs";
import { CLI, compared, environmentOf, inTemporaryHome, inTurns, whenMain } from "./support.mjs";

const SKILLS = 1000;
const BAR = 16;
const SIZES = [
  ["short", shortBenchSkill],
  ["long", benchSkill],
];
const KINDS = [
  ["harmless", () => false],
  ["one in five with suspicious words", (number) => number % 5 === 0],
];

export function measure({ rounds = 9 } = {}) {
  return inTemporaryHome(async (home) => {
    const rows = [];
    for (const [size, textOf] of SIZES) {
      for (const [kind, isSuspicious] of KINDS) {
        const text = (number, version) => textOf(number, version, isSuspicious(number));
        rows.push(await compare(home, { size, kind, text, rounds }));
      }
    }
    return rows;
  });
}

async function compare(home, { size, kind, text, rounds }) {
  const env = environmentOf(home);
  const name = `${size}-${kind.replaceAll(" ", "-")}`;
  const dir = makeRepository({ home, env }, name, text);
  const run = (program, args, input) =>
    execFileSync(program, args, { cwd: dir, env, input, maxBuffer: 1 << 28 });
  const git = () => {
    const listed = run("git", ["diff-tree", "-r", "--no-renames", "main", "topic"]).toString();
    const ids = listed.match(/\b[0-9a-f]{40}\b/g).filter((id) => !/^0+$/.test(id));
    return run("git", ["cat-file", "--batch"], `${ids.join("\n")}\n`);
  };
  const range = ["--base", "main", "--head", "topic", "--profile", "pull-request", "--json"];
  const verify = () => run(process.execPath, [CLI, "verify", ...range]);
  const { changes, findings } = JSON.parse(verify().toString());
  if (changes.length !== SKILLS) throw new Error(`${changes.length} changes`);
  const kilobytes = (git().length / 2 / SKILLS / 1024).toFixed(1);
  const times = await inTurns(
    [
      { name: "git", run: () => void git() },
      { name: "verify", run: () => void verify() },
    ],
    { rounds, warmUp: 1 },
  );
  return compared({
    id: `verify-${name}`,
    what: `${SKILLS.toLocaleString("en")} changed skills verified, ${kilobytes} KB each, ${kind}`,
    beside: "`git diff-tree` + `cat-file --batch`",
    unit: "ms",
    ours: times.verify,
    theirs: times.git,
    bar: BAR,
    rounds,
    how: `The whole \`verify\` process, with ${findings.length} findings and the byte code that the first run keeps; git lists the changed files and prints both versions of each.`,
  });
}

function makeRepository({ home, env }, name, textOf) {
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

await whenMain(import.meta, measure);
