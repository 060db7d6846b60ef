/**
 * The two comments around what skillpr writes into a pull request's body. What people write above
 * and below them is theirs and survives every update.
 */
import * as limits from "../core/limits.ts";

const END = "<!-- skillpr:end -->";
const BEGIN_LINE = /^[ \t]*<!-- skillpr:begin ([a-z0-9-]+)[^\n]*-->[ \t]*$/gm;
const END_LINE = /^[ \t]*<!-- skillpr:end -->[ \t]*$/gm;

/** Puts the comments around a text. */
export function marked(skill: string, text: string): string {
  const begin = `<!-- skillpr:begin ${skill} · what stands between these two comments is written anew on every update; write above or below them -->`;
  return `${begin}\n${text}\n${END}`;
}

/** Foreign text that looks like one of the comments, in code too, is made to look like itself and no more. */
export function withoutMarkers(text: string): string {
  return text.replace(/<!--(?=\s*skillpr)/gi, "<\\u{21}--");
}

/** The person's parts of a body, with their own line ends, and ours between them. */
interface BodyParts {
  readonly before: string;
  readonly ours: string;
  readonly after: string;
}

/** Null when it can't be told what is ours: a comment is gone, damaged, doubled, or of another skill. */
function partsOf(body: string, skill: string): BodyParts | null {
  // GitHub gives back CRLF where a body was edited in a browser; `$` stands before LF alone.
  const text = body.replace(/\r(?=\n)/g, " ");
  const begins = [...text.matchAll(BEGIN_LINE)];
  const ends = [...text.matchAll(END_LINE)];
  const [begin, end] = [begins[0], ends[0]];
  if (begins.length !== 1 || ends.length !== 1 || begin === undefined || end === undefined)
    return null;
  if (begin[1] !== skill || end.index < begin.index) return null;
  const stop = end.index + end[0].trimEnd().length;
  return {
    before: body.slice(0, begin.index),
    ours: body.slice(begin.index, stop),
    after: body.slice(stop),
  };
}

/** What becomes of a body that is there already. */
export type BodyPlace =
  /** Nothing is there yet, or nothing but blanks. */
  | { readonly kind: "new" }
  /** Our part is written anew, between the person's. */
  | { readonly kind: "between"; readonly parts: BodyParts }
  /** People have made the body theirs. */
  | { readonly kind: "theirs"; readonly body: string };

/** @param body as GitHub gives it; blank where there is none */
export function placeIn(body: string, skill: string): BodyPlace {
  if (body.trim() === "") return { kind: "new" };
  const parts = partsOf(body, skill);
  return parts === null ? { kind: "theirs", body } : { kind: "between", parts };
}

/** How long our part may be, in UTF-16 units, beside what people wrote. */
export function roomIn(place: BodyPlace): number {
  const theirs =
    place.kind === "between" ? place.parts.before.length + place.parts.after.length : 0;
  return Math.min(limits.PULL_REQUEST_BODY_MAX_CHARS, limits.GITHUB_BODY_MAX_CHARS - theirs);
}

/** The whole body: byte for byte as it was where our part says the same. */
export function bodyWith(place: BodyPlace, ours: string): string {
  if (place.kind === "new") return ours;
  if (place.kind === "theirs") return place.body;
  const { before, ours: old, after } = place.parts;
  const isSame = old.replace(/\r\n/g, "\n") === ours;
  return before + (isSame ? old : ours) + after;
}
