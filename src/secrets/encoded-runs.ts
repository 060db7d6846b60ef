/** Where base64 may stand in a text, also URL-safe: shorter runs hold nothing. */
const RUN_MIN_CHARS = 24;
const RUN = /[A-Za-z0-9+/_-]{24,}={0,2}/y;

export interface EncodedRun {
  readonly index: number;
  readonly text: string;
}

/**
 * Runs of at least 24 characters of base64's alphabet, with the padding behind them. Only every 24th
 * character is looked at: of a longer run one is always met.
 */
export function* encodedRuns(text: string): Generator<EncodedRun> {
  for (let at = RUN_MIN_CHARS - 1; at < text.length; at += RUN_MIN_CHARS) {
    if (!isInAlphabet(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && isInAlphabet(text.charCodeAt(start - 1))) start -= 1;
    RUN.lastIndex = start;
    const run = RUN.exec(text)?.[0];
    if (run === undefined) continue;
    yield { index: start, text: run };
    at = start + run.length - 1;
  }
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
