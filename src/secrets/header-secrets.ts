/** What the headers of a request carry: `Authorization`, `Bearer …`, cookies. Sticky, behind the name. */
import { BEARER_SECRET_MIN_CHARS, HEADER_SECRET_MIN_CHARS } from "../core/limits.ts";
import { continuedValue } from "./continued-values.ts";
import type { SecretRange } from "./secret-range.ts";
import { isExample, isPlaceholder, isPublicId, isRandom, isReference } from "./secret-value.ts";

const SCHEME =
  /\\{0,7}["'`]?\s{0,3}[:=,]\s{0,3}\\{0,7}["'`]?(?:bearer|basic|token|apikey|bot|negotiate)\s{1,3}/iy;
const NO_SCHEME = /\\{0,7}["'`]?\s{0,3}[:=,]\s{0,3}\\{0,7}["'`]?/y;
/** `SSWS …`, `SharedKey account:…`: any other scheme. */
const OTHER_SCHEME =
  /\\{0,7}["'`]?\s{0,3}[:=,]\s{0,3}\\{0,7}["'`]?([A-Za-z][\w-]{1,31})[ \t]{1,3}(?:[\w.-]{1,64}:)?/y;
/** It is named after how it signs, and looks like a credential itself. */
const SIGNING_SCHEME = /-HMAC-/i;
/** What some schemes have instead of a credential: `name=value, name="value"`. */
const PARAMETER =
  /(([\w-]{1,40})=\\{0,7}["']?)((?:[^\s"'`,;\\<>(){}$[\]]|;(?=\w)){0,4096})\\{0,7}["']?(?:,[ \t]{0,3})?/y;
const SIGNATURE_NAME = /^(?:auth|mac|response|(?:oauth_)?(?:token|signature))$/i;
const SIGNATURE = /^[0-9a-f]{32,}$/i;
const CREDENTIAL = /[^\s"'`,;\\<>(){}$[\]]{3,4096}/y;
const BEARER = /(?:\s{1,3}|["']?\s?[:=]\s{0,3}["']?)([\w.~+/-]{4,4096}={0,2})/y;

const isNoExample = (value: string) => !isExample(value) && !isReference(value);

/** The credentials of an `Authorization` header whose name ends at the place. */
export function authorizationAt(text: string, nameEnd: number): SecretRange[] {
  SCHEME.lastIndex = nameEnd;
  if (SCHEME.test(text)) return credentialAt(text, SCHEME.lastIndex, () => true);
  OTHER_SCHEME.lastIndex = nameEnd;
  const [, scheme = ""] = OTHER_SCHEME.exec(text) ?? [];
  const start = OTHER_SCHEME.lastIndex;
  if (SIGNING_SCHEME.test(scheme)) return signaturesAt(text, start);
  // What looks like a credential is one that has no scheme, and stands before other words.
  if (scheme !== "" && !isRandom(scheme)) {
    PARAMETER.lastIndex = start;
    return PARAMETER.test(text)
      ? signaturesAt(text, start)
      : credentialAt(text, start, (value) => isRandom(value) && !isPublicId(value));
  }
  NO_SCHEME.lastIndex = nameEnd;
  return NO_SCHEME.test(text) ? credentialAt(text, NO_SCHEME.lastIndex, isRandom) : [];
}

function credentialAt(
  text: string,
  start: number,
  isLikely: (value: string) => boolean,
): SecretRange[] {
  CREDENTIAL.lastIndex = start;
  if (!CREDENTIAL.test(text)) return [];
  const range = wholeOrFirst(
    text,
    start,
    CREDENTIAL.lastIndex,
    (value) => value.length >= HEADER_SECRET_MIN_CHARS && isNoExample(value) && isLikely(value),
  );
  return range === null ? [] : [range];
}

/** The secret ones among the parameters that begin at the place. */
function signaturesAt(text: string, start: number): SecretRange[] {
  const ranges: SecretRange[] = [];
  PARAMETER.lastIndex = start;
  for (let each = PARAMETER.exec(text); each !== null; each = PARAMETER.exec(text)) {
    const [, lead = "", name = "", value = ""] = each;
    const isLikely = isRandom(value) || SIGNATURE.test(value);
    if (!SIGNATURE_NAME.test(name) || value.length < HEADER_SECRET_MIN_CHARS) continue;
    if (!isLikely || !isNoExample(value)) continue;
    const valueStart = each.index + lead.length;
    ranges.push({ rule: "authorization", start: valueStart, end: valueStart + value.length });
  }
  return ranges;
}

/** `Bearer <credential>`, wherever it stands. */
export function bearerAt(text: string, wordEnd: number): SecretRange | null {
  BEARER.lastIndex = wordEnd;
  const [, first = ""] = BEARER.exec(text) ?? [];
  if (first === "") return null;
  const end = BEARER.lastIndex;
  return wholeOrFirst(text, end - first.length, end, (value) => {
    const isLong = value.replace(/=+$/, "").length >= BEARER_SECRET_MIN_CHARS;
    return isLong && isRandom(value) && isNoExample(value);
  });
}

/** The credential with what was cut from it; or its first piece, where that alone is one. */
function wholeOrFirst(
  text: string,
  start: number,
  end: number,
  isCredential: (value: string) => boolean,
): SecretRange | null {
  const rule = "authorization";
  const whole = continuedValue(text, start, end);
  if (whole !== null && isCredential(whole.text))
    return { rule, ...whole.toSource(0, whole.length), value: whole.text };
  return isCredential(text.slice(start, end)) ? { rule, start, end } : null;
}

const COOKIE_SIGN = /\\{0,7}["'`]?[ \t]{0,3}[:=,][ \t]{0,3}\\{0,7}["'`]?(?=[\w.$!%*+^-]{1,64}=)/y;
/** `curl --cookie "name=value"`, `-b "name=value"`. */
const COOKIE_FLAG = /(?<=--cookie|\s-b)[ =]\\{0,7}["'`]?(?=[\w.$!%*+^-]{1,64}=)/y;
const PAIR = /([\w.$!%*+^-]{1,64})=([^\s;,"'`\\<>{}[\]]{0,4096})(?:;[ \t]?|(?=[^;]|$))/y;
const ATTRIBUTE =
  /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned|version)$/i;
const SESSION_NAME = /sess|sid|token|auth|jwt|login|csrf|xsrf|remember|secret|user|id$/i;

/** The values of the cookies behind the header's name (or the flag) that ends at the place. */
export function cookiesAt(text: string, nameEnd: number): SecretRange[] {
  const sign = [COOKIE_SIGN, COOKIE_FLAG].find((each) => {
    each.lastIndex = nameEnd;
    return each.test(text);
  });
  if (sign === undefined) return [];
  const ranges: SecretRange[] = [];
  PAIR.lastIndex = sign.lastIndex;
  for (let pair = PAIR.exec(text); pair !== null; pair = PAIR.exec(text)) {
    const [all, name = "", value = ""] = pair;
    const start = pair.index + name.length + 1;
    if (isCookieSecret(name, value))
      ranges.push({ rule: "cookie", start, end: start + value.length });
    if (!all.includes(";")) break;
    PAIR.lastIndex = afterAttributes(text, PAIR.lastIndex);
  }
  return ranges;
}

const BARE_ATTRIBUTES = /(?:(?:secure|httponly|partitioned)(?:;[ \t]?|$))+/iy;

function afterAttributes(text: string, at: number): number {
  BARE_ATTRIBUTES.lastIndex = at;
  return BARE_ATTRIBUTES.test(text) ? BARE_ATTRIBUTES.lastIndex : at;
}

function isCookieSecret(name: string, value: string): boolean {
  if (value.length < 8 || ATTRIBUTE.test(name)) return false;
  if (!isNoExample(value) || isPlaceholder(value)) return false;
  return SESSION_NAME.test(name) ? /\d/.test(value) : value.length >= 12 && isRandom(value);
}
