/** Whether what is given to a name is a secret. */
import {
  isExample,
  isPlace,
  isPlaceholder,
  isPublicId,
  isRandom,
  isReference,
  isWords,
} from "./secret-value.ts";

/** What is given to a name. */
export interface Value {
  readonly text: string;
  readonly start: number;
  readonly isQuoted: boolean;
}

/** Where a name is, and how its value is given to it. */
export interface Naming {
  readonly name: string;
  readonly isFlag: boolean;
  /** `NAME=value` as shells and .env files write it. */
  readonly isEnvironment: boolean;
  readonly sign: string;
  /** Nothing but the value's name stands before it in its line. */
  readonly startsLine: boolean;
}

const PASSWORD_NAME = /passw|passphrase|pwd|[_"'-]pass/i;
/** A column of keys is one of names. */
const NOT_IN_COLUMN = /key(?:[_-]?id)?$/i;
const HEADER_NAME = /^(?:x-.*|api-key|private-token|job-token)$/i;

/** What such a value is called. */
export function ruleOf({ name, sign }: Naming): string {
  if (sign === ":" && HEADER_NAME.test(name)) return "authorization";
  return PASSWORD_NAME.test(name) ? "password" : "assigned-secret";
}

/** A bare `_KEY` may be anything (`SORT_KEY`, `CACHE_KEY`): it needs a value that is no id or hash. */
const UNSPECIFIC = /key(?:[_-]?id)?$/i;
const SPECIFIC_KEY =
  /(?:api|access|private|secret|auth|account|encryption|signing)[_-]?key(?:[_-]?id)?$/i;
/** `tokenEndpoint`-like names end otherwise; these end so and hold no secret. */
const NO_SECRET_NAME =
  /(?:max|num|total|input|output|prompt|completion|cached?|count)[\w-]*tokens?$/i;

/** Whether the value is a secret, and no word, reference, example or place. */
export function isSecret(naming: Naming, value: Value, next: string): boolean {
  const { text, isQuoted } = value;
  // Counts of tokens: most of what is given to such a name.
  if (/^\d+$/.test(text)) return naming.isEnvironment && isNumericSecret(naming.name, text);
  if (isPlaceholder(text) || isReference(text) || isExample(text) || isPlace(text)) return false;
  const isCode = !isQuoted && (next === "(" || next === "[" || text.startsWith("-"));
  if (isCode || /^sha\d+[-:]/.test(text) || NO_SECRET_NAME.test(naming.name)) return false;
  return looksSecret(naming, value);
}

/** A number that is no count, port or switch. */
function isNumericSecret(name: string, value: string): boolean {
  if (/^(.)\1+$/.test(value) || NO_SECRET_NAME.test(name)) return false;
  if (PASSWORD_NAME.test(name)) return value.length >= 6;
  return value.length >= 8 && /(?:TOKEN|SECRET)$/.test(name);
}

function looksSecret(naming: Naming, { text: value, isQuoted }: Value): boolean {
  const { name, isEnvironment, isFlag, sign } = naming;
  if (sign === "|" || sign === "is" || sign === "was") return isLikely(value, 10);
  if (sign === "below" || sign === "->" || /^["']/.test(name)) return isLikely(value, 8);
  if (sign === "column")
    return (
      /[_-]/.test(name) && !NOT_IN_COLUMN.test(name) && isLikely(value, 16) && !isPublicId(value)
    );
  if (UNSPECIFIC.test(name) && !SPECIFIC_KEY.test(name))
    return isEnvironment && /_KEY$/.test(name) && isLikely(value, 16) && !isKeyOfHash(name, value);
  if (PASSWORD_NAME.test(name)) return isPassword(naming, value, isQuoted);
  if (isEnvironment) return value.length >= 8;
  if (isSetting(naming, isQuoted) && isWeak(value, 8)) return true;
  const isShort = HEADER_NAME.test(name) || isFlag || /^[A-Z0-9_]+$/.test(name);
  return isLikely(value, isShort ? 8 : 12);
}

/** The key of an entry may be a checksum; a key that is no entry's looks like one where it is hexadecimal. */
function isKeyOfHash(name: string, value: string): boolean {
  return (
    isPublicId(value) &&
    /(?:CACHE|HASH|SORT|PUBLIC|PRIMARY|FOREIGN|PARTITION|ROW|OBJECT|BUCKET|S3|BUILD|RESTORE)_KEY$/.test(
      name,
    )
  );
}

function isLikely(value: string, least: number): boolean {
  return value.length >= least && isRandom(value);
}

/** The name of a constant that isn't a setting but a message: `WRONG_PASSWORD: "…"`. */
const MESSAGE_NAME =
  /WRONG|INVALID|ERROR|RESET|FORGOT|CHANGE|CONFIRM|MISSING|WEAK|INCORRECT|SHOW|HIDE|REQUIRE|UPDATE|SET_|ENTER|LABEL|EMPTY|ALLOW/i;

/** `DB_PASSWORD: "…"`, `{"DB_PASSWORD":"…"}`: what an environment is filled with from YAML or JSON. */
function isSetting({ name, sign, startsLine }: Naming, isQuoted: boolean): boolean {
  const isShaped = /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/.test(name) && !MESSAGE_NAME.test(name);
  return isShaped && (sign === ":" || sign === "=") && (isQuoted || startsLine);
}

function isPassword(naming: Naming, value: string, isQuoted: boolean): boolean {
  if (/^(?:yes|no|on|off)$/i.test(value)) return false;
  if (naming.isEnvironment) return value.length >= 3;
  if (naming.isFlag) return value.length >= 6 || isWeak(value, 4);
  if (isSetting(naming, isQuoted) && /^[a-z]{6,}$/.test(value)) return true;
  return isPasswordInCode(naming, value, isQuoted);
}

/** Outside of environment files a name is often code: its value must look like no word. */
function isPasswordInCode(naming: Naming, value: string, isQuoted: boolean): boolean {
  const isOdd = /\d/.test(value) || /[^\w.:/-]/.test(value);
  if (isQuoted || naming.sign === ">")
    return (value.length >= 6 && isOdd && !isWords(value)) || isWeak(value, 4);
  if (value.length < 6) return false;
  if (naming.startsLine && naming.sign !== "=") return isOdd && /[A-Za-z]/.test(value);
  return isLikely(value, naming.startsLine ? 8 : 12) || isWeak(value, 6);
}

/** Names of algorithms and encodings, which a number ends as it ends a weak password. */
const ALGORITHM =
  /^(?:sha|md|base|utf|aes|rsa|argon|bcrypt|scrypt|pbkdf|hs|rs|es|iso|latin|v)-?\d+$/i;

/** What people choose: a word with a number of some digits, or with one sign among its letters. */
function isWeak(value: string, least: number): boolean {
  if (value.length < least || ALGORITHM.test(value)) return false;
  if (/^[A-Za-z]+\d{2,}$/.test(value)) return true;
  return /^[A-Za-z][\w.-]*[@!#%^~][\w@!#%^~.-]*$/.test(value) && !/[!=]=/.test(value);
}
