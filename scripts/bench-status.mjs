// `skillpr status` over a queue of 10,000 jobs, half of them done, against `node -e 0`, in turns:
// prints both medians and their ratio. Build first.
// usage: node scripts/bench-status.mjs [rounds]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROUNDS = Number(process.argv[2] ?? 15);
const JOBS = 10_000;
const CLI = resolve(import.meta.dirname, "../dist/cli.js");

const home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-bench-")));
// Both cost time at every start, and flatter the ratio.
const { NODE_EXTRA_CA_CERTS: _certs, NODE_OPTIONS: _options, ...inherited } = process.env;
const env = { ...inherited, HOME: home, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
try {
  const dir = makeQueue();
  const sides = [
    { name: "node -e 0", args: ["-e", "0"], times: [] },
    { name: "status", args: [CLI, "status"], times: [] },
  ];
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const { args, times } of sides) {
      const startedAt = performance.now();
      execFileSync(process.execPath, args, { cwd: dir, env, stdio: ["ignore", "pipe", "inherit"] });
      if (round >= 0) times.push(performance.now() - startedAt); // the first two warm up
    }
  }
  const [bare, status] = sides.map(({ name, times }) => {
    const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
    console.log(`${name.padStart(10)}: ${median.toFixed(1)} ms`);
    return median;
  });
  console.log(`     ratio: ${(status / bare).toFixed(2)} (${JOBS} jobs, ${ROUNDS} rounds each)`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

function makeQueue() {
  const dir = join(home, "repository");
  mkdirSync(dir);
  execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: dir, env });
  const queue = join(dir, ".git/skillpr/queue");
  const [captured, records] = ["captured", "records"].map((name) => join(queue, name));
  for (const folder of [captured, records]) mkdirSync(folder, { recursive: true });
  const at = "2026-03-02T12:00:00.000Z";
  for (let n = 0; n < JOBS; n += 1) {
    const id = createHash("sha256").update(String(n)).digest("hex").slice(0, 16);
    const known = {
      version: 1,
      id,
      sessionId: `session-${n}`,
      agent: "qwen-code",
      copy: `${id}-a`,
    };
    const capture = { ...known, event: "SessionEnd", transcriptPath: `/home/user/${n}.jsonl` };
    const rest = { size: 100_000, cwd: dir, capturedAt: at, due: at };
    writeFileSync(join(captured, `${id}.json`), JSON.stringify({ ...capture, ...rest }));
    if (n % 2 === 0) continue;
    const outcome = { status: "nothing_to_save", skills: [], branches: [] };
    const record = { ...known, transcript: `${id}-a`, capturedAt: at, state: "done", tries: 1 };
    const ended = { deaths: 0, due: null, startedAt: at, endedAt: at, outcome };
    writeFileSync(join(records, `${id}.json`), JSON.stringify({ ...record, ...ended }));
  }
  return dir;
}
