/** The bare secrets near an AWS id: nothing but the id beside them tells what they are. */
import { SECRET_CONTEXT_CHARS } from "../core/limits.ts";
import type { Anchors } from "./anchor-tables.ts";
import type { SecretRange } from "./secret-range.ts";
import { isRandom } from "./secret-value.ts";

export const AWS_ANCHORS: Anchors = { words: ["AKIA", "ASIA"] };

const AWS_ID = /(?:AKIA|ASIA)[0-9A-Z]{16}/y;
const AWS_SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;

/** @param places where an anchor of them stands, in order */
export function awsSecrets(text: string, places: readonly number[]): SecretRange[] {
  const ranges: SecretRange[] = [];
  let seen = 0;
  for (const id of places) {
    AWS_ID.lastIndex = id;
    if (!AWS_ID.test(text)) continue;
    const from = Math.max(seen, id - SECRET_CONTEXT_CHARS);
    seen = Math.min(text.length, AWS_ID.lastIndex + SECRET_CONTEXT_CHARS);
    if (from < seen) ranges.push(...bareSecrets(text, from, seen));
  }
  return ranges;
}

/** What looks like the secret of an AWS id in a stretch of a text. */
function bareSecrets(text: string, from: number, to: number): SecretRange[] {
  const ranges: SecretRange[] = [];
  // A character more on both sides, so that no part of a longer run passes for one.
  const offset = Math.max(0, from - 41);
  for (const { index, 0: secret } of text.slice(offset, to + 41).matchAll(AWS_SECRET)) {
    const start = offset + index;
    const isKey = /[A-Z]/.test(secret) && /[a-z]/.test(secret) && isRandom(secret);
    if (isKey) ranges.push({ rule: "aws-secret", start, end: start + secret.length });
  }
  return ranges;
}

/**
 * Secrets near an AWS id that are a text of their own, as the arguments of a call are.
 * @param textAt the text of that number, null beyond the first and the last
 * @param ids where ids may stand in some of them, by their number
 */
export function* secretsBeside(
  textAt: (at: number) => string | null,
  ids: ReadonlyMap<number, readonly number[]>,
): Generator<{ at: number; ranges: SecretRange[] }> {
  const seen = new Set<number>();
  for (const [at, places] of ids) {
    const toStart = places[0] ?? 0;
    const toEnd = (textAt(at) ?? "").length - (places.at(-1) ?? 0);
    const near = [...beside(textAt, at, -1, toStart), ...beside(textAt, at, 1, toEnd)];
    for (const each of near.filter(({ at }) => !seen.has(at))) {
      seen.add(each.at);
      yield { at: each.at, ranges: bareSecrets(each.text, 0, each.text.length) };
    }
  }
}

/** The short texts in one direction, as far as the reach goes. */
function* beside(
  textAt: (at: number) => string | null,
  from: number,
  step: number,
  distance: number,
): Generator<{ at: number; text: string }> {
  let rest = SECRET_CONTEXT_CHARS - distance;
  for (let at = from + step; rest > 0; at += step) {
    const text = textAt(at);
    if (text === null) return;
    if (text.length <= SECRET_CONTEXT_CHARS) yield { at, text };
    // What stands between two arguments counts too, so that thousands of empty ones end.
    rest -= text.length + 5;
  }
}
