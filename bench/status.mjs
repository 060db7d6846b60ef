// `skillpr status` over a queue of 10,000 jobs, half of them done, in turns with `node -e 0`.
// usage: npm run bundle && node bench/status.mjs [rounds]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLI, compared, environmentOf, inTemporaryHome, inTurns, whenMain } from "./support.mjs";

const JOBS = 10_000;

export function measure({ rounds = 15 } = {}) {
  return inTemporaryHome(async (home) => {
    const env = environmentOf(home);
    const cwd = makeQueue(home, env);
    const node = (...args) =>
      void execFileSync(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    const times = await inTurns(
      [
        { name: "node", run: () => node("-e", "0") },
        { name: "status", run: () => node(CLI, "status") },
      ],
      { rounds },
    );
    return [
      compared({
        id: "status",
        what: "`skillpr status`, 10,000 jobs",
        beside: "`node -e 0`",
        unit: "ms",
        ours: times.status,
        theirs: times.node,
        bar: null,
        rounds,
        how: "Whole processes; half of the jobs are done, half wait.",
      }),
    ];
  });
}

function makeQueue(home, env) {
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

await whenMain(import.meta, measure);
