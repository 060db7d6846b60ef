/**
 * Builds a Session from what an adapter finds, in file order.
 *
 * It holds the rules that are the same in every format: what is kept of long texts, how calls are
 * told apart (by id; by position where ids are worthless), how results find their calls, how
 * turns are numbered, and what is counted.
 */
import {
  SAME_ID_CALLS_MAX,
  SUCCESS_MIN_CHARS,
  TEXT_MIN_CHARS,
  TOOL_ARGUMENT_MAX_CHARS,
  TOOL_RESULT_MAX_CHARS,
  UNNAMED_CALLS_WAITING_MAX,
} from "../core/limits.ts";
import { type CutArguments, keepText } from "./bounded-text.ts";
import { argumentsOf, draftOf } from "./call-draft.ts";
import { EarlyResults } from "./early-results.ts";
import { finishSession, type SessionSource } from "./finish-session.ts";
import { TimeReader } from "./iso-time.ts";
import { asId } from "./json-values.ts";
import {
  added,
  isRepeated,
  isSameCall,
  type Repeat,
  RepeatedCalls,
  takePlaceOfPart,
} from "./same-call.ts";
import type { Session } from "./session.ts";
import {
  type CallDraft,
  type CallFacts,
  noFacts,
  type ResultFacts,
  type TurnDraft,
  type TurnFacts,
} from "./session-drafts.ts";
import { SharedTexts } from "./shared-texts.ts";
import { spoolArguments } from "./spool-texts.ts";
import { TextRoom } from "./text-room.ts";
import type { TextSpool } from "./text-spool.ts";
import { TurnWords } from "./turn-words.ts";

const NONE: readonly never[] = Object.freeze([]);

export class SessionBuilder {
  readonly facts = noFacts();
  readonly #turns: TurnDraft[] = [];
  readonly #turnsByKey = new Map<string, TurnDraft>();
  /** One call, not a list of one, since there may be a million. */
  readonly #callsById = new Map<string, CallDraft | CallDraft[]>();
  /** What each string of long arguments was cut to: when the call is written down again, so are they. */
  readonly #argsMax = new Map<CallDraft, number>();
  readonly #repeats = new RepeatedCalls();
  /** Every message of the agent so far has an id. */
  #isKeyed = true;
  readonly #loggedOnly = new Set<CallDraft>();
  /** Calls without a usable id that wait for a result. */
  readonly #unnamed: CallDraft[] = [];
  readonly #early = new EarlyResults();
  readonly #times = new TimeReader();
  #startedAt: string | null = null;
  #endedAt: string | null = null;
  #resultCount = 0;
  #strayResultCount = 0;
  readonly #room = new TextRoom();
  readonly #words: TurnWords;
  readonly #shared = new SharedTexts();
  readonly #spool: TextSpool | null;

  /** @param spool takes the whole of what is cut; null: it is not kept */
  constructor(spool: TextSpool | null = null) {
    this.#spool = spool;
    this.#words = new TurnWords(this.#room, spool);
  }

  /**
   * The turn of this key, a new one when there is none yet. Records that belong to one message
   * share a key; without one every record is a turn of its own.
   */
  turn(key: string | null, facts: TurnFacts): TurnDraft {
    const known = key === null ? undefined : this.#turnsByKey.get(key);
    if (known !== undefined) return known;
    const turn: TurnDraft = {
      id: "",
      role: facts.role,
      text: "",
      toolCalls: NONE,
      midTurn: facts.midTurn ?? false,
      rewound: false,
      subagent: facts.subagent ?? null,
      at: this.sawTime(facts.at),
    };
    this.#turns.push(turn);
    if (key === null && facts.role === "agent") this.#isKeyed = false;
    if (key !== null) this.#turnsByKey.set(key, turn);
    return turn;
  }

  /** Adds a piece of what was said; a piece that the turn holds already is a repeated record's. */
  say(turn: TurnDraft, text: string): void {
    this.#words.say(turn, text);
  }

  /** Adds a call; one that is known already (same-call.ts) is not added again. */
  call(turn: TurnDraft, facts: CallFacts): CallDraft {
    const cut: CutArguments = { keptChars: 0, texts: [], hasDropped: false };
    const args = argumentsOf(facts.args);
    const id = asId(facts.id);
    const known = id === null ? NONE : this.#callsOf(id);
    const argsMax = this.#argsMaxOf(known);
    const found = { ...facts, id, args, at: this.sawTime(facts.at) };
    const draft = draftOf(found, argsMax, cut, this.#shared);
    const same = known.filter((call) => isSameCall(call, draft));
    const keep = () => {
      this.#room.took(cut.keptChars);
      const fullArgs = spoolArguments(this.#spool, args, cut);
      if (fullArgs.length > 0) draft.fullArgs = fullArgs;
      // A log mirrors the messages of others, under keys of its own.
      if (facts.isLoggedOnly === true) this.#loggedOnly.add(draft);
      else this.#repeats.add(draft, turn);
      if (id !== null && (cut.keptChars > TEXT_MIN_CHARS || cut.texts.length > 0))
        this.#argsMax.set(draft, argsMax);
    };
    const [first] = same;
    if (id !== null && first !== undefined) {
      if (facts.isLoggedOnly === true || !this.#repeats.mayBeAnother(same, turn)) return first;
      const place = turn.toolCalls.length;
      const keepThere = () => {
        keep();
        turn.toolCalls = added(turn.toolCalls, draft, place);
        this.#remember(draft, this.#callsOf(id));
      };
      return this.#repeats.wait(id, { call: draft, known: same, keep: keepThere });
    }
    keep();
    const part = known.length === 0 ? null : takePlaceOfPart(turn, draft);
    if (part === null) {
      turn.toolCalls = added(turn.toolCalls, draft);
      this.#remember(draft, known);
    } else if (id !== null) {
      const now = known.map((call) => (call === part ? draft : call));
      this.#callsById.set(id, now);
    }
    return draft;
  }

  /** Remembers a new call until its result comes. */
  #remember(draft: CallDraft, calls: readonly CallDraft[]): void {
    const { id } = draft;
    const known = this.#repeats.withRoom(calls);
    // So many different calls under one id: the id tells nothing.
    if (id === null || known.length >= SAME_ID_CALLS_MAX) {
      if (!this.#loggedOnly.has(draft)) this.#unnamed.push(draft);
      if (this.#unnamed.length > UNNAMED_CALLS_WAITING_MAX) this.#unnamed.shift();
    } else if (known.length === 0) {
      this.#callsById.set(id, draft);
      const early = this.#early.take(id);
      if (early === null) return;
      this.#strayResultCount -= 1;
      this.#give(draft, early(draft));
    } else this.#callsById.set(id, [...known, draft]);
  }

  #callsOf(id: string): readonly CallDraft[] {
    const known = this.#callsById.get(id) ?? NONE;
    return "length" in known ? known : [known];
  }

  /** Short arguments are cut nowhere, so nobody needs to know to what. */
  #argsMaxOf(known: readonly CallDraft[]): number {
    const long = known.find((call) => this.#argsMax.has(call));
    const before = long === undefined ? undefined : this.#argsMax.get(long);
    return before ?? this.#room.next(TOOL_ARGUMENT_MAX_CHARS, TEXT_MIN_CHARS);
  }

  /** True when a call with this id is known. */
  hasCall(id: unknown): boolean {
    return this.#callsById.has(asId(id) ?? "");
  }

  /** The last call with this id, or null. */
  findCall(id: unknown): CallDraft | null {
    return this.#callsOf(asId(id) ?? "").at(-1) ?? null;
  }

  /**
   * Gives a result to its call: the first with this id that has none; without a usable id the
   * oldest unnamed call (of this tool's name, when one is given). A second result is ignored.
   * @param result made from the call, since its outcome may depend on the command
   */
  answer(id: unknown, result: (call: CallDraft) => ResultFacts, toolName?: string | null): void {
    this.#resultCount += 1;
    const known = asId(id);
    const calls = known === null ? this.#unnamed : this.#callsOf(known);
    const call = calls.find(
      (each) =>
        each.outcome === "unknown" &&
        (known !== null || toolName === undefined || toolName === null || each.name === toolName),
    );
    const again = call === undefined && known !== null ? this.#repeats.next(known) : null;
    if (again !== null) this.#giveAgain(again, result(again.call));
    else if (call !== undefined) {
      this.#give(call, result(call));
      if (known === null) this.#unnamed.splice(this.#unnamed.indexOf(call), 1);
    } else if (calls.length === 0) {
      this.#strayResultCount += 1;
      if (known !== null) this.#early.add(known, result);
    }
  }

  /** Gives a result to a call that the adapter knows by its place; a second one is ignored. */
  settle(call: CallDraft, result: ResultFacts): void {
    this.#resultCount += 1;
    if (call.outcome !== "unknown") return;
    const again = this.#repeats.next(call.id, call);
    if (again === null) this.#give(call, result);
    else this.#giveAgain(again, result);
    // From the end: such a call was added just before.
    const waiting = call.id === null ? this.#unnamed.lastIndexOf(call) : -1;
    if (waiting !== -1) this.#unnamed.splice(waiting, 1);
  }

  /** Forgets what a turn said: for a format in which a later record replaces the message. */
  unsay(turn: TurnDraft): void {
    this.#words.unsay(turn);
  }

  /** Widens the session's time span; gives the time in ISO 8601, or null when it is none. */
  sawTime(at: unknown): string | null {
    const time = this.#times.read(at);
    if (time === null) return null;
    if (this.#startedAt === null || time < this.#startedAt) this.#startedAt = time;
    if (this.#endedAt === null || time > this.#endedAt) this.#endedAt = time;
    return time;
  }

  finish(source: SessionSource): Session {
    // What only reading needs makes room for what is made now.
    this.#turnsByKey.clear();
    this.#callsById.clear();
    this.#argsMax.clear();
    this.#repeats.clear();
    this.#early.clear();
    this.#words.finish();
    return finishSession(source, {
      facts: this.facts,
      turns: this.#turns,
      loggedOnly: this.#loggedOnly,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
      resultCount: this.#resultCount,
      strayResultCount: this.#strayResultCount,
    });
  }

  /** Gives the result that tells whether the call is another one. */
  #giveAgain(repeat: Repeat, result: ResultFacts): void {
    if (isRepeated(repeat, result, this.#isKeyed)) return;
    repeat.keep();
    this.#give(repeat.call, result);
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
