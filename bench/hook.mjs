// How much more than starting Node a hook takes, with a transcript of 1 MB that was never captured, the start
// of the worker included.
// usage: npm run bundle && node bench/hook.mjs [rounds]
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLI, compared, inTemporaryHome, inTurns, whenMain } from "./support.mjs";

const WARM_UP = 3;

export function measure({ rounds = 40 } = {}) {
  return inTemporaryHome(async (home) => {
    // Neither side pays for certificates or options that Node would load at its start.
    const env = { PATH: process.env.PATH, HOME: home };
    const repository = join(home, "repository");
    execFileSync("git", ["init", "--quiet", repository], { env });
    // A session grows over minutes: when it ends, nearly all of its transcript is on the disk.
    const chats = join(home, ".qwen/projects/x/chats");
    mkdirSync(chats, { recursive: true });
    const transcriptOf = (round) => join(chats, `session-${round}.jsonl`);
    for (let round = -WARM_UP; round < rounds; round += 1) {
      const line = `${JSON.stringify({ round, text: "x".repeat(1000) })}\n`;
      writeFileSync(transcriptOf(round), line.repeat(1000), { flush: true });
    }
    const message = (round) =>
      JSON.stringify({
        session_id: `session-${round}`,
        transcript_path: transcriptOf(round),
        cwd: repository,
        hook_event_name: "SessionEnd",
        reason: "prompt_input_exit",
      });
    const run = (args, input) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, input });
      if (status !== 0 || stdout.length + stderr.length > 0) throw new Error(`${args}: ${stderr}`);
    };
    const before = () => waitForWorkers(repository, env);
    const times = await inTurns(
      [
        { name: "node", before, run: () => run(["-e", "0"], "") },
        { name: "hook", before, run: (round) => run([CLI, "hook"], message(round)) },
      ],
      { rounds, warmUp: WARM_UP },
    );
    waitForWorkers(repository, env);
    const captured = readdirSync(join(repository, ".git/skillpr/queue/captured")).length;
    if (captured !== rounds + WARM_UP) throw new Error(`${captured} sessions were captured`);
    return [
      compared({
        id: "hook",
        what: "`skillpr hook`, 1 MB transcript",
        beside: "`node -e 0`",
        unit: "ms",
        ours: times.hook,
        theirs: times.node,
        bar: 1.6,
        rounds,
        how: "Whole processes; the transcript is copied and synced, a worker is started, and ends before the next process is measured.",
      }),
    ];
  });
}

/** A worker that still runs would slow down whoever is measured next. */
function waitForWorkers(repository, env) {
  for (;;) {
    const list = spawnSync("ps", ["-A", "-o", "args="], { encoding: "utf8", env });
    if (!list.stdout.includes(`--repo ${repository}`)) return;
  }
}

await whenMain(import.meta, measure);
