/** Where base64 may stand in a text, also URL-safe: shorter runs hold nothing. */
const RUN_MIN_CHARS = 24;
/** The narrowest line that one wraps base64 in. */
const LINE_MIN_CHARS = 16;

export interface EncodedRun {
  readonly index: number;
  readonly text: string;
}

/**
 * Runs of so many characters of base64's alphabet at least, with the padding behind them. Of as many characters
 * only one is looked at: of a longer run one is always met.
 */
export function* encodedRuns(text: string, minChars = RUN_MIN_CHARS): Generator<EncodedRun> {
  for (let at = minChars - 1; at < text.length; at += minChars) {
    if (!isInAlphabet(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && isInAlphabet(text.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (end < text.length && isInAlphabet(text.charCodeAt(end))) end += 1;
    // Most words: nothing is cut out of the text for them.
    if (end - start < minChars) continue;
    for (const last = end + 2; end < last && text.charCodeAt(end) === PADDING; ) end += 1;
    yield { index: start, text: text.slice(start, end) };
    at = end - 1;
  }
}

const PADDING = 61;

/** Between two lines of one run: an end of a line, with the quotes or the marks around it. */
const WRAP =
  /["'`]?[ \t]{0,8}[\\+]?[ \t]{0,8}\r?\n[ \t>]{0,32}(?:#[ \t]{0,4}|\/\/[ \t]{0,4})?["'`]?/y;
const PIECE = /[A-Za-z0-9+/_-]{1,1024}={0,2}(?![A-Za-z0-9+/_=-])/y;

/** Runs that a program wrapped, as `base64` does: each a list of the pieces on its lines, at least two. */
export function* wrappedRuns(text: string): Generator<readonly EncodedRun[]> {
  let passed = 0;
  for (const first of encodedRuns(text, LINE_MIN_CHARS)) {
    if (first.index < passed) continue;
    const pieces = piecesFrom(text, first);
    const last = pieces.at(-1) ?? first;
    passed = last.index + last.text.length;
    if (pieces.length > 1) yield pieces;
  }
}

/** A first line may be cut by what stands before it; of the others the last one is shorter, if any. */
function piecesFrom(text: string, first: EncodedRun): readonly EncodedRun[] {
  const pieces = [first];
  let width = Infinity;
  for (;;) {
    const next = pieceBehind(text, pieces.at(-1) ?? first);
    if (next === null || next.text.length > width) return pieces;
    pieces.push(next);
    if (next.text.length < width && width !== Infinity) return pieces;
    width = next.text.length;
  }
}

function pieceBehind(text: string, { index, text: run }: EncodedRun): EncodedRun | null {
  if (run.endsWith("=")) return null;
  WRAP.lastIndex = index + run.length;
  if (!WRAP.test(text)) return null;
  PIECE.lastIndex = WRAP.lastIndex;
  const piece = PIECE.exec(text);
  return piece === null ? null : { index: piece.index, text: piece[0] };
}

function isInAlphabet(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || // a to z
    (code >= 0x41 && code <= 0x5a) || // A to Z
    (code >= 0x2f && code <= 0x39) || // the slash and digits
    code === 0x2b ||
    code === 0x2d ||
    code === 0x5f
  );
}
