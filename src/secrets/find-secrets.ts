import { CREDENTIAL_MIN_CHARS } from "../core/limits.ts";
import { secretsBeside } from "./aws-secrets.ts";
import { credentialForms } from "./credentials.ts";
import { cutValueMatcher } from "./cut-values.ts";
import { anchoredMatcher } from "./exact-matcher.ts";
import { namesOfHome, ownHome } from "./home-users.ts";
import { merged } from "./merge-ranges.ts";
import { isBlind, type KnownSecrets, noSights, OwnRules, type Sights } from "./rules.ts";
import type { FoundSecret, SecretRange } from "./secret-range.ts";
import { isPlace, isPlaceholder } from "./secret-value.ts";
import { scannerFindings } from "./secretlint.ts";
import { type Piece, Pieces, placeInText } from "./text-pieces.ts";

export interface FindSecretsOptions {
  /** Secrets that are known, of at least CREDENTIAL_MIN_CHARS characters (shorter ones are ignored). */
  readonly credentials: readonly string[];
  /** The home folder whose name is known from the start; by default the process's own. */
  readonly home?: string;
}

/**
 * Every secret in a text: known credentials (also in base64 and URL-encoded), what the scanner
 * finds, and what our own rules find. Sorted, without overlaps.
 */
export async function findSecrets(
  text: string,
  options: FindSecretsOptions,
): Promise<readonly FoundSecret[]> {
  return (await new SecretSearch(options).find([text])).get(0) ?? NONE;
}

/**
 * What our own rules find in a text: no known credentials, and without the scanner library, which
 * answers later. For callers that must answer at once. Sorted, without overlaps.
 */
export function findShapedSecrets(text: string): FoundSecret[] {
  return searchShapes(text).found;
}

/** The same, and whether anything in the text begins as a provider's token does: else none stands there in pieces either. */
export function searchShapes(text: string): { found: FoundSecret[]; hasTokenPrefix: boolean } {
  shapes ??= new OwnRules({ anchors: { words: [] }, find: () => [] });
  const rules = shapes;
  const ranges: SecretRange[][] = [];
  let hasTokenPrefix = false;
  const pieces = new Pieces([text], rules.scanner, (at, read) => {
    hasTokenPrefix ||= rules.seesTokenPrefix;
    const inPiece = rules.find(read, noSights());
    if (inPiece.length === 0) return false;
    ranges[at] = [...inPiece];
    return true;
  });
  const found = ranges.flatMap((each, at) => placeInText(pieces.at(at) as Piece, each));
  const real = merged(found).filter(({ value }) => !isPlaceholder(value));
  return { found: real, hasTokenPrefix };
}

/** Made at the first use. */
let shapes: OwnRules | null = null;

/** The same for many texts at once, which costs far less than a call for each; for one set of credentials. */
export class SecretSearch {
  readonly #rules: OwnRules;
  /** Names of home folders: the own one, and those that texts told. */
  readonly #homes: Set<string>;

  constructor({ credentials, home = ownHome() }: FindSecretsOptions) {
    this.#homes = new Set(namesOfHome(home));
    this.#rules = rulesFor(credentials);
  }

  /**
   * @param learn is given what was found in all texts before it says what else is a secret: a
   *   finder of values that occur elsewhere too, or null when there are none
   * @returns by a text's index; those that hold no secret are left out
   */
  async find(
    texts: readonly string[],
    learn: (found: readonly FoundSecret[]) => FindRanges | null = () => null,
  ): Promise<ReadonlyMap<number, readonly FoundSecret[]>> {
    const { pieces, scanned } = await this.#scan(texts);
    const found = collect(texts, scanned);
    const all = new Map<number, readonly FoundSecret[]>();
    for (const index of [...found.keys()].sort((a, b) => a - b))
      all.set(index, merged(found.get(index) ?? NONE));
    const echoes = learn([...all.values()].flat());
    if (echoes === null) return all;
    const more = new Map<number, FoundSecret[]>();
    for (let at = 0; at < pieces.length; at += 1) {
      const ranges = echoes(pieces.textAt(at) ?? "");
      if (ranges.length === 0) continue;
      const piece = pieces.at(at) as Piece;
      append(more, piece.index, placeInText(piece, ranges));
    }
    for (const [index, secrets] of more) {
      all.set(index, merged([...(all.get(index) ?? NONE), ...secrets]));
    }
    return all;
  }

  /** What is found in the pieces, in order, without those that hold nothing. */
  async #scan(texts: readonly string[]): Promise<{ pieces: Pieces; scanned: Scanned[] }> {
    const found = new Map<number, SecretRange[]>();
    const sights = new Map<number, Sights>();
    let seen = noSights(this.#homes);
    const pieces = new Pieces(texts, this.#rules.scanner, (at, text) => {
      const inPiece = this.#rules.find(text, seen);
      append(found, at, inPiece);
      if (isBlind(seen)) return inPiece.length > 0;
      sights.set(at, seen);
      seen = noSights(this.#homes);
      return true;
    });
    addFromOthers(pieces, sights, found);
    const suspected = [...sights].map(([at, { suspects }]) => ({
      at,
      text: pieces.textAt(at) ?? "",
      suspects,
      found: found.get(at) ?? [],
    }));
    const findings = await scannerFindings(suspected);
    // In this order a range that several found bears the most telling name.
    for (const [n, { at }] of suspected.entries()) append(found, at, findings[n] ?? []);
    const inOrder = [...found].sort(([a], [b]) => a - b);
    const scanned = inOrder.map(([at, ranges]) => ({ piece: pieces.at(at) as Piece, ranges }));
    return { pieces, scanned };
  }
}

/** Those made last: of many sessions that one process redacts each has the same credentials. */
let lastRules: { readonly credentials: readonly string[]; readonly rules: OwnRules } | null = null;

function rulesFor(credentials: readonly string[]): OwnRules {
  const last = lastRules;
  const isSame =
    last?.credentials.length === credentials.length &&
    credentials.every((value, at) => value === last.credentials[at]);
  if (last !== null && isSame) return last.rules;
  const rules = new OwnRules(knownSecrets(credentials));
  lastRules = { credentials: [...credentials], rules };
  return rules;
}

function knownSecrets(credentials: readonly string[]): KnownSecrets {
  const known = credentials.filter((value) => value.length >= CREDENTIAL_MIN_CHARS);
  const secretOf = new Map<string, string>();
  // A form that stands for two of them stands for the first.
  for (const value of known) {
    for (const form of credentialForms(value)) if (!secretOf.has(form)) secretOf.set(form, value);
  }
  const whole = anchoredMatcher([...secretOf.keys()]);
  const cut = cutValueMatcher([...secretOf.keys()]);
  return {
    anchors: { words: [...new Set([...whole.anchors.words, ...cut.anchors.words])] },
    find: (text, places) =>
      [...whole.find(text, places), ...cut.find(text, places)].map(({ start, end, value }) => {
        const credential = secretOf.get(value) ?? value;
        return { rule: "credential", start, end, value: credential };
      }),
  };
}

type FindRanges = (text: string) => readonly SecretRange[];

interface Scanned {
  readonly piece: Piece;
  readonly ranges: readonly SecretRange[];
}

const NONE: readonly FoundSecret[] = [];

/** One by one: thousands of arguments at once exhaust the stack. */
function append<Range>(lists: Map<number, Range[]>, key: number, more: readonly Range[]): void {
  if (more.length === 0) return;
  const list = lists.get(key) ?? [];
  for (const each of more) list.push(each);
  lists.set(key, list);
}

/** What only another text makes a secret: a home folder's name, the secret beside an AWS id. */
function addFromOthers(
  pieces: Pieces,
  sights: ReadonlyMap<number, Sights>,
  found: Map<number, SecretRange[]>,
): void {
  const awsIds = new Map<number, readonly number[]>();
  for (const [at, { homes, awsIds: ids }] of sights) {
    const text = pieces.textAt(at) ?? "";
    const known = homes.bare.filter(({ start, end }) => homes.names.has(text.slice(start, end)));
    append(found, at, known);
    if (ids.length > 0) awsIds.set(at, ids);
  }
  const textAt = (at: number) => pieces.textAt(at);
  for (const { at, ranges } of secretsBeside(textAt, awsIds)) append(found, at, ranges);
}

/** What was found in the pieces, which stand in order of the texts, at its places there. */
function collect(
  texts: readonly string[],
  scanned: readonly Scanned[],
): ReadonlyMap<number, readonly FoundSecret[]> {
  const found = new Map<number, FoundSecret[]>();
  const joined = new Map<number, FoundSecret[]>();
  for (const { piece, ranges } of scanned) {
    append(piece.joints === null ? found : joined, piece.index, placeInText(piece, ranges));
  }
  for (const [index, secrets] of joined) {
    const known = merged(found.get(index) ?? NONE);
    const text = texts[index] ?? "";
    append(
      found,
      index,
      secrets.filter((secret) => goesOn(text, secret, known)),
    );
  }
  return found;
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
