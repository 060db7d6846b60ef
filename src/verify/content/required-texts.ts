/**
 * What a pattern can't match without: read out of the pattern itself, so that most texts can be passed by
 * after one look at the words they hold.
 */

import { PATTERN_CLASS_MAX, PATTERN_TEXT_MIN_CHARS, PATTERN_TEXTS_MAX } from "../../core/limits.ts";
import { KNOWN_TEXTS } from "./known-texts.ts";

/** Of several texts one must stand in whatever the pattern matches. */
export type Clause = readonly string[];

interface Facts {
  /** Every text that a part can match, where they are few; else null. */
  readonly exact: readonly string[] | null;
  /** Each holds for every match. */
  readonly clauses: readonly Clause[];
}

const EMPTY: Facts = { exact: [""], clauses: [] };
const ANYTHING: Facts = { exact: null, clauses: [] };

/**
 * @param pattern for texts in lower case
 * @returns clauses that all hold in every text that the pattern matches; none where nothing can be said
 */
export function requiredTexts(pattern: RegExp): readonly Clause[] {
  return KNOWN_TEXTS[keyOf(pattern)] ?? textsIn(pattern);
}

export function keyOf({ source, flags }: RegExp): string {
  return `${flags} ${source}`;
}

function textsIn({ source, flags }: RegExp): readonly Clause[] {
  // Where case is folded by Unicode's rules, a letter may stand for one outside of ASCII.
  if (flags.includes("v") || (flags.includes("i") && flags.includes("u"))) return [];
  const reader = new PatternReader(flags.includes("i") ? source.toLowerCase() : source);
  const { exact, clauses } = reader.read();
  return [...clauses, ...clauseOf(exact)];
}

class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Facts {
    const branches = [this.#readSequence()];
    while (this.#take("|")) branches.push(this.#readSequence());
    return branches.length === 1 ? (branches[0] ?? ANYTHING) : either(branches);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  #readSequence(): Facts {
    /** The texts of the parts since the last one that is not known exactly. */
    let texts: readonly string[] = [""];
    let isExact = true;
    const clauses: Clause[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at))) {
      const { exact, clauses: more } = this.#readQuantified();
      const joined = exact && joinedTexts(texts, exact);
      if (joined === null) {
        clauses.push(...clauseOf(texts), ...more);
        isExact = false;
      }
      texts = joined ?? exact ?? [""];
    }
    if (isExact) return { exact: texts, clauses: [] };
    return { exact: null, clauses: [...clauses, ...clauseOf(texts)] };
  }

  #readQuantified(): Facts {
    const part = this.#readAtom();
    const quantifier = this.#match(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y);
    if (quantifier === null) return part;
    const [, sign, least = "0", comma, most] = quantifier;
    const min = sign === undefined ? Number(least) : Number(sign === "+");
    const isOnce = sign === "?" || (comma === "" && min === 1) || most === "1";
    if (isOnce && part.exact) return min === 1 ? part : { ...EMPTY, exact: ["", ...part.exact] };
    if (min === 0) return ANYTHING;
    return { exact: null, clauses: [...part.clauses, ...clauseOf(part.exact)] };
  }

  #readAtom(): Facts {
    if (this.#match(/\(\?<?[=!]/y)) return this.#readGroup(EMPTY);
    if (this.#match(/\((?:\?:|\?<\w+>)?/y)) return this.#readGroup(null);
    if (this.#take("[")) return this.#readClass();
    if (this.#take("\\")) return this.#readEscape();
    const character = this.#source.charAt(this.#at);
    this.#at += 1;
    if (character === "^" || character === "$") return EMPTY;
    return character === "." ? ANYTHING : { exact: [character], clauses: [] };
  }

  /** @param instead what is known of it whatever stands in it: it takes no room in the text */
  #readGroup(instead: Facts | null): Facts {
    const inner = this.read();
    this.#take(")");
    return instead ?? inner;
  }

  #readClass(): Facts {
    const body = this.#match(/(?:[^\]\\]|\\[\s\S])*\]/y)?.[0].slice(0, -1) ?? "";
    const isPlain = !body.startsWith("^") && !/(?<=[^\\])-(?=.)|\\\w/.test(body);
    const characters = body.replace(/\\(?=.)/g, "");
    if (!isPlain || characters.length === 0 || characters.length > PATTERN_CLASS_MAX)
      return ANYTHING;
    return { exact: [...characters], clauses: [] };
  }

  #readEscape(): Facts {
    const [name = ""] =
      this.#match(
        /x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]+\}|p\{[^}]*\}|k<\w+>|c[a-z]|\d+|[\s\S]/iy,
      ) ?? [];
    if (name === "b" || name === "B") return EMPTY;
    return /^\W$/.test(name) ? { exact: [name], clauses: [] } : ANYTHING;
  }
}

/** Every text of the one before every text of the other; null when they are too many. */
function joinedTexts(first: readonly string[], then: readonly string[]): readonly string[] | null {
  if (first.length * then.length > PATTERN_TEXTS_MAX) return null;
  return first.flatMap((start) => then.map((end) => start + end));
}

function either(branches: readonly Facts[]): Facts {
  const texts = branches.flatMap(({ exact }) => exact ?? []);
  const isExact = branches.every(({ exact }) => exact !== null);
  if (isExact && texts.length <= PATTERN_TEXTS_MAX) return { exact: texts, clauses: [] };
  const best = branches.map(({ exact, clauses }) => strongest([...clauses, ...clauseOf(exact)]));
  const known = best.filter((clause) => clause !== null);
  return known.length < best.length ? ANYTHING : { exact: null, clauses: clauseOf(known.flat()) };
}

/** The one whose shortest text is the longest. */
function strongest(clauses: readonly Clause[]): Clause | null {
  const strength = (clause: Clause) => Math.min(...clause.map(({ length }) => length));
  return [...clauses].sort((a, b) => strength(b) - strength(a))[0] ?? null;
}

/** That one of the texts stands there; none when one of them is too short to tell anything. */
function clauseOf(texts: readonly string[] | null): readonly Clause[] {
  if (texts === null || texts.some(({ length }) => length < PATTERN_TEXT_MIN_CHARS)) return [];
  const clause: string[] = [];
  // What begins with another text of the clause says no more than that.
  for (const text of [...texts].sort()) {
    const last = clause.at(-1);
    if (last === undefined || !text.startsWith(last)) clause.push(text);
  }
  return [clause];
}
