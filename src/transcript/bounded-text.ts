/**
 * Copies of foreign values that are small enough to keep.
 *
 * A slice of a string keeps the whole string alive in V8, so whatever is cut is copied: a
 * transcript of 100 MB must not stay in memory because of its first 8 KB.
 */
import { CUT_TOKEN_MAX_CHARS, JSON_DEPTH_MAX, TOOL_ARGUMENT_MAX_VALUES } from "../core/limits.ts";

/**
 * Head and tail of a text, with a line between them that says how much was left out; a text
 * within `max` UTF-16 units comes back as it is. The cuts fall between words: half a secret would
 * not be recognised as one any more.
 */
export function keepText(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = Math.max(0, max - 48);
  const headEnd = wordStart(text, Math.ceil((room * 2) / 3));
  const tailStart = wordEnd(text, text.length - Math.floor(room / 3));
  const left = tailStart - headEnd;
  return detach(
    `${text.slice(0, headEnd)}\n[… ${left} characters left out …]\n${text.slice(tailStart)}`,
  );
}

/** The last place at or before `index` where no word is cut. */
function wordStart(text: string, index: number): number {
  for (let at = index; at > 0 && index - at < CUT_TOKEN_MAX_CHARS; at -= 1) {
    if (isSpace(text.charCodeAt(at - 1))) return at;
  }
  return isLowSurrogate(text.charCodeAt(index)) ? index - 1 : index;
}

/** The first place at or after `index` where no word is cut. */
function wordEnd(text: string, index: number): number {
  const end = Math.min(text.length, index + CUT_TOKEN_MAX_CHARS);
  for (let at = index; at < end; at += 1) if (isSpace(text.charCodeAt(at))) return at;
  return isLowSurrogate(text.charCodeAt(index)) ? index + 1 : index;
}

function isSpace(code: number): boolean {
  return code <= 0x20;
}

/** True for the second half of a character: a cut in front of it would go through one. */
export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** A copy that shares no memory with the text it was cut from. */
export function detach(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

/** What was kept and what was left out of a call's arguments. */
export interface CutArguments {
  /** UTF-16 units of the strings that were kept. */
  keptChars: number;
  /** Long strings, with the index of the outermost argument that each is or lies in. */
  readonly texts: { readonly argument: number; readonly text: string }[];
  /** True when values were dropped. */
  hasDropped: boolean;
}

/**
 * A copy of a call's arguments: long strings cut to `max`, values nested deeper than
 * JSON_DEPTH_MAX or beyond TOOL_ARGUMENT_MAX_VALUES dropped.
 * @param cut told what was kept and left out
 */
export function keepArguments(
  args: Readonly<Record<string, unknown>>,
  max: number,
  cut: CutArguments = { keptChars: 0, texts: [], hasDropped: false },
): Readonly<Record<string, unknown>> {
  const budget: Budget = { values: TOOL_ARGUMENT_MAX_VALUES, argument: -1, cut };
  return keepObject(args, max, budget, JSON_DEPTH_MAX);
}

interface Budget {
  values: number;
  /** Index of the outermost argument that is being copied. */
  argument: number;
  readonly cut: CutArguments;
}

function keepValue(value: unknown, max: number, budget: Budget, depth: number): unknown {
  budget.values -= 1;
  if (typeof value === "string") {
    if (value.length > max) budget.cut.texts.push({ argument: budget.argument, text: value });
    budget.cut.keptChars += Math.min(value.length, max);
    return keepText(value, max);
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth <= 0) {
    budget.cut.hasDropped = true;
    return null;
  }
  if (!Array.isArray(value)) {
    return keepObject(value as Record<string, unknown>, max, budget, depth - 1);
  }
  const items: unknown[] = [];
  for (const item of value) {
    if (isUsedUp(budget)) break;
    items.push(keepValue(item, max, budget, depth - 1));
  }
  return items;
}

function keepObject(
  value: Readonly<Record<string, unknown>>,
  max: number,
  budget: Budget,
  depth: number,
): Readonly<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (isUsedUp(budget)) break;
    if (depth === JSON_DEPTH_MAX) budget.argument += 1;
    entries.push([keepText(key, max), keepValue(item, max, budget, depth)]);
  }
  // fromEntries defines own properties, so that a key `__proto__` is a key like any other.
  return Object.fromEntries(entries);
}

function isUsedUp(budget: Budget): boolean {
  if (budget.values > 0) return false;
  budget.cut.hasDropped = true;
  return true;
}
