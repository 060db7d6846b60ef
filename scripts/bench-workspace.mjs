// Opens and closes a workspace in a repository of 10 files and in one of 100,000, in turns, and
// prints both medians and their ratio: the time must not grow with the repository.
// usage: node scripts/bench-workspace.mjs [rounds]
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const ROUNDS = Number(process.argv[2] ?? 15);
const SIZES = [10, 100_000];
const SKILLS = 10;
const SKILLS_ROOT = ".qwen/skills";

Object.assign(process.env, { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" });
const home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-bench-")));
try {
  const { openRepository, resolveBase, openWorkspace } = await load();
  const sides = SIZES.map((files) => ({ files, dir: makeRepository(files), times: [] }));
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const { dir, times } of sides) {
      const startedAt = performance.now();
      const repository = await openRepository(dir);
      const base = await resolveBase(repository);
      const options = { base, skillsRoot: SKILLS_ROOT, overlays: [], tempRoot: home };
      const workspace = await openWorkspace(repository, options);
      await workspace[Symbol.asyncDispose]();
      if (round >= 0) times.push(performance.now() - startedAt); // the first two warm up
    }
  }
  const [small, large] = sides.map(({ files, times }) => {
    const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
    console.log(`${String(files).padStart(7)} files: ${median.toFixed(1)} ms`);
    return median;
  });
  console.log(`  ratio: ${(large / small).toFixed(2)} (${ROUNDS} rounds each)`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function load() {
  const source = join(import.meta.dirname, "../src/git");
  const entry = join(home, "entry.ts");
  const names = ["repository.ts", "workspace.ts"].map((name) => JSON.stringify(join(source, name)));
  writeFileSync(entry, names.map((name) => `export * from ${name};\n`).join(""));
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    transform: { target: "node20" },
  });
  const file = join(home, "entry.mjs");
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  return import(pathToFileURL(file).href);
}

/** A repository of that many files, without a work tree's copies of them: fast-import takes a second. */
function makeRepository(files) {
  const dir = join(home, `repository-${files}`);
  mkdirSync(dir);
  const git = (args, input) => execFileSync("git", args, { cwd: dir, input, stdio: "pipe" });
  git(["init", "--quiet", "--initial-branch=main"]);
  const data = (text) => `data ${Buffer.byteLength(text)}\n${text}`;
  const lines = [`blob\nmark :1\n${data("text\n")}`];
  lines.push(
    "commit refs/heads/main\ncommitter Robin Example <robin@example.com> 1767323045 +0000",
  );
  lines.push(data("first"));
  for (let n = 0; n < files; n += 1) lines.push(`M 100644 :1 src/part-${n % 100}/file-${n}.txt`);
  for (let n = 0; n < SKILLS; n += 1) {
    lines.push(`M 100644 inline ${SKILLS_ROOT}/skill-${n}/SKILL.md\n${data(`# skill ${n}\n`)}`);
  }
  git(["fast-import", "--quiet"], `${lines.join("\n")}\n`);
  git(["read-tree", "main"]); // an index of that size too, as a checkout has
  return dir;
}
