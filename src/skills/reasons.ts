/**
 * Why a strategy or a skill was changed or marked, kept in the Skillbook's file beside it: so that the page of
 * a pull request can say it wherever it is made, and whichever batch the operation came with. ACE's format has
 * no such field, and its loader passes over it. Pure.
 */
import { MARK_REASON_MAX_BYTES, STRATEGY_REASONS_MAX } from "../core/limits.ts";
import { cutJson } from "../core/text.ts";
import { isGrown, laterFrom } from "./kept-entries.ts";
import { canonical, sourceOfMark } from "./occurrences.ts";
import type { Operation } from "./operation.ts";
import { isRecord } from "./skill-file.ts";

/** What one operation said of itself. */
export interface Reason {
  readonly type: Operation["type"];
  /** Of a TAG. */
  readonly delta?: -1 | 0 | 1;
  readonly reason: string;
  /** Its first source's `trace_uid`. */
  readonly from?: string;
}

interface Reasoned {
  readonly reasons?: readonly Reason[];
}

/** Somebody else's field of that name says nothing here. */
export function reasonsOf({ reasons }: { readonly reasons?: unknown }): readonly Reason[] {
  return isOurs(reasons) ? reasons : [];
}

function isOurs(value: unknown): value is readonly Reason[] {
  if (!Array.isArray(value)) return false;
  return value.every(
    (each: unknown) =>
      isRecord(each) && typeof each["type"] === "string" && typeof each["reason"] === "string",
  );
}

/**
 * With the operation's reason, where it gives one; the oldest go when there are too many, and a mark's is cut: there
 * is one for each session. A REMOVE's is kept elsewhere.
 */
export function withReason<About extends Reasoned>(about: About, operation: Operation): About {
  const { type, reason, insight_source: source } = operation;
  const isTheirs = about.reasons !== undefined && !isOurs(about.reasons);
  if (reason === undefined || type === "REMOVE" || isTheirs) return about;
  const [first] = source === undefined ? [] : [source].flat();
  const from = (type === "TAG" && first ? sourceOfMark(first) : first)?.["trace_uid"];
  const fresh: Reason = {
    type,
    ...(type === "TAG" && { delta: operation.metadata.delta }),
    reason: type === "TAG" ? cutJson(reason, MARK_REASON_MAX_BYTES) : reason,
    ...(typeof from === "string" && { from }),
  };
  return { ...about, reasons: [...reasonsOf(about), fresh].slice(-STRATEGY_REASONS_MAX) };
}

/** With the reasons of another that say the same, where they are new. */
export function withReasonsOf<About extends Reasoned>(about: About, other: Reasoned): About {
  const fresh = newReasons(about, other);
  const isTheirs = about.reasons !== undefined && !isOurs(about.reasons);
  if (fresh.length === 0 || isTheirs) return about;
  return { ...about, reasons: [...reasonsOf(about), ...fresh].slice(-STRATEGY_REASONS_MAX) };
}

/** Of another state of one, the reasons that this one never had. */
export function laterReasons(here: Reasoned, other: Reasoned, isFurther: boolean): Reason[] {
  const [own, theirs] = [here, other].map((each) => reasonsOf(each).map(canonical));
  const how = { max: STRATEGY_REASONS_MAX, isFurther };
  return reasonsOf(other).slice(laterFrom(own ?? [], theirs ?? [], how));
}

/** Whether a new version has all reasons of the one before but the oldest, which leave a list that is full; somebody else's field isn't looked into. */
export function areReasonsKept(before: Reasoned, after: Reasoned): boolean {
  const [was, now] = [before, after].map((each) => reasonsOf(each).map(canonical));
  return isGrown(was ?? [], now ?? [], STRATEGY_REASONS_MAX);
}

/** The reasons that only the second has. */
export function newReasons(before: Reasoned, after: Reasoned): Reason[] {
  const known = reasonsOf(before).map(canonical);
  return reasonsOf(after).filter((each) => {
    const at = known.indexOf(canonical(each));
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}
