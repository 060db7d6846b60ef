/**
 * What a word of an order can stand for. Attacks are told apart by what is done, to what, and for whom, not by
 * their sentences: each of these is a list of words and short phrases (sense-words.ts), in any form.
 */
import { SENSE_WORDS } from "./sense-words.ts";

/** A bit each, so that a sentence's senses are one number. */
export const Sense = {
  /** Leaves the machine, or is handed on. */
  send: 1 << 0,
  /** Is brought together, read, looked for. */
  collect: 1 << 1,
  /** Goes away for good. */
  destroy: 1 << 2,
  /** Works no longer, or is passed by. */
  disable: 1 << 3,
  /** Somebody gets rights. */
  grant: 1 << 4,
  /** Comes from elsewhere. */
  fetch: 1 << 5,
  /** Is run or obeyed. */
  run: 1 << 6,
  /** Is written somewhere. */
  plant: 1 << 7,
  credential: 1 << 8,
  /** Belongs to people: what they say, who and where they are. */
  personal: 1 << 9,
  /** What a user works with. */
  work: 1 << 10,
  /** What keeps harm away or shows it. */
  protection: 1 << 11,
  /** Open to whoever comes. */
  everybody: 1 << 12,
  /** Without exception. */
  all: 1 << 13,
  money: 1 << 14,
  /** A place or a party that isn't the user's. */
  outside: 1 << 15,
  /** An address that is written out: URL, mail, IP, host. */
  address: 1 << 16,
  /** On every occasion, or before all else. */
  standing: 1 << 17,
  /** Kept from somebody. */
  conceal: 1 << 18,
  /** Where agents read what to do, or what they remember. */
  agent: 1 << 19,
  /** What runs by itself later. */
  autorun: 1 << 20,
  /** Known to be insecure. */
  weak: 1 << 21,
  /** Can't be made again. */
  precious: 1 << 22,
  /** A judgement or an advice. */
  opinion: 1 << 23,
  /** Nobody needs to ask, look or agree. */
  unasked: 1 << 24,
  /** The skill, its author, its own text. */
  self: 1 << 25,
  /** Somebody is asked first, or decides. */
  consent: 1 << 26,
  /** Regardless of what is true. */
  regardless: 1 << 27,
  /** People in number. */
  people: 1 << 28,
  /** The project's own, or the tools' usual place. */
  own: 1 << 29,
  /** Puts a text above others. */
  precedence: 1 << 30,
} as const;

interface Phrase {
  /** After the first word, each in its forms; made at first use, since most are never asked for. */
  readonly rest: readonly ReadonlySet<string>[];
  readonly sense: number;
  /** Up to so many other words may stand between two of it. */
  readonly gap: number;
}

export interface Entry {
  /** Of the word alone. */
  readonly sense: number;
  /** That begin with it. */
  readonly phrases: readonly Phrase[];
  /** Of the word and of all its phrases. */
  readonly atMost: number;
}

class LazyPhrase implements Phrase {
  readonly sense: number;
  readonly gap: number;
  readonly #words: readonly string[];
  #rest: readonly ReadonlySet<string>[] | null = null;

  constructor(words: readonly string[], sense: number, hasGap: boolean) {
    this.#words = words;
    this.sense = sense;
    this.gap = hasGap ? 3 : 0;
  }

  get rest(): readonly ReadonlySet<string>[] {
    this.#rest ??= this.#words.map((word) => new Set(formsOf(word)));
    return this.#rest;
  }
}

/** What is done; the other senses are what it is done to, for whom and how. */
export const ACTS =
  Sense.send |
  Sense.collect |
  Sense.destroy |
  Sense.disable |
  Sense.grant |
  Sense.fetch |
  Sense.run |
  Sense.plant;

/** Words by their forms, in lower case. */
export const SENSES: ReadonlyMap<string, Entry> = entries();

/** An entry that still grows. */
interface Draft {
  sense: number;
  readonly phrases: Phrase[];
  atMost: number;
}

function entries(): Map<string, Entry> {
  const known = new Map<string, Draft>();
  for (const [name, words] of Object.entries(SENSE_WORDS)) {
    const sense = Sense[name as keyof typeof Sense];
    for (const each of words.split(" ")) addWord(known, each, sense);
  }
  return known;
}

function addWord(known: Map<string, Draft>, written: string, sense: number): void {
  const [first = "", ...rest] = written.split(/[_+]/);
  if (first === "") return;
  const phrase = rest.length === 0 ? null : new LazyPhrase(rest, sense, written.includes("+"));
  for (const form of (sense & ACTS) === 0 ? formsOf(first) : ordersOf(first)) {
    const entry = known.get(form) ?? { sense: 0, phrases: [], atMost: 0 };
    known.set(form, entry);
    entry.atMost |= sense;
    if (phrase === null) entry.sense |= sense;
    else entry.phrases.push(phrase);
  }
}

/** A verb without its third person, which tells of something more often than it orders it. */
function ordersOf(word: string): string[] {
  return formsOf(word).filter((form) => form === word || !form.endsWith("s"));
}

/** A word with the endings of nouns and verbs; forms that don't exist do no harm. */
function formsOf(word: string): string[] {
  if (!/^[a-z]{3,}$/.test(word)) return [word, `${word}s`];
  const stem = word.replace(/e$/, "");
  const doubled = /[^aeiou][aeiou][bdgklmnprt]$/.test(word) ? word + word.at(-1) : stem;
  const forms = [word, `${word}s`, `${stem}es`, `${stem}ed`, `${stem}ing`];
  if (word.endsWith("y")) forms.push(`${word.slice(0, -1)}ies`, `${word.slice(0, -1)}ied`);
  if (doubled !== stem) forms.push(`${doubled}ed`, `${doubled}ing`);
  return forms;
}
