// Times whole processes, in turns: `skillpr hook` with a transcript of 1 MB that was never captured
// (the start of the worker included) and `node -e 0`. Prints the medians and their ratio, which
// must stay at or below 1.6.
// usage: npm run bundle && node scripts/bench-hook.mjs [rounds]
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROUNDS = Number(process.argv[2] ?? 40);
const BAR = 1.6;
const WARM_UP = 3;
const CLI = resolve(import.meta.dirname, "../dist/cli.js");

const home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-bench-")));
try {
  const { PATH } = process.env;
  // Neither side pays for certificates or options that Node would load at its start.
  const env = { PATH, HOME: home };
  const repository = join(home, "repository");
  execFileSync("git", ["init", "--quiet", repository], { env });
  // A session grows over minutes: when it ends, nearly all of its transcript is on the disk.
  const chats = join(home, ".qwen/projects/x/chats");
  mkdirSync(chats, { recursive: true });
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const line = `${JSON.stringify({ round, text: "x".repeat(1000) })}\n`;
    writeFileSync(transcriptOf(round), line.repeat(1000), { flush: true });
  }
  const sides = [
    { name: "node -e 0", times: [], run: () => measure(["-e", "0"], "") },
    { name: "skillpr hook", times: [], run: (round) => measure([CLI, "hook"], message(round)) },
  ];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const { times, run } of sides) {
      const time = run(round);
      waitForWorkers();
      if (round >= 0) times.push(time);
    }
  }
  const [empty, hook] = sides.map(({ name, times }) => {
    const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
    console.log(`${name.padEnd(12)} ${median.toFixed(1)} ms`);
    return median;
  });
  const captured = readdirSync(join(repository, ".git/skillpr/queue/captured")).length;
  if (captured !== ROUNDS + WARM_UP) throw new Error(`${captured} sessions were captured`);
  console.log(
    `ratio        ${(hook / empty).toFixed(2)} (${ROUNDS} rounds each; the bar is ${BAR})`,
  );

  function message(round) {
    return JSON.stringify({
      session_id: `session-${round}`,
      transcript_path: transcriptOf(round),
      cwd: repository,
      hook_event_name: "SessionEnd",
      reason: "prompt_input_exit",
    });
  }

  function transcriptOf(round) {
    return join(chats, `session-${round}.jsonl`);
  }

  /** A worker that still runs would slow down whoever is measured next. */
  function waitForWorkers() {
    for (;;) {
      const list = spawnSync("ps", ["-A", "-o", "args="], { encoding: "utf8", env });
      if (!list.stdout.includes(`--repo ${repository}`)) return;
    }
  }

  function measure(args, input) {
    const startedAt = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, input });
    const time = performance.now() - startedAt;
    if (status !== 0 || stdout.length + stderr.length > 0) throw new Error(`${args}: ${stderr}`);
    return time;
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
