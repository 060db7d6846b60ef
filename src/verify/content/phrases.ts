/** Looking for phrases in what a skill says itself. */
import type { ContentDocument, Passage } from "./content-document.ts";
import { isDisclaimed } from "./voice.ts";

export interface PhraseMatch {
  readonly passage: Passage;
  /** Place in the passage's levelled text. */
  readonly at: number;
  /** Place in the file, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * Places of a pattern (with the flag `g`, in lower case) in prose, headings and the frontmatter; not
 * in code, in code spans, in quotes from elsewhere, or where the text warns of such words.
 */
export function* phrasesIn(document: ContentDocument, pattern: RegExp): Generator<PhraseMatch> {
  for (const passage of document.passagesFor(pattern)) {
    const { block, normal } = passage;
    if (block.kind === "code" || block.kind === "comment" || block.isQuoted) continue;
    for (const match of normal.lower.matchAll(pattern)) {
      const at = match.index;
      const end = at + match[0].length;
      if (isInCodeSpan(normal.lower, at) || isDisclaimed(passage, at, end)) continue;
      yield { passage, at, start: passage.toFile(at), end: passage.toFile(end) };
    }
  }
}

/** Whether an odd number of backtick runs stands before a place, and one behind it. */
function isInCodeSpan(text: string, at: number): boolean {
  const runs = text.slice(0, at).match(/`+/g)?.length ?? 0;
  return runs % 2 === 1 && text.includes("`", at);
}
