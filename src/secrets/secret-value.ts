/** Telling a secret from a word, a reference or an example, where only a name gives it away. */
import { RANDOM_LOOK_CHARS } from "../core/limits.ts";

/** `process.env.X`, `settings.token`, `$TOKEN`, `%TOKEN%`, `{{ token }}`: says where a value is, not what it is. */
const REFERENCE =
  /^(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Z][A-Z_]*|[A-Z][A-Z0-9]*_[A-Z0-9_]*|\$.*|%.*%|%[sdv]|@.*|#\{.*|\{\{.*|<.*)$/;

const EXAMPLE_START =
  /^(?:your|my|the|some|an?|example|sample|dummy|fake|mock|test|placeholder|change|redacted|insert|replace|enter|todo|foo|bar|not-?a|no|invalid|wrong|bad)(?:[-_.\s]|$)/i;
const EXAMPLE_WORD =
  /^(?:x{3,}|\*+|\.+|-+|_+|0+|1234\d*|abc(?:123|def)?\d*|changeme|pass(?:word|wd|w)?\d{0,3}|pw[d]?|passw0rd|postgres|root|admin|guest|test\d{0,3}|user|localhost|undefined|required|optional|boolean|secret|string|hunter2|none|null|true|false|bearer|basic|token)$/i;
/** Made up of one character, or masked: `xxxx-xxxx`, `sk-…****`, `AKIA................`. */
const MASKED = /^[\w-]{0,12}?(?:x{4,}|X{4,}|\*{3,}|\.{3,}|•{3,}|…)[\w-]{0,12}$/;

const WORD = /^(?:[A-Z]?[a-z]+|[A-Z]+)\d{0,3}$/;

/** Hashes and ids that identify content and are public: commits, checksums, UUIDs. */
const PUBLIC_ID =
  /^(?:[0-9a-f]{40}|[0-9a-f]{64}|sha(?:1|256|384|512)[-:].*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Text that redaction wrote: it is no secret, and must come out as it went in. */
const PLACEHOLDER = /^["']?\[redacted:[a-z-]+(?::\w+)?\]?["']?$/;

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

export function isReference(value: string): boolean {
  return REFERENCE.test(value) || /\$\{|\$\(|\{\{/.test(value);
}

export function isExample(value: string): boolean {
  return (
    (EXAMPLE_START.test(value) && isWords(value)) ||
    EXAMPLE_WORD.test(value) ||
    MASKED.test(value) ||
    /example|changeme|(?:^|[-_])your[-_]|placeholder/i.test(value)
  );
}

/** Words in a password's place that say where the secret is: `https://<token>:x-oauth-basic@host`. */
export function isNoSecretWord(value: string): boolean {
  return /^(?:x-[a-z-]+|oauth2?)$/i.test(value);
}

/** A provider's token as documentation shows it: `AKIAIOSFODNN7EXAMPLE`, `ghp_xxxxxxxx…`. */
export function isExampleToken(token: string): boolean {
  return /EXAMPLE|(?:^|[-_])your[-_]|(.)\1{9}/.test(token) || MASKED.test(token);
}

export function isPublicId(value: string): boolean {
  return PUBLIC_ID.test(value);
}

/** A relative or absolute path, or an address without a password. */
export function isPlace(value: string): boolean {
  return /^(?:\.{0,2}\/[\w.-]+\/|~\/|[A-Za-z]:\\|https?:\/\/)/.test(value);
}

/**
 * Letters and digits, or letters of both cases, mixed as a generator mixes them: no word, no name
 * with a number behind it.
 */
export function isRandom(whole: string): boolean {
  const value = whole.slice(0, RANDOM_LOOK_CHARS);
  const digits = value.replace(/\D/g, "").length;
  const letters = value.replace(/[^A-Za-z]/g, "").length;
  if (letters < 2) return false;
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value) && !isWords(value);
  if (digits < 2 && !(isMixed && value.length + 8 * digits >= 16)) return false;
  // `createdAt2024`, `user_token_12`: words, and one number behind them.
  if (digits < 8 && /^[A-Za-z]+(?:[-_.][A-Za-z]+)*[-_.]?\d+$/.test(value)) return false;
  return entropyBits(value) >= 3;
}

/** Words as people join them: `wrong-password`, `readme`, `NextPart`, `step-2`. */
export function isWords(value: string): boolean {
  const parts = value
    .slice(0, RANDOM_LOOK_CHARS)
    .replace(/[-_.]?\d{1,3}$/, "")
    .split(/[-_.:/ ]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  const letters = parts.reduce((sum, part) => sum + part.length, 0);
  return letters >= 3 * parts.length && parts.every((part) => WORD.test(part));
}

/** Shannon entropy of a character, in bits. */
function entropyBits(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / value.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
