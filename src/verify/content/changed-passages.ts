/** What of a document its parent doesn't have. */
import type { ContentDocument, Passage } from "./content-document.ts";
import type { Block } from "./markdown.ts";
import { hasSkillbookBlocks } from "./skillbook-blocks.ts";

/**
 * The passages of a document that have no like in another one: with the same characters in the file from their
 * first line to their last, of the same kind, and under the same heading and introduction. Each of the other's
 * is the like of one.
 *
 * @returns null where two passages may share a line (around a comment, in JSON): of a line one finding is
 *   told, so there a passage can't be judged alone
 */
export function passagesOnlyIn(
  document: ContentDocument,
  other: ContentDocument,
): readonly Passage[] | null {
  if (hasSkillbookBlocks(document.path) || hasComment(document) || hasComment(other)) return null;
  const [now, before] = [document.passages, other.passages];
  const isLike = (at: number, from: number) => {
    const [one, two] = [now[at], before[from]];
    return one !== undefined && two !== undefined && areLike(document, one.block, other, two.block);
  };
  // Most of them stand where they stood, from the first one on or from the last.
  const shorter = Math.min(now.length, before.length);
  let head = 0;
  while (head < shorter && isLike(head, head)) head += 1;
  let tail = 0;
  while (tail < shorter - head && isLike(now.length - 1 - tail, before.length - 1 - tail))
    tail += 1;
  const others = new Map<string, Block[]>();
  for (const { block } of before.slice(head, before.length - tail)) {
    const text = writtenText(other, block);
    const known = others.get(text);
    if (known === undefined) others.set(text, [block]);
    else known.push(block);
  }
  return now.slice(head, now.length - tail).filter(({ block }) => {
    const known = others.get(writtenText(document, block));
    const like = known?.findIndex((each) => isAlike(each, block)) ?? -1;
    if (like >= 0) known?.splice(like, 1);
    return like < 0;
  });
}

function areLike(document: ContentDocument, a: Block, other: ContentDocument, b: Block): boolean {
  if (!isAlike(a, b)) return false;
  // Of one line nothing but its text is written.
  const isOneLine = a.starts.length === 1 && b.starts.length === 1;
  return isOneLine || writtenText(document, a) === writtenText(other, b);
}

/** Looked for in the text: to ask for the passages costs more. */
function hasComment({ text }: ContentDocument): boolean {
  return text.includes("<!--");
}

/** With the marks between its lines, which a finding shows. */
function writtenText({ text }: ContentDocument, { text: content, starts }: Block): string {
  const lastLine = content.length - (content.lastIndexOf("\n") + 1);
  return text.slice(starts[0], (starts.at(-1) ?? 0) + lastLine);
}

function isAlike(a: Block, b: Block): boolean {
  return (
    a.kind === b.kind &&
    a.text === b.text &&
    a.heading === b.heading &&
    a.intro === b.intro &&
    a.isQuoted === b.isQuoted &&
    a.language === b.language
  );
}
