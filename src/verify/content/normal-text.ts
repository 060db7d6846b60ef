/**
 * A text as a model takes it in, whatever its letters look like: compatibility forms, look-alike
 * letters, invisible characters, emphasis and spacing are levelled, so that one pattern finds one meaning.
 */
import { CONFUSABLES } from "./confusables.ts";

export interface NormalText {
  /** Single spaces between words; in code, line breaks stay. */
  readonly text: string;
  /** The same in lower case; every place in it is the same place in `text`. */
  readonly lower: string;
  /** The place in the source (UTF-16 units) of a place in `text`. */
  toSource(at: number): number;
}

/** What a renderer doesn't show: invisible characters, fillers, and marks that only decorate a letter. */
const DROPPED = /[\p{Cf}\p{M}\u115f\u1160\u3164\uffa0]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is what is meant
const NOT_ASCII = /[^\u0000-\u007f]/;
/** Most texts have nothing of what is levelled, and are their own normal form. */
const SPECIAL_PROSE = /[*\\\t\r]|__|\s\s/;
const SPECIAL_CODE = /[\t\r]| {2}|\\\n/;

export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/**
 * Levels a text.
 *
 * @param kind in `prose`, line breaks are spaces, and emphasis and escapes of markdown go: `ig**nore**
 *   all` reads `ignore all`. In `code`, lines that a backslash breaks are put together.
 * @param isPlain true only when it is known to be ASCII
 */
export function normalText(
  source: string,
  kind: "prose" | "code",
  isPlain = isAscii(source),
): NormalText {
  const isProse = kind === "prose";
  if (isPlain) {
    const isLevel = !(isProse ? SPECIAL_PROSE : SPECIAL_CODE).test(source);
    if (isLevel) return levelText(isProse ? source.replaceAll("\n", " ") : source);
    let places: readonly number[] | null = null;
    const text = isProse ? levelledProse(source) : levelledCode(source);
    const toSource = (at: number) => {
      // Few are asked for their places, and these cost many times what the text does.
      places ??= levelledText(source, isProse).places;
      return places[at] ?? source.length;
    };
    return { text, lower: text.toLowerCase(), toSource };
  }
  const { text, places } = levelledText(source, isProse);
  const lower = text.toLowerCase();
  return {
    text,
    // A few capitals have a longer small form; they would shift what follows.
    lower:
      lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (run) => run.toLowerCase()),
    toSource: (place) => places[place] ?? source.length,
  };
}

function levelText(text: string): NormalText {
  return { text, lower: text.toLowerCase(), toSource: (at) => at };
}

/** The text that `levelledText` gives for ASCII, without its places. */
function levelledProse(source: string): string {
  return source.replace(/\\(?=[*_`~<>[\]()#!\n-])|\*|_(?=_)|(?<=_)_/g, "").replace(/\s+/g, " ");
}

function levelledCode(source: string): string {
  return source
    .replaceAll("\\\n", "")
    .replace(/[^\S\n]+/g, " ")
    .replaceAll("\n ", "\n");
}

function levelledText(source: string, isProse: boolean): { text: string; places: number[] } {
  const places: number[] = [];
  let text = "";
  // The end of a text that grows can't be looked at without copying all of it.
  let isAfterSpace = false;
  let at = 0;
  for (const character of source) {
    const next = isDropped(source, at, character, isProse) ? "" : levelled(character, isProse);
    if (next !== "" && !(next === " " && isAfterSpace)) {
      text += next;
      isAfterSpace = /[ \n]$/.test(next);
      for (let unit = 0; unit < next.length; unit += 1) places.push(at);
    }
    at += character.length;
  }
  return { text, places };
}

function isDropped(source: string, at: number, character: string, isProse: boolean): boolean {
  const next = source.charAt(at + 1);
  if (character === "\\") return isProse ? /[*_`~<>[\]()#!\n-]/.test(next) : next === "\n";
  if (character === "\n") return !isProse && source.charAt(at - 1) === "\\";
  if (isProse && character === "*") return true;
  if (isProse && character === "_") return next === "_" || source.charAt(at - 1) === "_";
  return NOT_ASCII.test(character) && DROPPED.test(character);
}

/** One character after compatibility forms and look-alikes; case stays where it can. */
function levelled(character: string, isProse: boolean): string {
  if (character === "\n") return isProse ? " " : "\n";
  if (/\s/.test(character)) return " ";
  if (!NOT_ASCII.test(character)) return character;
  let result = "";
  for (const each of character.normalize("NFKD")) {
    if (!DROPPED.test(each)) result += CONFUSABLES.get(each) ?? each;
  }
  return result;
}
