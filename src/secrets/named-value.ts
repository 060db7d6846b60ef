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
  if (!naming.isEnvironment && /^\d+$/.test(text)) return false;
  if (isPlaceholder(text) || isReference(text) || isExample(text) || isPlace(text)) return false;
  const isCode = !isQuoted && (next === "(" || next === "[" || text.startsWith("-"));
  if (isCode || /^sha\d+[-:]/.test(text) || NO_SECRET_NAME.test(naming.name)) return false;
  return looksSecret(naming, value);
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
  if (isEnvironment) return value.length >= 8 && !/^\d+$/.test(value);
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

function isPassword(naming: Naming, value: string, isQuoted: boolean): boolean {
  if (value.length < 6 || (/^\d+$/.test(value) && !naming.isEnvironment)) return false;
  if (naming.isEnvironment || naming.isFlag) return true;
  // Outside of environment files a name is often code: its value must look like no word.
  const isOdd = /\d/.test(value) || /[^\w.:/-]/.test(value);
  if (isQuoted || naming.sign === ">") return isOdd && !isWords(value);
  if (naming.startsLine && naming.sign !== "=") return isOdd && /[A-Za-z]/.test(value);
  return isLikely(value, naming.startsLine ? 8 : 12);
}
