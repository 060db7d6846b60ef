/** Where strategies were seen: one source a trace, as ACE's InsightSource. Pure. */
import { createHash } from "node:crypto";
import {
  MARK_SOURCE_MAX_BYTES,
  MARK_TRACE_MAX_BYTES,
  STRATEGY_SOURCES_MAX,
} from "../core/limits.ts";
import { jsonBytes, trimmed } from "../core/text.ts";
import { isGrown, laterFrom } from "./kept-entries.ts";
import type { Occurrence } from "./skillbook.ts";

/** Names of ACE's earlier records, the most telling first; people read them where there is no other. */
const LEGACY_ID_FIELDS = ["sample_id", "item_id", "task_id", "id"] as const;
/** Fields by which ACE's records name a trace, the most telling first. */
const ID_FIELDS = ["trace_id", ...LEGACY_ID_FIELDS] as const;

/**
 * Adds sources to those that are known: one a trace, whatever else they say of it. The first is the `seed`,
 * the others are `supporting`. Of more than STRATEGY_SOURCES_MAX the oldest supporting ones leave; where nothing
 * is added, nothing does.
 */
export function withSources(
  occurrences: readonly Occurrence[],
  source: Occurrence | readonly Occurrence[] | undefined,
): readonly Occurrence[] {
  if (source === undefined) return occurrences;
  const known = new Set(occurrences.map(traceKey));
  let hasSeed = occurrences.some(isSeed);
  const fresh: Occurrence[] = [];
  for (const each of isList(source) ? source : [source]) {
    const key = traceKey(each);
    if (known.has(key)) continue;
    known.add(key);
    fresh.push(hasSeed && isSeed(each) ? { ...each, relation: "supporting" } : each);
    hasSeed ||= isSeed(each);
  }
  return fresh.length === 0 ? occurrences : bounded([...occurrences, ...fresh]);
}

/** The seed, and the newest of the others, in their order. */
export function bounded(occurrences: readonly Occurrence[]): readonly Occurrence[] {
  const surplus = occurrences.length - STRATEGY_SOURCES_MAX;
  if (surplus <= 0) return occurrences;
  const seed = occurrences.findIndex(isSeed);
  const isAmongOldest = seed >= 0 && seed <= surplus;
  return occurrences.filter((_, at) => at === seed || at >= surplus + (isAmongOldest ? 1 : 0));
}

/** True where a list holds as many as it may, so that others may have left it. */
export function isFull(occurrences: readonly Occurrence[]): boolean {
  return occurrences.length >= STRATEGY_SOURCES_MAX;
}

/** Whether a new version of a list has all of the one before but what had to leave it. */
export function areSourcesKept(
  before: readonly Occurrence[],
  after: readonly Occurrence[],
): boolean {
  const seed = before.find(isSeed);
  const keysOf = (list: readonly Occurrence[], left: Occurrence | undefined) =>
    list.filter((each) => each !== left).map(keyOf);
  if (seed === undefined)
    return isGrown(keysOf(before, seed), keysOf(after, seed), STRATEGY_SOURCES_MAX);
  const still = after.find((each) => isSeed(each) && keyOf(each) === keyOf(seed));
  if (still === undefined) return false;
  return isGrown(keysOf(before, seed), keysOf(after, still), STRATEGY_SOURCES_MAX - 1);
}

/**
 * Of another state of a list, the sources that this one never had.
 * @param isFurther whether the other is the later state, as far as can be told
 */
export function laterSources(
  here: readonly Occurrence[],
  other: readonly Occurrence[],
  isFurther: boolean,
): readonly Occurrence[] {
  const seed = here.find(isSeed);
  const tracesOf = (list: readonly Occurrence[]) => list.map((each) => String(traceKey(each)));
  const others = other.filter((each) => seed === undefined || traceKey(each) !== traceKey(seed));
  const max = STRATEGY_SOURCES_MAX - (seed === undefined ? 0 : 1);
  const own = tracesOf(here.filter((each) => each !== seed));
  const from = laterFrom(own, tracesOf(others), { max, isFurther });
  return unseenSources(here, others.slice(from));
}

/** A mark's source as it is kept: every session marks what it loaded, so of a long one only what names its trace is. */
export function sourceOfMark(source: Occurrence): Occurrence {
  if (Buffer.byteLength(JSON.stringify(source)) <= MARK_SOURCE_MAX_BYTES) return source;
  const { trace_uid, source_system, trace_id, display_name } = normalSource(source);
  const relation = isSeed(source) ? "seed" : "supporting";
  const named = { trace_uid, source_system, trace_id, display_name, relation };
  if (Buffer.byteLength(JSON.stringify(named)) <= MARK_SOURCE_MAX_BYTES) return named;
  const uid = String(trace_uid);
  const isLong = jsonBytes(uid) > MARK_TRACE_MAX_BYTES;
  return { trace_uid: isLong ? `legacy:${hashOf({ trace_uid })}` : uid, relation };
}

/** The sources of traces that a list doesn't name. */
export function unseenSources(
  known: readonly Occurrence[],
  sources: readonly Occurrence[],
): readonly Occurrence[] {
  const traces = new Set(known.map(traceKey));
  return sources.filter((each) => !traces.has(traceKey(each)));
}

/** How many traces sources name. */
export function traceCount(occurrences: readonly Occurrence[]): number {
  return new Set(occurrences.map(traceKey)).size;
}

/** The sources of one list that the other doesn't have, word for word. */
export function newSources(
  before: readonly Occurrence[],
  after: readonly Occurrence[],
): Occurrence[] {
  const known = new Set(before.map(keyOf));
  return after.filter((each) => !known.has(keyOf(each)));
}

/**
 * A record about a trace with the four fields that name it, as ACE fills them; what it says itself is kept. A
 * `trace_uid` is split once (`sys:abc:d` is `abc:d` of `sys`); what names nothing is named by the hash of its content.
 */
export function normalSource(raw: Occurrence): Occurrence {
  const uid = textIn(raw, "trace_uid");
  const split = uid?.indexOf(":") ?? -1;
  const [system, id] =
    uid !== null && split >= 0
      ? // What stands before the colon may be nothing: ACE calls that system so.
        [uid.slice(0, split).trim() || "local", uid.slice(split + 1).trim()]
      : [null, traceIdOf(raw) ?? uid];
  const source_system = textIn(raw, "source_system") ?? system ?? "legacy";
  const trace_id = textIn(raw, "trace_id") ?? id ?? hashOf(raw);
  const display_name = textIn(raw, "display_name") ?? legacyIdOf(raw) ?? trace_id;
  const { display_name: _, ...rest } = withoutIds(raw);
  return {
    ...rest,
    trace_uid: uid ?? `${source_system}:${trace_id}`,
    source_system,
    trace_id,
    ...(display_name !== "" && { display_name }),
  };
}

/** What a record names its trace by; null when it doesn't. */
export function traceIdOf(raw: Occurrence): string | null {
  return textIn(raw, "trace_id") ?? legacyIdOf(raw);
}

function legacyIdOf(raw: Occurrence): string | null {
  for (const field of LEGACY_ID_FIELDS) {
    const id = textIn(raw, field);
    if (id !== null) return id;
  }
  return null;
}

/** JSON with the fields of every object in one order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** ACE's saving writes the names of a trace out: before and after it is the same. */
function traceKey({ relation: _, ...source }: Occurrence): unknown {
  return normalSource(source)["trace_uid"];
}

function keyOf({ relation: _, ...source }: Occurrence): string {
  return canonical(source);
}

function isSeed({ relation }: Occurrence): boolean {
  return relation === "seed";
}

function isList(source: Occurrence | readonly Occurrence[]): source is readonly Occurrence[] {
  return Array.isArray(source);
}

/** Trimmed, numbers too: ACE reads both as the same name. */
function textIn(raw: Occurrence, field: string): string | null {
  const value = raw[field];
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" ? trimmed(text) : null;
}

/** The names that became `trace_id`. */
function withoutIds(raw: Occurrence): Occurrence {
  const ids: readonly string[] = ID_FIELDS;
  return Object.fromEntries(Object.entries(raw).filter(([field]) => !ids.includes(field)));
}

function hashOf(raw: Occurrence): string {
  return createHash("sha256")
    .update(spaced(JSON.parse(canonical(raw))))
    .digest("hex");
}

/** The text that ACE hashes: the fields in order, a space behind each comma and colon. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${spaced(each)}`,
  );
  return `{${fields.join(", ")}}`;
}
