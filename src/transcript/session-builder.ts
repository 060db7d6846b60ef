/**
 * Builds a Session from what an adapter finds, in file order.
 *
 * It holds the rules that are the same in every format: what is kept of long texts, how calls are
 * told apart (by id; by position where ids are worthless), how results find their calls, how
 * turns are numbered, and what is counted.
 */
import {
  EARLY_RESULTS_KEPT,
  SAME_ID_CALLS_MAX,
  SUCCESS_MIN_CHARS,
  TEXT_MIN_CHARS,
  TOOL_ARGUMENT_MAX_CHARS,
  TOOL_RESULT_MAX_CHARS,
  TURN_TEXT_MAX_CHARS,
  UNNAMED_CALLS_WAITING_MAX,
} from "../core/limits.ts";
import { type CutArguments, keepText } from "./bounded-text.ts";
import { argumentsOf, draftOf } from "./call-draft.ts";
import { finishSession, type SessionSource } from "./finish-session.ts";
import { isoTime } from "./iso-time.ts";
import { asId } from "./json-values.ts";
import { isSameCall, takesPlaceOfPart } from "./same-call.ts";
import type { Session } from "./session.ts";
import type {
  CallDraft,
  CallFacts,
  ResultFacts,
  SessionFacts,
  TurnDraft,
  TurnFacts,
} from "./session-drafts.ts";
import { spoolArguments, spoolWords } from "./spool-texts.ts";
import { TextRoom } from "./text-room.ts";
import type { TextSpool } from "./text-spool.ts";

const NONE: readonly never[] = Object.freeze([]);

export class SessionBuilder {
  readonly facts: SessionFacts = {
    id: null,
    agentVersion: null,
    cwd: null,
    branch: null,
    model: null,
  };
  readonly #turns: TurnDraft[] = [];
  readonly #turnsByKey = new Map<string, TurnDraft>();
  readonly #callsById = new Map<string, CallDraft[]>();
  /** Calls without a usable id that wait for a result. */
  readonly #unnamed: CallDraft[] = [];
  /** The last results whose calls weren't there yet, by id. */
  readonly #early = new Map<string, (call: CallDraft) => ResultFacts>();
  #startedAt: string | null = null;
  #endedAt: string | null = null;
  #resultCount = 0;
  #strayResultCount = 0;
  readonly #room = new TextRoom();
  readonly #spool: TextSpool | null;

  /** @param spool takes the whole of what is cut; null: it is not kept */
  constructor(spool: TextSpool | null = null) {
    this.#spool = spool;
  }

  /**
   * The turn of this key, a new one when there is none yet. Records that belong to one message
   * share a key; without one every record is a turn of its own.
   */
  turn(key: string | null, facts: TurnFacts): TurnDraft {
    const known = key === null ? undefined : this.#turnsByKey.get(key);
    if (known !== undefined) return known;
    const turn: TurnDraft = {
      role: facts.role,
      subagent: facts.subagent ?? null,
      at: this.sawTime(facts.at),
      texts: NONE,
      calls: NONE,
      textChars: 0,
      midTurn: facts.midTurn ?? false,
      rewound: false,
    };
    this.#turns.push(turn);
    if (key !== null) this.#turnsByKey.set(key, turn);
    return turn;
  }

  /** Adds a piece of what was said; a piece that the turn holds already is a repeated record's. */
  say(turn: TurnDraft, text: string): void {
    const room = this.#room.next(TURN_TEXT_MAX_CHARS, TEXT_MIN_CHARS) - turn.textChars;
    if (text.trim() === "" || turn.texts.includes(text)) return;
    const kept = room <= 0 ? "" : keepText(text, room);
    if (kept !== text) spoolWords(this.#spool, turn, text);
    if (kept === "" || turn.texts.includes(kept)) return;
    // Written down several times while it streamed: the longer one takes the shorter one's place.
    const last = turn.texts.at(-1);
    const hasGrown = last !== undefined && kept.startsWith(last);
    turn.texts = hasGrown ? [...turn.texts.slice(0, -1), kept] : added(turn.texts, kept);
    const more = kept.length - (hasGrown ? last.length : 0);
    turn.textChars += more;
    this.#room.took(more);
  }

  /** Adds a call; one that is known already (same id, name and arguments) is not added again. */
  call(turn: TurnDraft, facts: CallFacts): CallDraft {
    const cut: CutArguments = { keptChars: 0, texts: [], hasDropped: false };
    const args = argumentsOf(facts.args);
    const id = asId(facts.id);
    const known = id === null ? undefined : this.#callsById.get(id);
    const argsMax = known?.[0]?.argsMax ?? this.#room.next(TOOL_ARGUMENT_MAX_CHARS, TEXT_MIN_CHARS);
    const draft = draftOf({ ...facts, id, args, at: this.sawTime(facts.at) }, argsMax, cut);
    const same = known?.find((call) => isSameCall(call, draft));
    if (same !== undefined) return same;
    this.#room.took(cut.keptChars);
    const fullArgs = spoolArguments(this.#spool, args, cut);
    if (fullArgs.length > 0) draft.fullArgs = fullArgs;
    if (known !== undefined && takesPlaceOfPart(turn, known, draft)) return draft;
    turn.calls = added(turn.calls, draft);
    // So many different calls under one id: the id tells nothing.
    const isWorthless = known !== undefined && known.length >= SAME_ID_CALLS_MAX;
    if (id === null || isWorthless) {
      if (!draft.isLoggedOnly) this.#unnamed.push(draft);
      if (this.#unnamed.length > UNNAMED_CALLS_WAITING_MAX) this.#unnamed.shift();
    } else if (known === undefined) {
      this.#callsById.set(id, [draft]);
      this.#giveEarly(id, draft);
    } else known.push(draft);
    return draft;
  }

  /** True when a call with this id is known. */
  hasCall(id: unknown): boolean {
    return this.#callsById.has(asId(id) ?? "");
  }

  /** The first call with this id, or null. */
  findCall(id: unknown): CallDraft | null {
    return this.#callsById.get(asId(id) ?? "")?.[0] ?? null;
  }

  /**
   * Gives a result to its call: the first with this id that has none; without a usable id the
   * oldest unnamed call (of this tool's name, when one is given). A second result is ignored.
   * @param result made from the call, since its outcome may depend on the command
   */
  answer(id: unknown, result: (call: CallDraft) => ResultFacts, toolName?: string | null): void {
    this.#resultCount += 1;
    const known = asId(id);
    const calls = known === null ? this.#unnamed : (this.#callsById.get(known) ?? []);
    const call = calls.find(
      (each) =>
        each.outcome === "unknown" &&
        (known !== null || toolName === undefined || toolName === null || each.name === toolName),
    );
    if (call !== undefined) {
      this.#give(call, result(call));
      if (known === null) this.#unnamed.splice(this.#unnamed.indexOf(call), 1);
    } else if (calls.length === 0) {
      this.#strayResultCount += 1;
      if (known !== null) this.#keepEarly(known, result);
    }
  }

  #keepEarly(id: string, result: (call: CallDraft) => ResultFacts): void {
    if (!this.#early.has(id)) this.#early.set(id, result);
    const [oldest] = this.#early.keys();
    if (this.#early.size > EARLY_RESULTS_KEPT && oldest !== undefined) this.#early.delete(oldest);
  }

  #giveEarly(id: string, call: CallDraft): void {
    const result = this.#early.get(id);
    if (result === undefined) return;
    this.#early.delete(id);
    this.#strayResultCount -= 1;
    this.#give(call, result(call));
  }

  /** Gives a result to a call that the adapter knows by its place; a second one is ignored. */
  settle(call: CallDraft, result: ResultFacts): void {
    this.#resultCount += 1;
    if (call.outcome !== "unknown") return;
    this.#give(call, result);
    // From the end: such a call was added just before.
    const waiting = call.id === null ? this.#unnamed.lastIndexOf(call) : -1;
    if (waiting !== -1) this.#unnamed.splice(waiting, 1);
  }

  /** Forgets what a turn said: for a format in which a later record replaces the message. */
  unsay(turn: TurnDraft): void {
    turn.texts = [];
    turn.textChars = 0;
    delete turn.full;
  }

  /** Widens the session's time span; gives the time in ISO 8601, or null when it is none. */
  sawTime(at: unknown): string | null {
    const time = isoTime(at);
    if (time === null) return null;
    if (this.#startedAt === null || time < this.#startedAt) this.#startedAt = time;
    if (this.#endedAt === null || time > this.#endedAt) this.#endedAt = time;
    return time;
  }

  finish(source: SessionSource): Session {
    // What only reading needs makes room for what is made now.
    this.#turnsByKey.clear();
    this.#callsById.clear();
    this.#early.clear();
    return finishSession(source, {
      facts: this.facts,
      turns: this.#turns,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
      resultCount: this.#resultCount,
      strayResultCount: this.#strayResultCount,
    });
  }

  #give(call: CallDraft, { text, outcome, exitCode }: ResultFacts): void {
    const least = outcome === "success" ? SUCCESS_MIN_CHARS : TEXT_MIN_CHARS;
    const max = this.#room.next(TOOL_RESULT_MAX_CHARS, least);
    call.result = text === null ? null : keepText(text, max);
    this.#room.took(call.result?.length ?? 0);
    const full = call.result === text ? null : (this.#spool?.add(text ?? "") ?? null);
    if (full !== null) call.fullResult = full;
    call.outcome = outcome;
    call.exitCode = exitCode;
  }
}

/** A million turns hold a text or a call each: a list that is made for one takes a tenth of a list that may grow. */
function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  (list as T[]).push(item);
  return list;
}
