/**
 * `skillpr hook`: what an agent calls when a session starts, pauses or ends. It captures the
 * session and leaves; a worker that nobody kills does the rest. Agents kill their hooks about two
 * seconds after they begin to exit, and show whatever a hook prints: so it is fast, it exits with
 * 0, and it says nothing but the one line at the start of a session.
 *
 * On this path: built-in modules only, no git, no YAML.
 */
import { opendirSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { hasCode } from "../core/errors.ts";
import { agentOf } from "./agent-of.ts";
import { announceProposals } from "./announce-proposals.ts";
import { captureSession, type Due } from "./capture-session.ts";
import { isNoUserSession, isOwnWorkspace, isSwitchedOff } from "./cheap-gate.ts";
import { describeFailure } from "./describe-failure.ts";
import { type FoundRepository, findRepository } from "./find-repository.ts";
import { HookLog } from "./hook-log.ts";
import { type Payload, parsePayload, readInput } from "./payload.ts";
import { type QueueFolders, queueFolders } from "./queue-files.ts";
import { startWorker } from "./start-worker.ts";

export interface HookCall {
  /** What stands behind `hook` on the command line. */
  readonly words: readonly string[];
  /** Absolute path of the built `cli.js`, which the worker is started from. */
  readonly cli: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What each event means for a session; others mean nothing. An agent that names none has one hook. */
const CAPTURED: ReadonlyMap<string, Due> = new Map([
  ["SessionEnd", "now"],
  ["Stop", "after-quiet-period"],
  ["StopFailure", "after-quiet-period"],
  ["AfterAgent", "after-quiet-period"], // Gemini CLI's word for Stop
  ["", "after-quiet-period"],
]);

const NO_OBJECT = "the agent's message on stdin is no JSON object";

/** Never throws, and prints nothing but the line at a session's start: what fails goes to the log. */
export function runHook(call: HookCall): void {
  const log = new HookLog(call.env);
  const fail = (error: unknown) => log.add(describeFailure(error));
  // What a started worker or a bug reports later must not reach the agent either.
  process.on("uncaughtException", fail);
  try {
    const flags = parseWords(call.words);
    const input = readInput();
    const payload = "text" in input ? parsePayload(input.text) : null;
    const cwd = payload?.cwd || currentFolder();
    const repository = findRepository(flags.repo ?? cwd);
    log.isAbout(payload?.event ?? "", repository);
    for (const word of flags.unknown) log.add(`skillpr hook has no ${word}`);
    if (payload === null) log.add("problem" in input ? input.problem : NO_OBJECT);
    else if (repository !== null) answer({ ...payload, cwd: resolve(cwd) }, repository, call, log);
  } catch (error) {
    fail(error);
  }
}

interface HookFlags {
  /** `--repo`: instead of the folder that the agent names. */
  readonly repo: string | null;
  readonly unknown: readonly string[];
}

/** A wrong call must not disturb the agent either: what isn't known is passed over, and logged. */
function parseWords(words: readonly string[]): HookFlags {
  let repo: string | null = null;
  const unknown: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word.startsWith("--repo=")) repo = resolve(word.slice("--repo=".length));
    else if (word === "--repo" && words[i + 1] !== undefined) repo = resolve(words[++i] ?? "");
    else if (word !== "--json") unknown.push(word); // silent with `--json` too
  }
  return { repo, unknown };
}

function answer(payload: Payload, repository: FoundRepository, call: HookCall, log: HookLog): void {
  if (isNoUserSession(payload, call.env) || isOwnWorkspace(repository)) return;
  const folders = queueFolders(repository.stateDir);
  const start = () => startWorker(repository, call, (error) => log.add(describeFailure(error)));
  if (payload.event === "SessionStart") {
    const message = announceProposals(folders, repository.commonDir);
    if (message !== null) writeSync(1, JSON.stringify({ systemMessage: message }));
    // For jobs that became due while no agent ran: nothing else starts a worker.
    if (holdsJobs(folders)) start();
    return;
  }
  const due = CAPTURED.get(payload.event);
  if (due === undefined || isSwitchedOff(repository.root, call.env)) return;
  const agent = agentOf(payload.transcriptPath, call.env);
  const problem = captureSession(folders, payload, { due, agent, now: new Date() });
  if (problem !== null) log.add(problem);
  if (problem === null || holdsJobs(folders)) start();
}

/** Empty when it was removed under our feet. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    if (hasCode(error, "ENOENT", "EACCES")) return "";
    throw error;
  }
}

function holdsJobs({ captured }: QueueFolders): boolean {
  try {
    // One name is enough: there may be thousands.
    const folder = opendirSync(captured);
    const first = folder.readSync();
    folder.closeSync();
    return first !== null;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES")) return false;
    throw error;
  }
}
