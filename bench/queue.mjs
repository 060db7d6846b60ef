// A hundred captured sessions through `skillpr work`, with a model on loopback that answers at once: the processor
// time of the worker and of all that it starts, per review. The model's own time is not in it.
// usage: npm run bundle && node bench/queue.mjs
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { DEMO_SESSION, demoRepository, labelSkill } from "./demo-project.mjs";
import {
  alone,
  CLI,
  environmentOf,
  imported,
  inTemporaryHome,
  statistic,
  whenMain,
} from "./support.mjs";

const execute = promisify(execFile);
const SESSIONS = 100;
const BAR_SECONDS = 0.3;

export function measure() {
  return inTemporaryHome(async (home) => {
    const { calls, scriptedModel } = await imported(home, ["test/support/scripted-model.ts"]);
    const model = await scriptedModel(answersOf(calls));
    try {
      return [await work(home, model)];
    } finally {
      await model.close();
    }
  });
}

async function work(home, model) {
  const env = environmentOf(home);
  const { dir, git } = demoRepository(home, env);
  const config = `model:\n  name: scripted\n  base-url: ${model.url}\n  api-key: local\n`;
  mkdirSync(join(home, ".config/skillpr"), { recursive: true });
  writeFileSync(join(home, ".config/skillpr/config.yml"), config, { mode: 0o600 });
  const session = readFileSync(DEMO_SESSION, "utf8");
  const chats = join(home, ".qwen/projects/x/chats");
  mkdirSync(chats, { recursive: true });
  for (let number = 0; number < SESSIONS; number += 1) capture(dir, env, chats, session, number);

  // The shell's own `times`: a process and every descendant that it waited for.
  const script = 'TIMEFORMAT="%U %S"; time "$@" > "$OUT"';
  const args = ["-c", script, "work", process.execPath, CLI, "work", "--now", "--json"];
  const out = join(home, "report.json");
  const run = execute("bash", args, { cwd: dir, env: { ...env, OUT: out } });
  run.child.stdin?.end();
  const { stderr } = await run;
  const [user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  const { jobs } = JSON.parse(readFileSync(out, "utf8"));
  const done = jobs.filter(({ state }) => state === "done").length;
  if (done !== SESSIONS) throw new Error(`${done} of ${SESSIONS} sessions were reviewed`);
  const branches = git("for-each-ref", "refs/heads/auto-skill/").toString().trim().split("\n");
  if (branches.length !== SESSIONS) throw new Error(`${branches.length} branches`);
  return alone({
    id: "queue",
    what: `processor time of one review, ${SESSIONS} sessions through the queue`,
    unit: "s of CPU",
    ours: statistic([(user + system) / SESSIONS]),
    bar: BAR_SECONDS,
    rounds: 1,
    how: "User and system time of `skillpr work` and of every process that it starts, divided by the sessions.",
  });
}

/** As a hook leaves a session that has ended; nobody starts a worker for it. */
function capture(dir, env, chats, session, number) {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const own = JSON.parse(session.slice(0, session.indexOf("\n"))).sessionId;
  const path = join(chats, `${id}.jsonl`);
  writeFileSync(path, session.replaceAll(own, id));
  const input = JSON.stringify({
    session_id: id,
    transcript_path: path,
    cwd: dir,
    hook_event_name: "SessionEnd",
    reason: "prompt_input_exit",
  });
  execFileSync(process.execPath, [CLI, "hook"], {
    input,
    cwd: dir,
    env: { ...env, SKILLPR_WORKER: "off" },
  });
}

/** Each session gets a skill of its own: the first round writes it, the second is done. */
function answersOf(calls) {
  let sessions = 0;
  return (request) => {
    const rounds = request.body.messages.filter(({ role }) => role === "assistant").length;
    if (rounds > 0) return "Saved.";
    sessions += 1;
    return calls(["write_file", labelSkill(`label-tests-${sessions}`)]);
  };
}

await whenMain(import.meta, measure);
