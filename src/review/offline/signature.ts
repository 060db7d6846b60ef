/**
 * What a lesson is recognised by: its fixed file, the failing item and the error. The check is in the
 * name already (lesson-name.ts). Two lessons of one check and one file are the same only when these are.
 */

import { harmless } from "./foreign-words.ts";

export interface Signature {
  /** The fixed file. */
  readonly file: string;
  /** The failing test; null when the output names none. */
  readonly item: string | null;
  readonly error: string;
}

/** For comparing: numbers, folders, quotes and punctuation don't tell two failures apart. */
function comparable(text: string): string {
  return text
    .toLowerCase()
    .replace(
      /(?<![\w.~@-])[\w.~@-]*(?:[\\/][\w.~@-]+)+/g,
      (path) => path.split(/[\\/]/).at(-1) ?? path,
    )
    .replace(/0x[0-9a-f]+|(?<![\p{L}_])\d+(?:[.,:]\d+)*/gu, "0")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Values change from run to run; with the test known, they say nothing about which failure it is. */
function withoutValues(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, " ");
}

function isSame(one: Signature, other: Omit<Signature, "file">): boolean {
  if (one.item === null || other.item === null) {
    return one.item === other.item && comparable(one.error) === comparable(other.error);
  }
  return (
    comparable(one.item) === comparable(other.item) &&
    comparable(withoutValues(one.error)) === comparable(withoutValues(other.error))
  );
}

/** Whether a text names a file, and not only one that ends or begins like it. */
function namesFile(text: string, file: string): boolean {
  for (let at = text.indexOf(file); at >= 0; at = text.indexOf(file, at + 1)) {
    const beside = `${text[at - 1] ?? " "}${text[at + file.length] ?? " "}`;
    // A full stop behind it ends the sentence.
    const longer = /^[\w/-]|[\w/-]$/.test(beside) || /^\.\w/.test(text.slice(at + file.length));
    if (!longer && text[at - 1] !== ".") return true;
  }
  return false;
}

const USE_WHEN = "Use when ";

/** What of a failure may stand in a description; an error that may not is an empty text. */
function shown({ item, error }: Omit<Signature, "file">): Omit<Signature, "file"> {
  return { item: harmless(item), error: harmless(error) ?? "" };
}

/** The sentence of a description by which its lesson is recognised. */
export function useWhen(command: string, signature: Signature): string {
  const { item, error } = shown(signature);
  const at = item === null ? "" : ` at "${item}"`;
  const why = error === "" ? "" : ` with ${error.replace(/[\s.]+$/, "")}`;
  return `${USE_WHEN}\`${command}\` fails${at}${why}.`;
}

/** The ways to read `at "ITEM" with ERROR`: an item may hold the words between the two itself. */
function readings(words: string): Omit<Signature, "file">[] {
  if (words.startsWith("with ")) return [{ item: null, error: words.slice(5) }];
  if (words === "") return [{ item: null, error: "" }];
  const [start, between] = ['at "', '" with '];
  if (!words.startsWith(start)) return [];
  const found: Omit<Signature, "file">[] = [];
  for (let at = words.indexOf(between); at >= 0; at = words.indexOf(between, at + 1)) {
    found.push({
      item: words.slice(start.length, at),
      error: words.slice(at + between.length),
    });
  }
  const bare = /^at "(.*)"\.$/.exec(words)?.[1];
  return bare === undefined ? found : [...found, { item: bare, error: "" }];
}

/** Whether a description that the offline reviewer wrote is of this lesson. */
export function describesLesson(description: string, signature: Signature): boolean {
  if (!namesFile(description, signature.file)) return false;
  const when = description.slice(description.lastIndexOf(`${USE_WHEN}\``));
  const fails = "` fails";
  const words = when.slice(when.indexOf(fails) + fails.length).replace(/^ |^\.$/, "");
  const own = { ...signature, ...shown(signature) };
  return when.includes(fails) && readings(words).some((reading) => isSame(own, reading));
}

function unquoted(span: string): string {
  return /^(`+) ?(.*?) ?\1$/s.exec(span.trim())?.[2] ?? span;
}

/** Whether a skill's text has, under "When to use", the failure of this lesson. */
export function teachesLesson(text: string, signature: Signature): boolean {
  if (!namesFile(text, signature.file)) return false;
  const lines = text.split("\n").map((line) => line.trim());
  return lines.some((line, i) => {
    const error = /^The error: (.+)$/.exec(lines[i + 1] ?? "")?.[1];
    const failure = /^[-*] .*? fails(?: at (.+))? \(t\d[^()]*\)\.$/.exec(line);
    if (error === undefined || failure === null) return false;
    const item = failure[1] === undefined ? null : unquoted(failure[1]);
    return isSame(signature, { item, error: unquoted(error) });
  });
}
