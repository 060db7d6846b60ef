/**
 * Markdown's text as it is shown: character references stand for their characters, and tags that only change how
 * letters look are not there. `I&#103;n<b></b>ore` reads `Ignore`.
 */

interface RenderedText {
  readonly text: string;
  /** The place in the source (UTF-16 units) of a place in `text`. */
  toSource(at: number): number;
}

/** Tags with attributes stay: what stands in these is looked at, and not shown either. */
const RENDERED =
  /&(?:#(?:x([0-9a-f]{1,8})|([0-9]{1,8}))|([a-z]{2,15}));|<\/?(?:abbr|b|bdi|big|br|cite|del|dfn|em|font|i|ins|mark|q|s|small|span|strike|strong|sub|sup|tt|u|wbr)\s{0,4}\/?>/gi;
/** Those that have a use, and those that stand for nothing one sees; the rest is read as it is written. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ...["nbsp", "ensp", "emsp", "thinsp", "hairsp", "numsp", "puncsp", "tab", "newline"].map(
    (name) => [name, " "] as const,
  ),
  ...["shy", "zwj", "zwnj", "zerowidthspace", "lrm", "rlm", "nobreak"].map(
    (name) => [name, ""] as const,
  ),
  ...Object.entries({
    apos: "'",
    quot: '"',
    lsquo: "'",
    rsquo: "'",
    ldquo: '"',
    rdquo: '"',
    colon: ":",
    comma: ",",
    period: ".",
    semi: ";",
    sol: "/",
    vert: "|",
    dollar: "$",
    equals: "=",
    hyphen: "-",
    dash: "-",
    lowbar: "_",
    num: "#",
    excl: "!",
    commat: "@",
  }),
]);
/** Letters in another font: `&gscr;` is a g in script. */
const LETTER = /^([a-z])(?:scr|fr|opf)$/;
/** What would be markup if it were written, and is none: only a reference keeps it from being read so. */
const MARKUP = /[<>&`\\*_[\]]/;

/** @returns null where the text is shown as it is written, as nearly all is */
export function renderedText(source: string): RenderedText | null {
  if (!source.includes("&") && !source.includes("<")) return null;
  /** Where each stretch begins, in the text and in the source. */
  const starts: number[] = [];
  const sources: number[] = [];
  let text = "";
  let from = 0;
  const add = (part: string, place: number) => {
    starts.push(text.length);
    sources.push(place);
    text += part;
  };
  for (const match of source.matchAll(RENDERED)) {
    const shown = shownFor(match);
    if (shown === null) continue;
    add(source.slice(from, match.index), from);
    add(shown, match.index);
    from = match.index + match[0].length;
  }
  if (from === 0) return null;
  add(source.slice(from), from);
  return {
    text,
    toSource(at) {
      const stretch = lastUpTo(starts, at);
      return (sources[stretch] ?? 0) + at - (starts[stretch] ?? 0);
    },
  };
}

/** Null for what stays as it is written. */
function shownFor([written, hex, decimal, name]: RegExpExecArray): string | null {
  if (name !== undefined) {
    const small = name.toLowerCase();
    return NAMED.get(small) ?? LETTER.exec(small)?.[1] ?? null;
  }
  const digits = hex ?? decimal;
  if (digits === undefined) return /^<br\b/i.test(written) ? " " : "";
  const code = Number.parseInt(digits, hex === undefined ? 10 : 16);
  if (code === 9 || code === 10 || code === 13) return " ";
  const isCharacter = code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  if (!isCharacter) return null;
  const character = String.fromCodePoint(code);
  return MARKUP.test(character) ? null : character;
}

/** The last of the places, which are in order, that isn't behind another. */
function lastUpTo(places: readonly number[], place: number): number {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((places[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
