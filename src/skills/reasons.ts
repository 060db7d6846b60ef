/**
 * Why a strategy or a skill was changed or marked, kept in the Skillbook's file beside it: so that the page of
 * a pull request can say it wherever it is made, and whichever batch the operation came with. ACE's format has
 * no such field, and its loader passes over it. Pure.
 */
import { STRATEGY_REASONS_MAX } from "../core/limits.ts";
import { canonical } from "./occurrences.ts";
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

/** With the operation's reason, where it gives one; the oldest go when there are too many. A REMOVE's is kept elsewhere. */
export function withReason<About extends Reasoned>(about: About, operation: Operation): About {
  const { type, reason, insight_source: source } = operation;
  const isTheirs = about.reasons !== undefined && !isOurs(about.reasons);
  if (reason === undefined || type === "REMOVE" || isTheirs) return about;
  const [first] = source === undefined ? [] : [source].flat();
  const from = first?.["trace_uid"];
  const fresh: Reason = {
    type,
    ...(type === "TAG" && { delta: operation.metadata.delta }),
    reason,
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

/** The reasons that only the second has. */
export function newReasons(before: Reasoned, after: Reasoned): Reason[] {
  const known = reasonsOf(before).map(canonical);
  return reasonsOf(after).filter((each) => {
    const at = known.indexOf(canonical(each));
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}
