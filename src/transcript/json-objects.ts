import { JSON_RESCUE_PASSES } from "../core/limits.ts";
import { asRecord, type JsonRecord } from "./json-values.ts";
import { endOfString, parseJson } from "./parse-json.ts";

/**
 * Finds the complete objects at the outermost level of a text that is not one JSON value: glued
 * objects (`{…}{…}`), a list that was cut off, pretty-printed objects one after the other.
 * What stands between them is ignored. The work is bounded: JSON_RESCUE_PASSES times the text.
 *
 * @returns the objects in order, and whether an object was left unfinished at the end
 */
export function completeObjects(text: string): { objects: JsonRecord[]; cutOff: boolean } {
  const objects: JsonRecord[] = [];
  let cutOff = false;
  let budget = text.length * JSON_RESCUE_PASSES;
  let start = text.indexOf("{");
  while (start !== -1 && budget > 0) {
    const end = endOfObject(text, start);
    budget -= (end === -1 ? text.length : end) - start;
    const object = end === -1 ? null : parseObject(text.slice(start, end));
    if (object !== null) objects.push(object);
    cutOff = end === -1;
    start = end === -1 ? nextLineStart(text, start) : text.indexOf("{", end);
  }
  return { objects, cutOff };
}

/** Behind a record that was cut off in the middle of a file, the next one begins a line. */
function nextLineStart(text: string, after: number): number {
  const newline = text.indexOf("\n{", after);
  return newline === -1 ? -1 : newline + 1;
}

/** Index after the `}` that closes the object at `start`, or -1. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** The object that a text is, or null when it is no JSON or something else. */
export function parseObject(text: string): JsonRecord | null {
  return asRecord(parseJson(text));
}
