import { TEXT_MIN_CHARS, TURN_TEXT_MAX_CHARS } from "../core/limits.ts";
import { keepText } from "./bounded-text.ts";
import type { TurnDraft } from "./session-drafts.ts";
import { type FullWords, spoolWords } from "./spool-texts.ts";
import type { TextRoom } from "./text-room.ts";
import type { TextSpool } from "./text-spool.ts";

/** Of a turn that says more than one piece, or one that had no room. */
interface Said {
  readonly texts: string[];
  chars: number;
  full: FullWords | null;
}

const NONE: readonly string[] = Object.freeze([]);

/**
 * What turns say, piece by piece, while a session is read. Most of a million turns say one thing: it
 * stands in the turn itself, and only the others take a list.
 */
export class TurnWords {
  readonly #room: TextRoom;
  readonly #spool: TextSpool | null;
  readonly #said = new Map<TurnDraft, Said>();

  constructor(room: TextRoom, spool: TextSpool | null) {
    this.#room = room;
    this.#spool = spool;
  }

  /** Adds a piece of what was said; a piece that the turn holds already is a repeated record's. */
  say(turn: TurnDraft, text: string): void {
    const said = this.#said.get(turn);
    const texts = said?.texts ?? (turn.text === "" ? NONE : [turn.text]);
    if (text.trim() === "" || texts.includes(text)) return;
    const taken = said?.chars ?? turn.text.length;
    const room = this.#room.next(TURN_TEXT_MAX_CHARS, TEXT_MIN_CHARS) - taken;
    const kept = room <= 0 ? "" : keepText(text, room);
    if (kept !== text) this.#spoolWhole(turn, text);
    if (kept === "" || texts.includes(kept)) return;
    // Written down several times while it streamed: the longer one takes the shorter one's place.
    const last = texts.at(-1);
    const hasGrown = last !== undefined && kept.startsWith(last);
    this.#keep(turn, kept, hasGrown);
    this.#room.took(kept.length - (hasGrown ? last.length : 0));
  }

  /** Forgets what a turn said. */
  unsay(turn: TurnDraft): void {
    this.#said.delete(turn);
    turn.text = "";
  }

  /** Puts the pieces together, each in its turn. Called once, at the end. */
  finish(): void {
    for (const [turn, { texts, full }] of this.#said) {
      turn.text = texts.join("\n\n");
      if (full?.isWhole === true) turn.fullTexts = full.texts;
    }
    this.#said.clear();
  }

  #keep(turn: TurnDraft, kept: string, takesPlaceOfLast: boolean): void {
    const isOnly = !this.#said.has(turn) && (turn.text === "" || takesPlaceOfLast);
    if (isOnly) {
      turn.text = kept;
      return;
    }
    const said = this.#pieces(turn);
    if (takesPlaceOfLast) said.chars -= said.texts.pop()?.length ?? 0;
    said.texts.push(kept);
    said.chars += kept.length;
  }

  #pieces(turn: TurnDraft): Said {
    const known = this.#said.get(turn);
    if (known !== undefined) return known;
    const texts = turn.text === "" ? [] : [turn.text];
    const said: Said = { texts, chars: turn.text.length, full: null };
    this.#said.set(turn, said);
    return said;
  }

  #spoolWhole(turn: TurnDraft, text: string): void {
    if (this.#spool === null) return;
    const said = this.#pieces(turn);
    if (said.full === null) {
      said.full = { texts: [], known: new Set(), isWhole: true };
      for (const before of said.texts) spoolWords(this.#spool, said.full, before);
    }
    spoolWords(this.#spool, said.full, text);
  }
}
