/** Secrets in the files that keep them: password hashes, PuTTY's keys, cookie jars, `.pgpass`, addresses inside addresses. */
import { PEM_LINE_MAX_CHARS } from "../core/limits.ts";
import type { Anchors } from "./anchor-tables.ts";
import type { SecretRange } from "./secret-range.ts";
import { isExample, isPlaceholder, isReference } from "./secret-value.ts";
import { type Form, TYPED_FORMS } from "./typed-forms.ts";

const TAB = "(?:\\t|\\\\{1,7}t)";
const COOKIE = new RegExp(
  `${TAB}(?:TRUE|FALSE)${TAB}/[^\\s\\\\]{0,200}${TAB}(?:TRUE|FALSE)${TAB}\\d{1,12}${TAB}[^\\s\\\\]{1,200}${TAB}([^\\s\\\\"']{6,4096})`,
  "dy",
);

const FORMS: readonly Form[] = [
  {
    rule: "password-hash",
    words: ["$2a$", "$2b$", "$2y$"],
    pattern: /(\$2[aby]\$\d\d\$[./A-Za-z0-9]{53})/dy,
  },
  {
    rule: "password-hash",
    words: ["$1$", "$5$", "$6$"],
    pattern: /(\$[156]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{22,86})/dy,
  },
  {
    rule: "password-hash",
    words: ["$y$"],
    pattern: /(\$y\$[./A-Za-z0-9]{1,12}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43})/dy,
  },
  {
    rule: "password-hash",
    words: ["$argon2"],
    pattern:
      /(\$argon2(?:id|i|d)\$v=\d{1,3}\$[a-z]=\d{1,9}(?:,[a-z]=\d{1,9}){2}\$[\w+/]{8,128}\$[\w+/]{16,256})/dy,
  },
  {
    rule: "private-key",
    words: ["Private-Lines:"],
    pattern:
      /Private-Lines: \d{1,4}(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)((?:[A-Za-z0-9+/=]{1,80}(?:(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)(?=[A-Za-z0-9+/=]{1,80}(?:\r?\n|\\|$)))?){1,200})/dy,
  },
  { rule: "cookie", words: ["\tTRUE\t", "\tFALSE\t", "\\tTRUE\\", "\\tFALSE\\"], pattern: COOKIE },
  {
    rule: "password",
    words: [":5432:", ":*:"],
    pattern:
      /[\w.*-]{1,128}:(?:\d{2,5}|\*):[\w*-]{1,64}:[\w*.@-]{1,64}:([^\s:]{4,256})(?=\s|\\|$)/dmy,
    isOfLine: true,
  },
  {
    rule: "url-credentials",
    words: ["%3A%2F%2F", "%3a%2f%2f"],
    pattern:
      /%3A%2F%2F[^\s%:@/"']{1,128}(?:%3A|:)((?:[^\s"'`<>\\&%@]|%(?!40)[0-9A-F]{2}){3,256}?)(?:%40|@)/diy,
  },
  ...TYPED_FORMS,
];

export const STORED_ANCHORS: Anchors = { words: FORMS.flatMap(({ words }) => words) };

/** @param places where an anchor of them stands */
export function storedSecrets(text: string, places: readonly number[]): SecretRange[] {
  return places.flatMap((place) => FORMS.flatMap((form) => found(text, place, form)));
}

function found(text: string, place: number, form: Form): SecretRange[] {
  if (!form.words.some((word) => text.startsWith(word, place))) return [];
  const begin = Math.max(0, place - (form.before ?? 0));
  form.pattern.lastIndex = form.isOfLine === true ? lineStart(text, place) : begin;
  const match = form.pattern.exec(text);
  const [, secret = ""] = match ?? [];
  if (secret === "") return [];
  // A hash begins like a reference to a variable, and a token of three parts is joined like one.
  const isToken = form.rule === "password-hash" || form.rule === "vendor-token";
  if (!isToken && (isExample(secret) || isReference(secret) || isPlaceholder(secret))) return [];
  if (form.accepts?.(secret) === false) return [];
  const start = match?.indices?.[1]?.[0] ?? place;
  return [{ rule: form.rule, start, end: start + secret.length }];
}

function lineStart(text: string, place: number): number {
  const from = Math.max(0, place - PEM_LINE_MAX_CHARS);
  const before = text.slice(from, place);
  const spelled = before.lastIndexOf("\\n");
  return from + Math.max(before.lastIndexOf("\n") + 1, spelled === -1 ? 0 : spelled + 2);
}
