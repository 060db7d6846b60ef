/**
 * Edits of JSON with comments by offsets: what is put in follows the style of what is there, and
 * nothing else changes. Works on the tree of the text as it is now; after each edit it is another.
 */

/** A node of a parsed text: the parser's own nodes have this shape. */
export interface JsonNode {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly value?: unknown;
  /** Items; properties; of a property its key and its value. */
  readonly children?: JsonNode[];
  readonly parent?: JsonNode;
}

export interface NewChild {
  /** Absent for an item of an array. */
  readonly key?: string;
  readonly value: unknown;
}

/** Puts a child behind the last one of an object or array. A comment behind that one stays with it. */
export function insertLast(text: string, container: JsonNode, child: NewChild): string {
  const end = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const outer = indentAt(text, container.offset);
  const unit = indentUnit(text);
  if (last === undefined) {
    const inside = text.slice(container.offset + 1, end).trimEnd();
    const at = container.offset + 1 + inside.length;
    const item = render(child, { indent: outer + unit, unit, eol });
    return splice(text, at, end, `${eol}${outer}${unit}${item}${eol}${outer}`);
  }
  const lastEnd = last.offset + last.length;
  const comma = commaAfter(text, lastEnd, end);
  if (!text.slice(container.offset, end).includes("\n")) {
    const item = render(child, null);
    const at = comma === null ? lastEnd : comma + 1;
    return splice(text, at, at, `${comma === null ? "," : ""} ${item}`);
  }
  const indent = startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + unit;
  const item = `${eol}${indent}${render(child, { indent, unit, eol })}`;
  const at = endOfLine(text, comma === null ? lastEnd : comma + 1, end);
  // From the end to the beginning, so that the first offset still holds.
  const added = splice(text, at, at, comma === null ? item : `${item},`);
  return comma === null ? splice(added, lastEnd, lastEnd, ",") : added;
}

/** Takes a child out, with its comma and, where nothing else stands on it, its line. */
export function removeChild(text: string, container: JsonNode, child: JsonNode): string {
  const end = container.offset + container.length - 1;
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const childEnd = child.offset + child.length;
  const comma = commaAfter(text, childEnd, end);
  const previous = children[index - 1];
  if (children.length === 1 && isBlank(text, container, child, comma)) {
    return splice(text, container.offset + 1, end, "");
  }
  if (comma !== null || previous === undefined) {
    // A trailing comma of the last one goes with it; the one before keeps its own.
    return cutOut(text, child.offset, comma === null ? childEnd : comma + 1, "behind");
  }
  const before = commaAfter(text, previous.offset + previous.length, child.offset);
  const rest = cutOut(text, child.offset, childEnd, "before");
  return before === null ? rest : splice(rest, before, before + 1, "");
}

export function replaceNode(text: string, node: JsonNode, json: string): string {
  return splice(text, node.offset, node.offset + node.length, json);
}

function splice(text: string, start: number, end: number, put: string): string {
  return text.slice(0, start) + put + text.slice(end);
}

/** Whether nothing but the child stands in the container. */
function isBlank(text: string, container: JsonNode, child: JsonNode, comma: number | null) {
  const before = text.slice(container.offset + 1, child.offset);
  const from = comma === null ? child.offset + child.length : comma + 1;
  return (before + text.slice(from, container.offset + container.length - 1)).trim() === "";
}

/** @param side where the spaces go with it when it shares its line */
function cutOut(text: string, start: number, end: number, side: "before" | "behind"): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const newline = text.indexOf("\n", end);
  const isOwnStart = text.slice(lineStart, start).trim() === "";
  const isOwnEnd = newline !== -1 && text.slice(end, newline).trim() === "";
  if (isOwnStart && isOwnEnd) return splice(text, lineStart, newline + 1, "");
  if (side === "before" && !isOwnStart) {
    const spaces = text.slice(0, start).length - text.slice(0, start).trimEnd().length;
    return splice(text, start - spaces, end, "");
  }
  const behind = /[ \t]*/y;
  behind.lastIndex = end;
  return splice(text, start, end + (behind.exec(text)?.[0].length ?? 0), "");
}

/** Offset of the comma behind a value, before `end`; null when there is none. */
function commaAfter(text: string, from: number, end: number): number | null {
  const at = skipTrivia(text, from, end);
  return at < end && text[at] === "," ? at : null;
}

/** Over white space and comments. */
function skipTrivia(text: string, from: number, end: number): number {
  const trivia = /\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;
  let at = from;
  for (;;) {
    trivia.lastIndex = at;
    const found = trivia.exec(text)?.[0].length ?? 0;
    if (found === 0 || at >= end) return Math.min(at, end);
    at += found;
  }
}

/** Behind the comments that stand on the same line as what ends at `from`. */
function endOfLine(text: string, from: number, end: number): number {
  const comment = /[ \t]*(?:\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)/y;
  let at = from;
  for (;;) {
    comment.lastIndex = at;
    const found = comment.exec(text)?.[0] ?? "";
    if (found === "" || at + found.length > end) return at;
    at += found.length;
  }
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() === "";
}

/** The white space at the beginning of the line in which an offset lies. */
function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

/** One level of indentation: what the first indented line has. */
function indentUnit(text: string): string {
  return /\n([ \t]+)["/{[]/.exec(text)?.[1] ?? "  ";
}

interface Style {
  readonly indent: string;
  readonly unit: string;
  readonly eol: string;
}

/** @param style null: on one line */
function render({ key, value }: NewChild, style: Style | null): string {
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  if (style === null) return name + JSON.stringify(value);
  const lines = JSON.stringify(value, null, style.unit).split("\n");
  return name + lines.join(`${style.eol}${style.indent}`);
}
