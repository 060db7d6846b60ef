import { CREDENTIAL_MIN_CHARS } from "../core/limits.ts";
import { credentialForms } from "./credentials.ts";
import { exactMatcher } from "./exact-matcher.ts";
import { ownFindings } from "./rules.ts";
import { type Batch, batchesOf, placeInTexts } from "./scan-batches.ts";
import type { FoundSecret, SecretRange } from "./secret-range.ts";
import { isPlace, isPlaceholder } from "./secret-value.ts";
import { scannerFindings } from "./secretlint.ts";

export interface FindSecretsOptions {
  /** Secrets that are known, of at least CREDENTIAL_MIN_CHARS characters (shorter ones are ignored). */
  readonly credentials: readonly string[];
}

/**
 * Every secret in a text: known credentials (also in base64 and URL-encoded), what the scanner
 * finds, and what our own rules find. Sorted, without overlaps.
 */
export async function findSecrets(
  text: string,
  options: FindSecretsOptions,
): Promise<FoundSecret[]> {
  const [ranges = []] = await new SecretSearch(options).find([text]);
  return ranges;
}

/**
 * What our own rules find in a text: no known credentials, and without the scanner library, which
 * answers later. For callers that must answer at once. Sorted, without overlaps.
 */
export function findShapedSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[][] = [[]];
  for (const batch of batchesOf([text])) collect([text], found, batch, ownFindings(batch.text));
  return merged(found[0] ?? []).filter(({ value }) => !isPlaceholder(value));
}

/** The same for many texts at once, which costs far less than a call for each; for one set of credentials. */
export class SecretSearch {
  readonly #credentials: (text: string) => SecretRange[];

  constructor({ credentials }: FindSecretsOptions) {
    const known = credentials.filter((value) => value.length >= CREDENTIAL_MIN_CHARS);
    const secretOf = new Map<string, string>();
    // A form that stands for two of them stands for the first.
    for (const value of known) {
      for (const form of credentialForms(value)) if (!secretOf.has(form)) secretOf.set(form, value);
    }
    const find = exactMatcher([...secretOf.keys()]);
    this.#credentials = (text) =>
      find(text).map(({ start, end, value }) => {
        const credential = secretOf.get(value) ?? value;
        return { rule: "credential", start, end, value: credential };
      });
  }

  /**
   * @param learn is given what was found in all texts before it says what else is a secret: a
   *   finder of values that occur elsewhere too
   */
  async find(
    texts: readonly string[],
    learn: (found: readonly FoundSecret[]) => (text: string) => SecretRange[] = () => () => [],
  ): Promise<FoundSecret[][]> {
    const batches = batchesOf(texts);
    const found: FoundSecret[][] = texts.map(() => []);
    const scanned = await this.#scan(batches);
    for (const [at, batch] of batches.entries()) collect(texts, found, batch, scanned[at] ?? []);
    const all = found.map(merged);
    const echoes = learn(all.flat());
    for (const batch of batches) {
      placeInTexts(batch, echoes(batch.text), (index, echo) => all[index]?.push(echo));
    }
    return all.map(merged);
  }

  async #scan(batches: readonly Batch[]): Promise<SecretRange[][]> {
    const own = batches.map(({ text }) => {
      const suspects: number[] = [];
      const ranges = [...this.#credentials(text), ...ownFindings(text, (at) => suspects.push(at))];
      return { text, suspects, ranges };
    });
    const scanner = await scannerFindings(own);
    // In this order a range that several found bears the most telling name.
    return own.map(({ ranges }, at) => [...ranges, ...(scanner[at] ?? [])]);
  }
}

function collect(
  texts: readonly string[],
  found: FoundSecret[][],
  batch: Batch,
  ranges: readonly SecretRange[],
): void {
  const joined = new Map<number, FoundSecret[]>();
  placeInTexts(batch, ranges, (index, secret, isJoined) => {
    if (!isJoined) found[index]?.push(secret);
    else joined.set(index, [...(joined.get(index) ?? []), secret]);
  });
  for (const [index, secrets] of joined) {
    const known = merged(found[index] ?? []);
    const more = secrets.filter((secret) => goesOn(texts[index] ?? "", secret, known));
    found[index]?.push(...more);
  }
}

/**
 * Whether a secret that was found over the end of a line really goes on there. When it was found
 * whole before that end, what follows must not be a word, a path or another assignment: then it is
 * just the next line.
 */
function goesOn(text: string, joined: FoundSecret, known: readonly FoundSecret[]): boolean {
  const whole = firstBehind(known, joined.start);
  if (whole === undefined || whole.start > joined.start || whole.end >= joined.end) return true;
  // What only looked like a value before is a token now that it is whole.
  if (
    !/^(?:assigned-secret|password|authorization)$/.test(joined.rule) &&
    whole.rule !== joined.rule
  )
    return true;
  const rest = text.slice(whole.end, joined.end).replace(LINE_END, "");
  const behind = text.slice(joined.end, joined.end + 1);
  const isAssignment = /^[A-Za-z_][\w.-]*$/.test(rest) && /[=:]/.test(behind);
  return (
    !NEXT_WORD.test(rest) && !isPlace(rest) && !isAssignment && !/^[A-Z][A-Z0-9_]*=/.test(rest)
  );
}

/** A line that begins with a word, and not with the rest of a token. */
const NEXT_WORD = /^[A-Z]?(?:[a-z]+|[A-Z]+)(?:[-_.:][\w.-]*)?$/;
/** A line's end as a text may spell it, with a terminal's sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's escape character is what is looked for
const LINE_END = /^(?:\\+[rn]|\s|\x1b\[[\d;]*m)+/;

/** The first of the ranges, which are in order and don't overlap, that ends behind the place. */
function firstBehind(ranges: readonly FoundSecret[], place: number): FoundSecret | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? Infinity) <= place) low = middle + 1;
    else high = middle;
  }
  return ranges[low];
}

/** Overlapping ranges become one, which bears the name of the one that was given first. */
function merged(ranges: readonly FoundSecret[]): FoundSecret[] {
  const ranked = ranges.map((range, rank) => ({ ...range, rank }));
  ranked.sort((a, b) => a.start - b.start || a.rank - b.rank);
  const result: (FoundSecret & { rank: number })[] = [];
  for (const range of ranked) {
    const last = result.at(-1);
    if (last === undefined || range.start >= last.end) result.push(range);
    else result[result.length - 1] = union(last, range);
  }
  return result.map(({ rule, start, end, value }) => ({ rule, start, end, value }));
}

function union<Range extends FoundSecret & { rank: number }>(a: Range, b: Range): Range {
  const [named, longer] = [a.rank < b.rank ? a : b, b.end - b.start > a.end - a.start ? b : a];
  const [start, end] = [Math.min(a.start, b.start), Math.max(a.end, b.end)];
  // The value of the one that covers both says it all.
  const covers = (range: Range) => range.start === start && range.end === end;
  const { value } = covers(named) ? named : longer;
  return { ...named, start, end, value };
}
