import { CREDENTIAL_MIN_CHARS } from "../core/limits.ts";
import { credentialForms } from "./credentials.ts";
import { exactMatcher } from "./exact-matcher.ts";
import { ownFindings } from "./rules.ts";
import type { SecretRange } from "./secret-range.ts";
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
): Promise<SecretRange[]> {
  const [ranges = []] = await findSecretsIn([text], options);
  return ranges;
}

/** The same for many texts at once, which costs far less than a call for each. */
export async function findSecretsIn(
  texts: readonly string[],
  options: FindSecretsOptions,
): Promise<SecretRange[][]> {
  const known = options.credentials.filter((value) => value.length >= CREDENTIAL_MIN_CHARS);
  const credentials = exactMatcher(known.flatMap(credentialForms));
  const scanned = await scannerFindings(texts);
  return texts.map((text, index) => {
    const exact = credentials(text).map(({ start, end }) => ({ rule: "credential", start, end }));
    // In this order a range that several found bears the most telling name.
    return merged([...exact, ...ownFindings(text), ...(scanned[index] ?? [])]);
  });
}

/** Overlapping ranges become one, which bears the name of the one that was given first. */
function merged(ranges: readonly SecretRange[]): SecretRange[] {
  const ranked = ranges.map((range, rank) => ({ ...range, rank }));
  ranked.sort((a, b) => a.start - b.start || a.rank - b.rank);
  const result: (SecretRange & { rank: number })[] = [];
  for (const range of ranked) {
    const last = result.at(-1);
    if (last === undefined || range.start >= last.end) {
      result.push(range);
      continue;
    }
    const first = range.rank < last.rank ? range : last;
    const end = Math.max(last.end, range.end);
    result[result.length - 1] = { rule: first.rule, rank: first.rank, start: last.start, end };
  }
  return result.map(({ rule, start, end }) => ({ rule, start, end }));
}
