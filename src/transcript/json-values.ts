/** Narrowing of parsed JSON: transcripts hold anything, and a surprise is null, never a throw. */

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The value as an object (no array), else null. */
export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonRecord)
    : null;
}

/** The value as a list; anything else is an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects in a list; whatever else it holds is left out. */
export function asRecords(value: unknown): JsonRecord[] {
  return asList(value).flatMap((item) => {
    const record = asRecord(item);
    return record === null ? [] : [record];
  });
}

/** The value as a string with content, else null. */
export function asText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The value as a whole number, also when it is written as a string; else null. */
export function asInteger(value: unknown): number | null {
  if (typeof value === "number") return Number.isInteger(value) ? value : null;
  return typeof value === "string" && /^-?\d{1,9}$/.test(value) ? Number(value) : null;
}

/**
 * The value as an id, else null. Redactors and fixture makers replace ids by one and the same
 * word (`REDACTED`, `<redacted>`, `[trimmed for fixture]`): such a word identifies nothing.
 */
export function asId(value: unknown): string | null {
  const text = asText(value);
  if (text === null || /^(?:[[<({].*[\])}>]|\s*)$/.test(text)) return null;
  const word = text.replace(/^\W+/, "");
  if (word === "") return text.includes("*") ? null : text;
  const end = /\W/.exec(word)?.index ?? word.length;
  if (/\w/.test(word.slice(end))) return text;
  return /^(?:redacted|removed|masked|null|none|undefined|unknown|x+)$/i.test(word.slice(0, end))
    ? null
    : text;
}
