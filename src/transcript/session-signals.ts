/**
 * Signals: what in a session suggests that something was learned. A command that failed and worked
 * later, and the user stepping in. Read off outcomes, times and a few words; nothing is judged.
 */
import {
  QUOTE_MAX_CHARS,
  SIGNAL_CHANGES_MAX,
  SIGNAL_PATH_MAX_CHARS,
  SIGNAL_TURNS_MAX,
  SIGNALS_MAX,
} from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";
import { resolveAgentPath } from "./agent-path.ts";
import { plainCommand } from "./command-parts.ts";
import {
  isFileChange,
  type RedactedSession,
  type Session,
  type ToolCall,
  type Turn,
} from "./session.ts";

/** A command that failed, and succeeded after its last failure. Turns are ids in the session's order. */
export interface Fix {
  readonly command: string;
  readonly failedIn: readonly string[];
  readonly succeededIn: readonly string[];
  /** Files of the project that the agent changed between the first failure and the last of those successes. */
  readonly changed: readonly { readonly path: string; readonly turns: readonly string[] }[];
}

/**
 * Words of the user that steered the agent. `while_working`: they came while it worked;
 * `after_cancel`: after a call of it that was declined or stopped; `by_words`: they begin like an objection.
 */
export interface Correction {
  readonly turn: string;
  readonly how: "while_working" | "after_cancel" | "by_words";
  /** Their beginning, on one line. */
  readonly words: string;
}

export interface SessionSignals {
  readonly fixes: readonly Fix[];
  readonly corrections: readonly Correction[];
}

/** @param session redacted: commands and words of it are quoted. Only its main thread counts. */
export function sessionSignals(session: RedactedSession): SessionSignals {
  const turns = session.turns.filter(({ subagent, rewound }) => subagent === null && !rewound);
  return { fixes: fixesIn(turns, session.cwd), corrections: correctionsIn(turns) };
}

interface Placed {
  readonly turn: string;
  readonly call: ToolCall;
  /** Null for a change of files. */
  readonly command: string | null;
}

function fixesIn(turns: readonly Turn[], cwd: Session["cwd"]): Fix[] {
  const failing = failedCommands(turns);
  if (failing.size === 0) return [];
  const calls = turns.flatMap(({ id, toolCalls }) => toolCalls.flatMap(placedAt(id, failing)));
  const runs = new Map<string, number[]>();
  for (const [at, { command }] of calls.entries()) {
    if (command === null) continue;
    const known = runs.get(command);
    if (known === undefined) runs.set(command, [at]);
    else known.push(at);
  }
  const fixes: Fix[] = [];
  for (const [command, places] of runs) {
    const failed = places.filter((at) => calls[at]?.call.outcome === "failure");
    const last = failed.at(-1) ?? Number.POSITIVE_INFINITY;
    const worked = places.filter((at) => at > last && calls[at]?.call.outcome === "success");
    if (worked.length === 0) continue;
    const turnsAt = (some: readonly number[]) => distinct(some.map((at) => calls[at]?.turn ?? ""));
    const changed = changesIn(calls.slice(failed[0], worked.at(-1)), cwd);
    fixes.push({ command, failedIn: turnsAt(failed), succeededIn: turnsAt(worked), changed });
  }
  return fixes;
}

function failedCommands(turns: readonly Turn[]): ReadonlySet<string> {
  const failed = new Set<string>();
  for (const { toolCalls } of turns)
    for (const { command, outcome } of toolCalls)
      if (command !== null && outcome === "failure") failed.add(plainCommand(command));
  return failed;
}

/** Changes of files, and the commands that failed at some time: of the others there may be a million. */
function placedAt(turn: string, failing: ReadonlySet<string>): (call: ToolCall) => Placed[] {
  return (call) => {
    const command = call.command === null ? null : plainCommand(call.command);
    const isTelling = command === null ? isFileChange(call) : failing.has(command);
    return isTelling ? [{ turn, call, command }] : [];
  };
}

function changesIn(calls: readonly Placed[], cwd: Session["cwd"]): Fix["changed"] {
  const turnsOf = new Map<string, Set<string>>();
  for (const { turn, call } of calls) {
    if (!isFileChange(call) || call.outcome !== "success") continue;
    for (const path of call.writePaths) {
      const inside = insideOf(cwd, resolveAgentPath(path, call.cwd ?? cwd));
      if (inside !== null && inside.length <= SIGNAL_PATH_MAX_CHARS) addTurn(turnsOf, inside, turn);
    }
  }
  return [...turnsOf].map(([path, turns]) => ({ path, turns: [...turns] }));
}

/** The first ones of each path, and the first paths, are told. */
function addTurn(turnsOf: Map<string, Set<string>>, path: string, turn: string): void {
  const known = turnsOf.get(path);
  if (known !== undefined && known.size < SIGNAL_TURNS_MAX) known.add(turn);
  else if (known === undefined && turnsOf.size < SIGNAL_CHANGES_MAX)
    turnsOf.set(path, new Set([turn]));
}

/** Null for what lies outside of the session's folder: such paths tell of a machine, not of the project. */
function insideOf(cwd: string | null, path: string | null): string | null {
  const root = cwd === null ? null : resolveAgentPath(cwd, null)?.replace(/\/$/, "");
  if (path === null || root === null || root === undefined) return null;
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
}

function distinct(turns: readonly string[]): string[] {
  return [...new Set(turns)].slice(0, SIGNAL_TURNS_MAX);
}

/** How people begin when the agent is on a wrong way. English only; the other two signs need no words. */
const OBJECTION =
  /^(?:no\b(?! (?:problem|worries|need))|nope\b|don['’]?t\b|do not\b|stop\b|wait\b|wrong\b|not (?:that|this|like)\b|that['’]?s (?:not|wrong)\b|this is (?:not|wrong)\b|instead\b|actually\b|rather\b|please (?:don['’]?t|do not)\b|you (?:should(?:n['’]t)?|mustn['’]?t|must|forgot|missed|broke)\b|never\b|undo\b|revert\b)/i;

/** The first words of the user are the task, and correct nothing. */
function correctionsIn(turns: readonly Turn[]): Correction[] {
  const found: Correction[] = [];
  let agent: Turn | null = null;
  for (const turn of turns) {
    if (turn.role === "agent") agent = turn;
    else if (agent !== null && turn.text.trim() !== "") {
      const how = howSteered(turn, agent);
      const words = cut(safeLine(turn.text.trim().split("\n")[0] ?? ""), QUOTE_MAX_CHARS);
      if (how !== null) found.push({ turn: turn.id, how, words });
    }
  }
  return found.slice(0, SIGNALS_MAX);
}

function howSteered(turn: Turn, before: Turn): Correction["how"] | null {
  if (turn.midTurn) return "while_working";
  if (before.toolCalls.some(({ outcome }) => outcome === "cancelled")) return "after_cancel";
  return OBJECTION.test(turn.text.trim()) ? "by_words" : null;
}
