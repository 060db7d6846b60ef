/** Telling a secret from a word, a reference or an example, where only a name gives it away. */

/** `process.env.X`, `settings.token`, `$TOKEN`, `%TOKEN%`: says where a value is, not what it is. */
const REFERENCE = /^(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Z][A-Z0-9_]*|\$.*|%.*%|@.*)$/;

const EXAMPLE_START =
  /^(?:your|my|the|some|an?|example|sample|dummy|fake|mock|test|placeholder|change|redacted|insert|replace|enter|todo|foo|bar)(?:[-_.\s]|$)/i;
const EXAMPLE_WORD =
  /^(?:x{3,}|\*+|\.+|-+|_+|0+|1234\d*|changeme|password\d{0,3}|passw0rd|postgres|localhost|undefined|required|optional|boolean|secret|string|hunter2)$/i;

/** Hashes and ids that identify content and are public: commits, checksums, UUIDs. */
const PUBLIC_ID =
  /^(?:[0-9a-f]{40}|[0-9a-f]{64}|sha(?:1|256|384|512)[-:].*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

export function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

export function isExample(value: string): boolean {
  return EXAMPLE_START.test(value) || EXAMPLE_WORD.test(value) || /example|changeme/i.test(value);
}

export function isPublicId(value: string): boolean {
  return PUBLIC_ID.test(value);
}

/** A relative or absolute path, or an address without a password. */
export function isPlace(value: string): boolean {
  return /^(?:\.{0,2}\/[\w.-]+\/|~\/|[A-Za-z]:\\|https?:\/\/)/.test(value);
}

/** Letters and digits mixed as a generator mixes them: no word, no name with a number behind it. */
export function isRandom(value: string): boolean {
  const digits = value.replace(/\D/g, "").length;
  const letters = value.replace(/[^A-Za-z]/g, "").length;
  if (digits < 2 || letters < 2) return false;
  // `createdAt2024`, `user_token_12`: words, and one number behind them.
  if (/^[A-Za-z]+(?:[-_.][A-Za-z]+)*[-_.]?\d+$/.test(value) && digits < 8) return false;
  return entropyBits(value) >= 3;
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
