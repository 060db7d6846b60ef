/**
 * A session that went on after it was reviewed: how much of it is new. The turns that were reviewed must
 * be there still, word for word, at the beginning; else all of it counts as new.
 */
import { createHash } from "node:crypto";
import {
  countsWithoutResults,
  type Session,
  type ToolCall,
  type Turn,
} from "../transcript/session.ts";
import type { Ledger, LedgerEntry } from "./ledger.ts";

export interface Growth {
  /** Nothing was said or done since. */
  readonly alreadyReviewed: boolean;
  /** The first turn that wasn't reviewed yet; null: all of the session is to be reviewed. */
  readonly newFrom: string | null;
  /**
   * The first turn after those that were reviewed: `newFrom` may be the last of them, shown once more. Null: none
   * was reviewed.
   */
  readonly markFrom: string | null;
}

/** @param sessionId as the ledger's entries have it */
export async function reviewedBefore(
  ledger: Ledger,
  session: Session,
  sessionId: string,
): Promise<Growth> {
  const nothingNew = { alreadyReviewed: true, newFrom: null, markFrom: null };
  if ((await ledger.find(session.digest)) !== null) return nothingNew;
  const { turns, agent } = session;
  for (const { reviewed } of await ledger.ofSession(agent, sessionId, turns.length)) {
    if (reviewed === undefined) continue;
    if (reviewed.before !== digestOfSettled(turns.slice(0, reviewed.turns - 1))) continue;
    // The last one may have been written to still: a call had no result yet.
    const hasGrown = reviewed.last !== digestOfLast(turns[reviewed.turns - 1]);
    const fresh = turns.slice(hasGrown ? reviewed.turns - 1 : reviewed.turns);
    // Where the last one isn't known, it is shown again, with what follows; by itself it is nothing new.
    const added = reviewed.last === null ? turns.slice(reviewed.turns) : fresh;
    if (!added.some(isAgents)) return nothingNew;
    const isAllNew = fresh.length === turns.length;
    const newFrom = isAllNew ? null : idOf(fresh[0]);
    return { alreadyReviewed: false, newFrom, markFrom: idOf(turns[reviewed.turns]) ?? newFrom };
  }
  return { alreadyReviewed: false, newFrom: null, markFrom: null };
}

/** How much of a session was reviewed, by which its growth is recognised; undefined where nobody answered. */
export function reviewedPart({ turns }: Session): LedgerEntry["reviewed"] {
  // A last message of the user that nobody answered isn't shown to a reviewer.
  const count = turns.findLastIndex(isAgents) + 1;
  if (count === 0) return undefined;
  const before = digestOfSettled(turns.slice(0, count - 1));
  return { turns: count, before, last: digestOfLast(turns[count - 1]) };
}

/** The session as if it began with that turn, with its completed calls counted from there. */
export function newPart(session: Session, newFrom: string): Session {
  // As when it was read: where a format records no results, every call counts.
  const countsAll = countsWithoutResults(session);
  const turns = session.turns.slice(session.turns.findIndex(({ id }) => id === newFrom));
  const main = turns.flatMap((turn) => (turn.subagent === null ? turn.toolCalls : []));
  const completed = main.filter(
    ({ outcome }) => countsAll || outcome === "success" || outcome === "failure",
  );
  return { ...session, turns, toolCallCount: completed.length };
}

function idOf(turn: Turn | undefined): string | null {
  return turn?.id ?? null;
}

function isAgents({ role }: Turn): boolean {
  return role === "agent";
}

/**
 * Of turns that others follow: what was said and done. What may still change of them is no part of it:
 * whether they were taken back, and what a sub-agent answered, which comes when its own turns are over.
 */
function digestOfSettled(turns: readonly Turn[]): string {
  return digestOf(turns, ({ kind }) => kind !== "agent");
}

function digestOfLast(turn: Turn | undefined): string {
  return digestOf(turn === undefined ? [] : [turn], () => true);
}

function digestOf(turns: readonly Turn[], countsResult: (call: ToolCall) => boolean): string {
  const hash = createHash("sha256");
  for (const { role, text, subagent, toolCalls } of turns) {
    const calls = toolCalls.map((call) => {
      const { name, args, result, outcome } = call;
      return countsResult(call) ? [name, args, result, outcome] : [name, args];
    });
    hash.update(`${JSON.stringify([role, text, subagent, calls])}\n`);
  }
  return `sha256:${hash.digest("hex")}`;
}
