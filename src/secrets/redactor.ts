import { SECRET_ECHO_MIN_CHARS } from "../core/limits.ts";
import { ExactMatcher } from "./exact-matcher.ts";
import { SecretSearch } from "./find-secrets.ts";
import type { FoundSecret, SecretRange } from "./secret-range.ts";
import { isPlaceholder } from "./secret-value.ts";
import { UniqueTexts } from "./unique-texts.ts";

export interface Redactor {
  /** The texts with every secret replaced by its placeholder, in the same order. */
  redact(texts: readonly string[]): Promise<string[]>;
  /** The same in place, for so many texts that copies of their list would count. */
  redactUnique(texts: UniqueTexts): Promise<void>;
  /** How many occurrences were replaced so far, by type. */
  counts(): Readonly<Record<string, number>>;
}

export interface RedactorOptions {
  /** Secrets that are known: replaced wherever they occur, also in base64 and URL-encoded. */
  readonly credentials: readonly string[];
  /** The home folder whose name is known from the start; by default the process's own. */
  readonly home?: string;
}

/**
 * A redactor with placeholders such as `[redacted:github-token:1]`: the same secret gets the same
 * one as long as the redactor lives, so that a reader can still tell two secrets apart.
 *
 * A secret that only its context gave away (`API_TOKEN=…`) is replaced where it stands alone too,
 * in this call and in later ones.
 */
export function createRedactor(options: RedactorOptions): Redactor {
  return new PlaceholderRedactor(options);
}

class PlaceholderRedactor implements Redactor {
  readonly #search: SecretSearch;
  /** Secret to placeholder. */
  readonly #placeholders = new Map<string, string>();
  readonly #typeOf = new Map<string, string>();
  /** The secrets that are replaced where nothing gives them away too. */
  readonly #echoes = new ExactMatcher();
  readonly #numbers = new Map<string, number>();
  readonly #counts = new Map<string, number>();

  constructor(options: RedactorOptions) {
    this.#search = new SecretSearch(options);
  }

  async redact(texts: readonly string[]): Promise<string[]> {
    const uniqueTexts = new UniqueTexts(texts.length);
    for (const text of texts) uniqueTexts.add(text);
    await this.redactUnique(uniqueTexts);
    return uniqueTexts.list();
  }

  async redactUnique(texts: UniqueTexts): Promise<void> {
    const { unique } = texts;
    texts.close();
    const found = await this.#search.find(unique, (secrets) => this.#echoesOf(secrets));
    // In the order of the texts, in which the placeholders are numbered.
    for (const [at, ranges] of [...found].sort(([a], [b]) => a - b))
      unique[at] = this.#replace(unique[at] ?? "", ranges);
  }

  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A finder of all secrets known so far, in places where nothing gives them away. */
  #echoesOf(secrets: readonly FoundSecret[]): ((text: string) => readonly SecretRange[]) | null {
    for (const { value, rule } of secrets) {
      if (this.#typeOf.has(value) || isPlaceholder(value)) continue;
      this.#typeOf.set(value, rule);
      if (isEchoing(value, rule)) this.#echoes.add(value);
    }
    if (this.#echoes.isEmpty) return null;
    return (text) => {
      const matches = this.#echoes.find(text);
      if (matches.length === 0) return NOTHING;
      return matches.map((match) => ({
        ...match,
        rule: this.#typeOf.get(match.value) ?? "secret",
      }));
    };
  }

  #replace(text: string, ranges: readonly FoundSecret[]): string {
    if (ranges.length === 0) return text;
    let clean = "";
    let end = 0;
    for (const range of ranges) {
      clean += text.slice(end, range.start) + this.#placeholder(range);
      end = range.end;
    }
    return clean + text.slice(end);
  }

  #placeholder({ value, rule }: FoundSecret): string {
    if (isPlaceholder(value)) return value;
    const type = this.#typeOf.get(value) ?? rule;
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    const known = this.#placeholders.get(value);
    if (known !== undefined) return known;
    const number = (this.#numbers.get(type) ?? 0) + 1;
    this.#numbers.set(type, number);
    const placeholder = `[redacted:${type}:${number}]`;
    this.#placeholders.set(value, placeholder);
    return placeholder;
  }
}

const NOTHING: readonly SecretRange[] = [];
/** Names of persons and machines are told by their place alone: elsewhere the word is just a word. */
const BY_PLACE = new Set(["email", "home-user", "private-ip"]);

function isEchoing(value: string, rule: string): boolean {
  return value.length >= SECRET_ECHO_MIN_CHARS && !BY_PLACE.has(rule);
}
