/**
 * What a reader of a session must not miss: the user's words, what failed, what came before it worked
 * again, and how the work was checked at last. Everything else may be folded.
 */
import { FIXING_EDITS_SHOWN } from "../../core/limits.ts";
import type { ToolCall, Turn } from "../session.ts";

export interface Eventful {
  /** Turns whose words count: the user's, and the agent's last ones. */
  readonly turns: ReadonlySet<Turn>;
  readonly calls: ReadonlySet<ToolCall>;
}

export function eventfulIn(turns: readonly Turn[]): Eventful {
  const calls = turns.flatMap((turn) => turn.toolCalls);
  const isSpoken = ({ role, subagent, text }: Turn) =>
    role === "user" && subagent === null && text.trim() !== "";
  const spoken = turns.filter(isSpoken);
  const last = turns.findLast(({ role, subagent, text }) => isMain(role, subagent) && text !== "");
  return {
    turns: new Set(last === undefined ? spoken : [...spoken, last]),
    calls: new Set([...troubles(calls), ...lastChecks(calls)]),
  };
}

function isMain(role: Turn["role"], subagent: string | null): boolean {
  return role === "agent" && subagent === null;
}

/** Failed and declined calls, the success that followed each, and the edits right before that. */
function troubles(calls: readonly ToolCall[]): ToolCall[] {
  const editsBefore = previousEdits(calls);
  /** Index of the next success by tool, and by tool and target, as the walk goes back. */
  const next = new Map<string, number>();
  const found = new Set<number>();
  for (const [index, call] of [...calls.entries()].reverse()) {
    if (call.outcome === "success") for (const key of keysOf(call)) next.set(key, index);
    if (!isTrouble(call)) continue;
    found.add(index);
    const fixes = call.outcome === "failure" ? keysOf(call).map((key) => next.get(key)) : [];
    const known = fixes.filter((fix) => fix !== undefined);
    for (const part of known.flatMap((fix) => repair(index, fix, editsBefore))) found.add(part);
  }
  return calls.filter((_, index) => found.has(index));
}

function isTrouble({ outcome }: ToolCall): boolean {
  return outcome === "failure" || outcome === "cancelled";
}

/** The success and the last edits between it and the failure. */
function repair(failure: number, fix: number, editsBefore: Int32Array): number[] {
  const found = [fix];
  let edit = editsBefore[fix] ?? -1;
  while (edit > failure && found.length <= FIXING_EDITS_SHOWN) {
    found.push(edit);
    edit = editsBefore[edit] ?? -1;
  }
  return found;
}

/** For each call the index of the last successful edit before it, or -1. */
function previousEdits(calls: readonly ToolCall[]): Int32Array {
  const before = new Int32Array(calls.length);
  let last = -1;
  for (const [index, call] of calls.entries()) {
    before[index] = last;
    const isEdit = call.kind === "edit" || call.kind === "write";
    if (isEdit && call.outcome === "success") last = index;
  }
  return before;
}

/** What a later success must share with a failure: the tool, and more tellingly what it worked on. */
function keysOf({ name, command, writePaths }: ToolCall): string[] {
  const target = command?.trim().split(/\s+/).slice(0, 2).join(" ") ?? writePaths[0];
  return target === undefined ? [name] : [name, `${name} ${target}`];
}

const CHECK = /\b(?:test|tests|check|lint|build|verify|tsc|pytest|vitest|jest|make|ci)\b/;

/** The last command of all, and the last one that looks like a check. */
function lastChecks(calls: readonly ToolCall[]): ToolCall[] {
  const ran = calls.filter(({ command, outcome }) => command !== null && outcome !== "unknown");
  const check = ran.findLast(({ command }) => CHECK.test(command ?? ""));
  return [ran.at(-1), check].filter((call) => call !== undefined);
}
