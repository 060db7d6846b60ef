import type { SecretRange } from "./secret-range.ts";
import { isExample, isPlace, isPublicId, isRandom, isReference } from "./secret-value.ts";

/**
 * `NAME=value`, `name: "value"`, `"name": "value"`, `--name value`, where the name says that the
 * value is secret. Quotes may be escaped, as in JSON inside JSON. The name's length is bounded so
 * that a long run of letters costs nothing.
 */
const ASSIGNMENT =
  /(?<![A-Za-z0-9])(?<name>[A-Za-z0-9_.-]{0,64}?(?:TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|API[_-]?KEY|ACCESS[_-]?KEY(?:[_-]?ID)?|PRIVATE[_-]?KEY|SECRET[_-]?KEY|AUTH[_-]?KEY|CREDENTIALS?|_KEY))(?<sign>\\?["']?\s{0,3}(?:=>|:=|=|:)\s{0,3}|(?<=--[a-z-]{0,40})\s)(?<quote>\\?["'`])?(?<secret>[^\s"'`,;&|<>(){}[\]\\$]{8,})/dgi;

/** Secrets that are given to a name which says so. */
export function assignedSecrets(text: string): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const match of text.matchAll(ASSIGNMENT)) {
    const { name = "", sign = "", quote, secret = "" } = match.groups ?? {};
    const [start, end] = match.indices?.groups?.["secret"] ?? [0, 0];
    const isCalled = text.charAt(end) === "(" || text.charAt(end) === "[";
    const isEnvironment = sign === "=" && /^[A-Z0-9_]+$/.test(name);
    if (isCalled || !isSecret(name, secret, isEnvironment, quote !== undefined)) continue;
    ranges.push({ rule: ruleOf(name), start, end });
  }
  return ranges;
}

function ruleOf(name: string): string {
  return /passw|passphrase/i.test(name) ? "password" : "assigned-secret";
}

/** A bare `_KEY` may be anything (`SORT_KEY`, `CACHE_KEY`): it needs a value that is no id or hash. */
const SPECIFIC =
  /TOKENS?$|SECRETS?$|PASSW|PASSPHRASE|API[_-]?KEY|(?:ACCESS|PRIVATE|SECRET|AUTH)[_-]?KEY|CREDENTIALS?$/i;

function isSecret(name: string, value: string, isEnvironment: boolean, isQuoted: boolean): boolean {
  if (isReference(value) || isExample(value) || isPlace(value)) return false;
  if (!SPECIFIC.test(name)) return isEnvironment && !isPublicId(value) && isLongRandom(value);
  if (/^sha\d+-/.test(value)) return false;
  const isPassword = /passw|passphrase/i.test(name);
  // Outside of environment files a name is often code: its value must look like no word.
  if (isEnvironment) return isPassword || !/^\d+$/.test(value);
  if (isPassword && isQuoted) return /[\d\W_]/.test(value);
  return value.length >= 12 && isRandom(value);
}

function isLongRandom(value: string): boolean {
  return value.length >= 16 && isRandom(value);
}
