/** One call, written down more than once while it streamed. */
import { SAME_ID_CALLS_MAX } from "../core/limits.ts";
import type { CallDraft, ResultFacts, TurnDraft } from "./session-drafts.ts";

/** True for a call that looks like it was written down again. */
export function isSameCall(known: CallDraft, next: CallDraft): boolean {
  return known.name === next.name && JSON.stringify(known.args) === JSON.stringify(next.args);
}

/** A counter at an id's end: `call_0`, `functions.sh:12`. */
const COUNTER = /(?<!\d)\d{1,4}$/;
/** What a generator makes: many digits, or digits among letters. */
const GENERATED = /\d{5}|(?=[a-z]{0,8}\d)[a-z\d]{9}/i;

/** True for an id that may come again for another call: some providers count anew in each answer. */
function mayComeAgain(id: string): boolean {
  return !GENERATED.test(id.replace(COUNTER, ""));
}

/** A call like one that has its result, in another message: whether it is another one, its result tells. */
export interface Repeat {
  readonly call: CallDraft;
  /** Those that it may be written down again of. */
  readonly known: readonly CallDraft[];
  /** Adds it to its turn. */
  readonly keep: () => void;
}

/** Calls with an id that may come again, and their repeats that wait for a result. */
export class RepeatedCalls {
  readonly #turns = new Map<CallDraft, TurnDraft>();
  readonly #waiting = new Map<string, Repeat[]>();

  /** Remembers which message a call is of, where that may be asked. */
  add(call: CallDraft, turn: TurnDraft): void {
    if (call.id !== null && mayComeAgain(call.id)) this.#turns.set(call, turn);
  }

  /** All calls of one id, without the oldest when they are too many and it waits for nothing. */
  withRoom(calls: readonly CallDraft[]): readonly CallDraft[] {
    const [oldest] = calls;
    if (calls.length < SAME_ID_CALLS_MAX || oldest?.outcome === "unknown") return calls;
    if (oldest !== undefined) this.#turns.delete(oldest);
    return calls.slice(1);
  }

  clear(): void {
    this.#turns.clear();
    this.#waiting.clear();
  }

  /** True when the call may be another one than those it looks like: each has its result, and is of another message. */
  mayBeAnother(known: readonly CallDraft[], turn: TurnDraft): boolean {
    return known.every((call) => {
      const before = this.#turns.get(call);
      return before !== undefined && before !== turn && call.outcome !== "unknown";
    });
  }

  /** Lets it wait for a result, unless the same one does already; gives the call that waits. */
  wait(id: string, repeat: Repeat): CallDraft {
    const list = this.#waiting.get(id) ?? [];
    const same = list.find(({ call }) => isSameCall(call, repeat.call));
    if (same !== undefined) return same.call;
    list.push(repeat);
    if (list.length > SAME_ID_CALLS_MAX) list.shift();
    this.#waiting.set(id, list);
    return repeat.call;
  }

  /** The first that waits under an id (which it does no longer), or this call of them; null when there is none. */
  next(id: string | null, call: CallDraft | null = null): Repeat | null {
    const list = this.#waiting.get(id ?? "") ?? [];
    const at = call === null ? 0 : list.findIndex((each) => each.call === call);
    const found = at === -1 ? undefined : list.splice(at, 1)[0];
    if (id !== null && list.length === 0) this.#waiting.delete(id);
    return found ?? null;
  }
}

/**
 * True when a call's whole record was repeated: the result is the same, and nothing tells the two apart.
 * @param isKeyed every message has an id: another turn is another message, whatever its time
 */
export function isRepeated(repeat: Repeat, result: ResultFacts, isKeyed: boolean): boolean {
  // Formats without times put pieces of one message together, whatever their ids.
  if (isKeyed && repeat.call.at !== null) return false;
  return repeat.known.some(
    (known) => known.at === repeat.call.at && isSameText(known.result, result.text),
  );
}

/** Of a long result just the beginning is compared: it was cut. */
function isSameText(kept: string | null, text: string | null): boolean {
  if (kept === null || text === null) return kept === text;
  return kept === text || (kept.length < text.length && kept.slice(0, 64) === text.slice(0, 64));
}

/**
 * Puts a call where the same one stands in the turn with a part of its arguments, if it does.
 * @returns the one whose place it took, or null
 */
export function takePlaceOfPart(turn: TurnDraft, call: CallDraft): CallDraft | null {
  const calls = turn.toolCalls as CallDraft[];
  // A message that streams is written down again at once, not thousands of calls later.
  for (let at = calls.length - 1; at >= calls.length - SAME_ID_CALLS_MAX; at -= 1) {
    const part = calls[at];
    if (part === undefined || part.id !== call.id || !isPartOf(part, call)) continue;
    calls[at] = call;
    return part;
  }
  return null;
}

/** True for a call that was written down while its arguments still arrived. */
function isPartOf(known: CallDraft, next: CallDraft): boolean {
  if (known.name !== next.name || known.outcome !== "unknown") return false;
  return Object.entries(known.args).every(([key, value]) => {
    const full = next.args[key];
    if (typeof value === "string" && typeof full === "string") return full.startsWith(value);
    return JSON.stringify(value) === JSON.stringify(full);
  });
}

/** A million turns hold a text or a call each: a list that is made for one takes a tenth of a list that may grow. */
export function added<T>(list: readonly T[], item: T, place = list.length): readonly T[] {
  if (list.length === 0) return [item];
  (list as T[]).splice(place, 0, item);
  return list;
}
