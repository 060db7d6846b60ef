/** Walking over the matches of a pattern. */
import type { ContentDocument, Passage } from "./content-document.ts";

/** A stretch of a text: UTF-16 units, the end exclusive. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** A match in the levelled text of a passage, and its place in the file. */
export interface PassageMatch extends Place {
  readonly passage: Passage;
  readonly match: RegExpExecArray;
}

interface SourceMatch extends Place {
  readonly match: RegExpExecArray;
  readonly isInCodeSpan: boolean;
}

/** The place of a match in the text that was searched. */
export function placeOf(match: RegExpExecArray): Place {
  return { start: match.index, end: match.index + match[0].length };
}

/** The place in the file of a stretch of a passage's levelled text. */
export function placeInFile(passage: Passage, start: number, end: number): Place {
  const from = passage.toFile(start);
  // Of the last character, and one on: what follows it may lie on another line.
  return { start: from, end: Math.max(from, passage.toFile(end - 1)) + 1 };
}

/** All matches of a global pattern (a copy of it, as matchAll makes, costs more than most searches). */
export function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    matches.push(match);
    if (match[0] === "") pattern.lastIndex += 1;
  }
  return matches;
}

/** The matches in what is no code, in lower case. Passages without the `needle` are passed by. */
export function* matchesInProse(
  document: ContentDocument,
  pattern: RegExp,
  needle: string,
): Iterable<PassageMatch> {
  for (const passage of document.passagesFor(pattern, [needle])) {
    if (passage.block.kind === "code") continue;
    for (const match of matchesOf(pattern, passage.normal.lower)) {
      yield {
        passage,
        match,
        ...placeInFile(passage, match.index, match.index + match[0].length),
      };
    }
  }
}

/**
 * The matches in what is no code, as it is written, where what is shown is another text.
 * @param needle stands in every match; files without it are passed by
 */
export function* matchesInSource(
  document: ContentDocument,
  pattern: RegExp,
  needle: string,
): Iterable<SourceMatch> {
  if (!document.text.includes(needle)) return;
  for (const passage of document.passages) {
    const { kind, text } = passage.block;
    if (kind === "code" || !text.includes(needle)) continue;
    let [ticks, counted] = [0, 0];
    for (const match of matchesOf(pattern, text)) {
      ticks += text.slice(counted, match.index).split("`").length - 1;
      counted = match.index;
      const end = match.index + match[0].length;
      yield {
        match,
        isInCodeSpan: ticks % 2 === 1 && text.includes("`", end),
        start: passage.sourceToFile(match.index),
        end: passage.sourceToFile(end - 1) + 1,
      };
    }
  }
}
