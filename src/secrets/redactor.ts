import { SECRET_ECHO_MIN_CHARS } from "../core/limits.ts";
import { exactMatcher } from "./exact-matcher.ts";
import { findSecretsIn } from "./find-secrets.ts";
import type { SecretRange } from "./secret-range.ts";

export interface Redactor {
  /** The texts with every secret replaced by its placeholder, in the same order. */
  redact(texts: readonly string[]): Promise<string[]>;
  /** How many occurrences were replaced so far, by type. */
  counts(): Readonly<Record<string, number>>;
}

export interface RedactorOptions {
  /** Secrets that are known: replaced wherever they occur, also in base64 and URL-encoded. */
  readonly credentials: readonly string[];
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

/** Text that an earlier pass wrote: it is no secret, and must come out as it went in. */
const PLACEHOLDER = /^\[redacted:[a-z-]+:\d+\]$/;

class PlaceholderRedactor implements Redactor {
  readonly #credentials: readonly string[];
  /** Secret to placeholder. */
  readonly #placeholders = new Map<string, string>();
  readonly #typeOf = new Map<string, string>();
  readonly #numbers = new Map<string, number>();
  readonly #counts = new Map<string, number>();

  constructor(options: RedactorOptions) {
    this.#credentials = options.credentials;
  }

  async redact(texts: readonly string[]): Promise<string[]> {
    const ranges = await findSecretsIn(texts, { credentials: this.#credentials });
    for (const [index, text] of texts.entries()) {
      for (const range of ranges[index] ?? [])
        this.#learn(text.slice(range.start, range.end), range);
    }
    const echoes = exactMatcher(
      [...this.#typeOf.keys()].filter((secret) => secret.length >= SECRET_ECHO_MIN_CHARS),
    );
    return texts.map((text, index) =>
      this.#replace(text, withEchoes(ranges[index] ?? [], echoes(text), this.#typeOf)),
    );
  }

  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  #learn(secret: string, range: SecretRange): void {
    if (!this.#typeOf.has(secret) && !PLACEHOLDER.test(secret))
      this.#typeOf.set(secret, range.rule);
  }

  #replace(text: string, ranges: readonly SecretRange[]): string {
    let clean = "";
    let end = 0;
    for (const range of ranges) {
      const secret = text.slice(range.start, range.end);
      clean += text.slice(end, range.start) + this.#placeholder(secret, range.rule);
      end = range.end;
    }
    return clean + text.slice(end);
  }

  #placeholder(secret: string, rule: string): string {
    if (PLACEHOLDER.test(secret)) return secret;
    const type = this.#typeOf.get(secret) ?? rule;
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    const known = this.#placeholders.get(secret);
    if (known !== undefined) return known;
    const number = (this.#numbers.get(type) ?? 0) + 1;
    this.#numbers.set(type, number);
    const placeholder = `[redacted:${type}:${number}]`;
    this.#placeholders.set(secret, placeholder);
    return placeholder;
  }
}

/** Found ranges first; echoes only where none of them lies. Sorted, without overlaps. */
function withEchoes(
  found: readonly SecretRange[],
  echoes: readonly { start: number; end: number; value: string }[],
  typeOf: ReadonlyMap<string, string>,
): SecretRange[] {
  let next = 0;
  const free = echoes.filter((echo) => {
    while ((found[next]?.end ?? Infinity) <= echo.start) next += 1;
    return (found[next]?.start ?? Infinity) >= echo.end;
  });
  const added = free.map(({ start, end, value }) => ({
    rule: typeOf.get(value) ?? "secret",
    start,
    end,
  }));
  return [...found, ...added].sort((a, b) => a.start - b.start);
}
