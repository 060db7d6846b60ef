/** One text file of a skill as the rules about content look at it. */
import type { VerifyContext } from "../context.ts";
import { type Grams, gramsOf } from "./grams.ts";
import { type Block, blocksOf } from "./markdown.ts";
import { type NormalText, normalText } from "./normal-text.ts";
import { hasSkillbookBlocks, skillbookBlocks } from "./skillbook-blocks.ts";

/** A block with its levelled text. */
export interface Passage {
  readonly block: Block;
  readonly normal: NormalText;
  /** Of `normal.lower`. */
  readonly grams: Grams;
  /** Where the backticks stand in `normal.text`. */
  readonly ticks: readonly number[];
  /** The place in the file (UTF-16 units) of a place in `normal.text`. */
  toFile(at: number): number;
}

export interface ContentDocument {
  readonly path: string;
  /** The folder of the skill, from the repository's root; null outside the skills root. */
  readonly folder: string | null;
  readonly text: string;
  /** In the order of the file; made at first use. */
  readonly passages: readonly Passage[];
}

/** A written file: its new version, and the one that it replaces. */
export interface WrittenDocument {
  readonly next: ContentDocument;
  readonly parent: ContentDocument | null;
}

const KNOWN = new WeakMap<VerifyContext, readonly WrittenDocument[]>();

/** The written files that are UTF-8, read once for all rules. */
export function writtenDocuments(context: VerifyContext): readonly WrittenDocument[] {
  const known = KNOWN.get(context);
  if (known !== undefined) return known;
  const documents: WrittenDocument[] = [];
  for (const { path, id, oldId } of context.written) {
    const next = context.text(id);
    if (next.kind !== "text") continue;
    const before = context.text(oldId);
    const parent = before.kind === "text" ? documentOf(context, path, before.text) : null;
    documents.push({ next: documentOf(context, path, next.text), parent });
  }
  KNOWN.set(context, documents);
  return documents;
}

function documentOf(context: VerifyContext, path: string, text: string): ContentDocument {
  const prefix = `${context.skillsRoot}/`;
  const rest = path.startsWith(prefix) ? path.slice(prefix.length).split("/") : [];
  const folder = rest.length > 1 ? `${prefix}${rest[0]}` : null;
  return createDocument(path, text, folder);
}

/** @param folder of the skill, from the repository's root */
export function createDocument(
  path: string,
  text: string,
  folder: string | null = null,
): ContentDocument {
  let passages: readonly Passage[] | null = null;
  return {
    path,
    folder,
    text,
    get passages() {
      const blocks = hasSkillbookBlocks(path) ? skillbookBlocks : blocksOf;
      passages ??= blocks(text).map(passageOf);
      return passages;
    },
  };
}

function passageOf(block: Block): Passage {
  const normal = normalText(block.text, block.kind === "code" ? "code" : "prose");
  const lineEnds = placesOf("\n", block.text);
  return {
    block,
    normal,
    grams: gramsOf(normal.lower),
    ticks: placesOf("`", normal.text),
    toFile: (at) => {
      const place = normal.toSource(at);
      const line = countBefore(lineEnds, place);
      const lineStart = line === 0 ? 0 : (lineEnds[line - 1] ?? 0) + 1;
      return (block.starts[line] ?? 0) + place - lineStart;
    },
  };
}

function placesOf(character: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
    places.push(at);
  }
  return places;
}

/** How many of the places, which are in order, lie before one. */
export function countBefore(places: readonly number[], place: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
