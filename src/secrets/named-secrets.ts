/** Secrets that are given to a name which says so: assignments, settings, flags, headers. */
import { SECRET_NAME_MAX_CHARS, SECRET_VALUE_LOOK_CHARS } from "../core/limits.ts";
import type { Anchors } from "./anchor-tables.ts";
import { continuedValue } from "./continued-values.ts";
import { authorizationAt, bearerAt, cookiesAt } from "./header-secrets.ts";
import { firstItem } from "./joined-strings.ts";
import { isSecret, type Naming, ruleOf, type Value } from "./named-value.ts";
import { isEscapeLetter } from "./provider-tokens.ts";
import type { SecretRange } from "./secret-range.ts";

type OnSuspect = (at: number) => void;

/**
 * What such a name ends with, each with the secrets behind it: `places` are those where one of its
 * anchors stands, and `onSuspect` is told the place of each name that the scanner library knows too.
 */
export const NAMES: readonly {
  anchors: Anchors;
  find(text: string, places: readonly number[], onSuspect: OnSuspect): SecretRange[];
}[] = [
  named(/tokens?/iy, "token"),
  named(/secrets?/iy, "secret"),
  named(/passw(?:or)?d/iy, "passw"),
  named(/passphrase/iy, "passphrase"),
  named(/[_-]pass(?!w|p)/iy, "_pass", "-pass"),
  named(/["']pass(?=\\{0,7}["'])/iy, '"pass"', '"pass\\"', "'pass'"),
  named(/key(?:[_-]?id)?/iy, "key"),
  named(/[_-]pwd/iy, "_pwd", "-pwd"),
  named(/_pat/iy, "_pat"),
  named(/_auth(?!o|[_-]?key)/iy, "_auth"),
  named(/credentials?/iy, "credential"),
  named(/bearer/iy, "bearer"),
  named(/authorization/iy, "authorization"),
  named(/cookie/iy, "cookie"),
];

function named(pattern: RegExp, ...words: string[]) {
  return {
    anchors: { words, ignoreCase: true },
    find: (text: string, places: readonly number[], onSuspect: OnSuspect) =>
      namedSecrets(text, pattern, places, onSuspect),
  };
}

const NAME_TAIL =
  /(?:[_-]?(?:\d{1,3}|base|prod|production|staging|live|test|dev|old|new|value|primary|secondary))?(?![A-Za-z0-9_])/iy;

/** What a tail, or a sign, begins with: most names of code go on with something else. */
const MAY_FOLLOW_NAME = new Set(
  [..."_-0123456789bBpPsSlLtTdDoOnNvV \t\r\n\\\"'`]:=,>|"].map((each) => each.charCodeAt(0)),
);

/**
 * What stands between name and value: `=`, `: `, `" => "`, `","` of an array of arguments, ` value="`,
 * the `>` of a tag, the `|` of a table, ` -> `, the blanks between two columns, a line break (`password: >-`), `","value":"` and the line `value: ` of a list of variables.
 */
const SIGN =
  /(?:[ \t]{0,4}(:)[ \t]{0,4}(?:[|>][-+]?[ \t]{0,4})?\r?\n[ \t]{0,40}(?=[^\s:#]{8,512}[ \t]*\r?(?:\n|$))|[ \t]{1,16}(->)[ \t]{1,16}|([ \t]{2,60})(?=[\w+/=.-]{16,512}[ \t]*\r?(?:\n|$))|\\{0,7}["'`]?\]?[ \t]{0,16}(=>|:=|==?|:)[ \t]{0,16}|\\{0,7}["'],(?:\\{1,8}n|\s){0,40}\\{0,7}["']value\\{0,7}["']\s{0,3}(:)\s{0,3}|\\{0,7}["'`](,)\s{0,2}(?=\\{0,7}["'`])|\\{0,7}["']\s{1,3}value\s?(=)\s?|["']?(?:\\{1,8}n|\r?\n)[ \t]{1,40}value(:)[ \t]{1,16}|(>)(?=[^\s<>])|`?[ \t]{0,40}(\|)[ \t]{0,40}| (?:is|was):? |[ \t]{1,3})/y;
/** A quote, also behind the bracket that holds a string of several lines. */
const OPENING = /(?:\([ \t]{0,4}(?:\r?\n[ \t]{0,40})?)?(\\{0,7})(["'`])/y;

function namedSecrets(
  text: string,
  pattern: RegExp,
  places: readonly number[],
  onSuspect: OnSuspect,
): SecretRange[] {
  const ranges: SecretRange[] = [];
  let passed = 0;
  for (const at of places) {
    if (at < passed) continue;
    pattern.lastIndex = at;
    const word = pattern.exec(text)?.[0];
    if (word === undefined) continue;
    const found = secretsBehind(text, at, word.toLowerCase(), onSuspect);
    ranges.push(...found);
    passed = Math.max(pattern.lastIndex, found.at(-1)?.end ?? 0);
  }
  return ranges;
}

function secretsBehind(
  text: string,
  wordStart: number,
  word: string,
  onSuspect: (at: number) => void,
): SecretRange[] {
  const wordEnd = wordStart + word.length;
  if (word === "cookie") return cookiesAt(text, wordEnd);
  if (word === "bearer") return listed(bearerAt(text, wordEnd));
  if (word === "authorization") return authorizationAt(text, wordEnd);
  if (!MAY_FOLLOW_NAME.has(text.charCodeAt(wordEnd))) return [];
  NAME_TAIL.lastIndex = wordEnd;
  if (!NAME_TAIL.test(text)) return [];
  SIGN.lastIndex = NAME_TAIL.lastIndex;
  const sign = SIGN.exec(text);
  if (sign === null || isCount(text, wordStart, sign)) return [];
  const naming = namingAt(text, wordStart, SIGN.lastIndex, sign);
  if (naming === null) return [];
  const value = valueAt(text, SIGN.lastIndex, naming);
  if (value === null) return [];
  const end = value.start + value.text.length;
  const whole = continuedValue(text, value.start, end);
  if (whole !== null && isSecret(naming, { ...value, text: whole.text }, "")) {
    const place = whole.toSource(0, whole.length);
    return [{ rule: ruleOf(naming), ...place, value: whole.text }];
  }
  if (!isSecret(naming, value, text.charAt(end))) {
    if (SUSPECT_NAME.test(naming.name)) onSuspect(wordStart);
    return [];
  }
  return [{ rule: ruleOf(naming), start: value.start, end: wholeEnd(text, value.start, end) }];
}

const COUNT = /\d{1,20}[,}\])]/y;
/** Names of which the scanner library is told whatever their value. */
const SUSPECT_NAME = /aws|_auth/i;

/** `"max_tokens":4096`: no secret, whatever the name; most of what is given to one. */
function isCount(text: string, wordStart: number, { 0: sign, index }: RegExpExecArray): boolean {
  COUNT.lastIndex = index + sign.length;
  if (!sign.endsWith(":") || !COUNT.test(text)) return false;
  return !SUSPECT_NAME.test(text.slice(Math.max(0, wordStart - SECRET_NAME_MAX_CHARS), index));
}

function listed(range: SecretRange | null): SecretRange[] {
  return range === null ? [] : [range];
}

const IS_OF_NAME = new Uint8Array(128);
for (const code of Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"))
  IS_OF_NAME[code] = 1;
const isOfName = (code: number) => code < 128 && IS_OF_NAME[code] === 1;
/** A `.netrc` of several lines: `password …` behind the line of its login. */
const LOGIN_BEFORE = /\bmachine\s[^\0]{1,200}\blogin\s{1,8}\S{1,100}\s{1,40}$/;
/** A function that sets a variable: name and value are its arguments. */
const SETTER_BEFORE = /(?:[Ss]et_?[Ee]nv|putenv|set_var|setdefault)\(\s?\\{0,7}["'`]?$/;
const BLANK_SIGN_BEHIND =
  /(?:\bENV|\bset -\w{1,4}|\bsetx|\bsetenv|\bmachine\s.{1,200}\blogin\s.{1,100})\s$/;

function namingAt(
  text: string,
  wordStart: number,
  signEnd: number,
  sign: RegExpExecArray,
): Naming | null {
  let start = wordStart;
  const least = Math.max(0, wordStart - SECRET_NAME_MAX_CHARS);
  while (start > least && isOfName(text.charCodeAt(start - 1))) {
    if (isEscapeLetter(text, start - 1)) break;
    start -= 1;
  }
  const spelled = text.slice(start, sign.index);
  const isFlag = /^--?[a-z]/i.test(spelled);
  const operator = operatorOf(sign, isFlag);
  const before = text.slice(Math.max(0, start - 256), start);
  if (operator === "," && !isFlag && !SETTER_BEFORE.test(before)) return null;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const isNamed = () => isFlag || BLANK_SIGN_BEHIND.test(line) || LOGIN_BEFORE.test(before);
  if (operator === "" && !isNamed()) return null;
  if (operator === ">" && !/<[\w:-]*$/.test(line)) return null;
  const name = spelled.replace(/^-+/, "");
  const isEnvironment =
    /^[A-Z0-9_]+$/.test(name) && (operator === "" || text.slice(sign.index, signEnd) === "=");
  const startsLine = /^\s*(?:[-+*]\s+|[+-])?(?:export\s+|declare -x\s+)?["']?$/.test(line);
  return { name, isFlag, isEnvironment, sign: operator, startsLine };
}

function operatorOf(sign: RegExpExecArray, isFlag: boolean): string {
  const [whole, ...parts] = sign;
  const operator = parts.find((part) => part !== undefined) ?? whole.trim().replace(":", "");
  if (operator === ":" && whole.includes("\n") && !whole.includes("value")) return "below";
  if (operator === "" || operator.trim() !== "") return operator;
  return isFlag ? "" : "column";
}

const QUOTED = {
  '"': [/(?:[^"\s\\]|\\.){1,512}/y, /[^"\s\\]{1,512}/y],
  "'": [/(?:[^'\s\\]|\\.){1,512}/y, /[^'\s\\]{1,512}/y],
  "`": [/[^`\s\\]{1,512}/y, /[^`\s\\]{1,512}/y],
} as const;
const BARE = /[^\s"'`,;&|<>(){}[\]\\$]{1,512}/y;
const WHOLE_LINE = /[^\s"'`\\<>]{1,512}(?=\r?(?:\n|$))/y;
const PHRASE = /(["'])([^"'\n\\$<>{}]{8,256})\1/y;

function valueAt(text: string, from: number, naming: Naming): Value | null {
  const at = firstItem(text, from);
  PHRASE.lastIndex = at;
  const phrase = naming.isEnvironment ? PHRASE.exec(text)?.[2] : undefined;
  if (phrase !== undefined) return { text: phrase, start: at + 1, isQuoted: true };
  OPENING.lastIndex = at;
  const [opening = "", slashes = "", quote] = OPENING.exec(text) ?? [];
  const start = at + opening.length;
  const patterns = quote === undefined ? undefined : QUOTED[quote as keyof typeof QUOTED];
  const pattern = patterns?.[slashes === "" ? 0 : 1] ?? BARE;
  const found = stickyMatch(text, pattern, start);
  if (found === null) return null;
  // `PASSWORD=a;b&c` as the only thing on its line is no command: all of it is the value.
  const isLine = quote === undefined && naming.isEnvironment && naming.startsLine;
  const line = isLine && naming.sign === "=" ? stickyMatch(text, WHOLE_LINE, start) : null;
  const value = line ?? found;
  return { text: value, start, isQuoted: quote !== undefined };
}

const REST = /[^\s"'`,;&|<>(){}[\]\\$]*/y;

/** A value that reaches the bound of its pattern goes on as long as no separator stands in it. */
function wholeEnd(text: string, start: number, end: number): number {
  if (end - start < SECRET_VALUE_LOOK_CHARS) return end;
  return end + (stickyMatch(text, REST, end)?.length ?? 0);
}

function stickyMatch(text: string, pattern: RegExp, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
