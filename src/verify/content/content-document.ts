/** One text file of a skill as the rules about content look at it. */
import type { Change } from "../change.ts";
import type { FileContext } from "../context.ts";
import { passagesOnlyIn } from "./changed-passages.ts";
import { type Block, blocksOf } from "./markdown.ts";
import { isAscii, type NormalText, normalText } from "./normal-text.ts";
import { PatternIndex } from "./pattern-index.ts";
import { renderedText } from "./rendered-text.ts";
import { hasSkillbookBlocks, skillbookBlocks } from "./skillbook-blocks.ts";

/** A block with its levelled text. */
export interface Passage {
  readonly block: Block;
  readonly normal: NormalText;
  /** Where the backticks stand in `normal.text`. */
  readonly ticks: readonly number[];
  /** The place in the file (UTF-16 units) of a place in `normal.text`. */
  toFile(at: number): number;
  /** The place in the file of a place in `block.text`. */
  sourceToFile(at: number): number;
}

export interface ContentDocument {
  readonly path: string;
  /** The folder of the skill, from the repository's root; null outside the skills root. */
  readonly folder: string | null;
  readonly text: string;
  /** In the order of the file; made at first use. */
  readonly passages: readonly Passage[];
  /**
   * The passages whose levelled text in lower case may hold a match of a pattern, in order; none of the
   * others does.
   * @param needles one of them stands in every match; what the pattern itself says is known anyway
   */
  passagesFor(pattern: RegExp, needles?: readonly string[]): readonly Passage[];
  /** False where none of the patterns that were expected together has such a passage: of most documents, and known at once. */
  mayHold(group: PatternGroup): boolean;
}

/** Patterns that were expected together. */
export interface PatternGroup {
  readonly number: number;
  /** The highest number of a pattern. */
  readonly last: number;
}

/** A written file: its new version, and the one that it replaces. */
export interface WrittenDocument {
  readonly next: ContentDocument;
  readonly parent: ContentDocument | null;
  /**
   * `next` with only those of its passages that `parent` doesn't have: what looks at single passages finds
   * nothing new in the others. Null where there is no parent, or that can't be said. Made at first use.
   */
  readonly changed: ContentDocument | null;
}

/** A written file as documents; null when it is not UTF-8. */
export function writtenDocument(
  { path, id, oldId }: Change,
  { text, skillsRoot }: FileContext,
): WrittenDocument | null {
  const next = text(id);
  if (next.kind !== "text") return null;
  const folder = folderOfFile(path, skillsRoot);
  const before = text(oldId);
  const parent = before.kind === "text" ? new TextDocument(path, before.text, folder) : null;
  return new WrittenFile(new TextDocument(path, next.text, folder), parent);
}

/** The skill folder that a file lies in, from the repository's root; null outside the skills root. */
export function folderOfFile(path: string, skillsRoot: string): string | null {
  const prefix = `${skillsRoot}/`;
  const rest = path.startsWith(prefix) ? path.slice(prefix.length).split("/") : [];
  return rest.length > 1 ? `${prefix}${rest[0]}` : null;
}

/** @param folder of the skill, from the repository's root */
export function createDocument(
  path: string,
  text: string,
  folder: string | null = null,
): ContentDocument {
  return new TextDocument(path, text, folder);
}

/** Of all patterns that were ever asked for. */
const PATTERNS = new PatternIndex();
const NONE: readonly Passage[] = [];

/** By the number of a pattern, the groups that it is in. */
const GROUPS: number[][] = [];
let groups = 0;

/**
 * Says beforehand that patterns will be asked for: those that aren't known when a document is looked at are tried on
 * all of it, and to compile them takes longer than all the rest.
 */
export function expectPatterns(
  patterns: readonly {
    readonly pattern: RegExp;
    /** As in `passagesFor`. */
    readonly needles?: readonly string[];
  }[],
): PatternGroup {
  const group = { number: groups, last: -1 };
  groups += 1;
  for (const { pattern, needles = [] } of patterns) {
    const id = PATTERNS.idOf(pattern, needles);
    GROUPS[id] = [...(GROUPS[id] ?? []), group.number];
    group.last = Math.max(group.last, id);
  }
  return group;
}

/** Reads the patterns that are expected: the first document has to wait for it, so who waits for something else does it before. */
export function readExpectedPatterns(): void {
  PATTERNS.readPatterns();
}

/** Those that are to be read: for the build, which does it beforehand. */
export function expectedPatterns(): readonly RegExp[] {
  return PATTERNS.unread();
}

class TextDocument implements ContentDocument {
  readonly path: string;
  readonly text: string;
  readonly folder: string | null;
  #passages: readonly Passage[] | null = null;
  /** By the number of the pattern. */
  readonly #passagesFor = new Map<number, Passage[]>();
  /** Numbers of the groups that these are in. */
  readonly #groups = new Set<number>();
  /** How many patterns were known when the passages were looked at; -1 before. */
  #patterns = -1;

  constructor(path: string, text: string, folder: string | null) {
    this.path = path;
    this.text = text;
    this.folder = folder;
  }

  get passages(): readonly Passage[] {
    if (this.#passages === null) {
      const isPlain = isAscii(this.text);
      const blocks = hasSkillbookBlocks(this.path) ? skillbookBlocks : blocksOf;
      this.#passages = blocks(this.text).map((block) => new BlockPassage(block, isPlain));
    }
    return this.#passages;
  }

  /** The same document with some of its passages. */
  withOnly(passages: readonly Passage[]): ContentDocument {
    const document = new TextDocument(this.path, this.text, this.folder);
    document.#passages = passages;
    return document;
  }

  passagesFor(pattern: RegExp, needles: readonly string[] = []): readonly Passage[] {
    const id = PATTERNS.idOf(pattern, needles);
    if (this.#patterns < 0) this.#lookForPatterns();
    // One that was asked for since: with the first document all of them are, and looking for all each time is slow.
    if (id >= this.#patterns) return this.#passagesWith(needles);
    return this.#passagesFor.get(id) ?? NONE;
  }

  mayHold({ number, last }: PatternGroup): boolean {
    if (this.#patterns < 0) this.#lookForPatterns();
    return last >= this.#patterns || this.#groups.has(number);
  }

  #passagesWith(needles: readonly string[]): readonly Passage[] {
    if (needles.length === 0) return this.passages;
    return this.passages.filter(({ normal }) =>
      needles.some((needle) => normal.lower.includes(needle)),
    );
  }

  #lookForPatterns(): void {
    this.#patterns = PATTERNS.size;
    for (const passage of this.passages) {
      for (const id of PATTERNS.candidates(passage.normal.lower)) {
        const others = this.#passagesFor.get(id);
        if (others !== undefined) {
          others.push(passage);
          continue;
        }
        this.#passagesFor.set(id, [passage]);
        for (const group of GROUPS[id] ?? []) this.#groups.add(group);
      }
    }
  }
}

class WrittenFile implements WrittenDocument {
  readonly next: TextDocument;
  readonly parent: TextDocument | null;
  #changed: ContentDocument | null | undefined;

  constructor(next: TextDocument, parent: TextDocument | null) {
    this.next = next;
    this.parent = parent;
  }

  get changed(): ContentDocument | null {
    if (this.#changed === undefined) {
      const passages = this.parent && passagesOnlyIn(this.next, this.parent);
      this.#changed = passages && this.next.withOnly(passages);
    }
    return this.#changed;
  }
}

/** Its texts are made at first use: most passages are looked at by nobody. */
class BlockPassage implements Passage {
  readonly block: Block;
  readonly #isPlain: boolean;
  #normal: NormalText | null = null;
  #ticks: readonly number[] | null = null;
  #lineEnds: readonly number[] | null = null;

  constructor(block: Block, isPlain: boolean) {
    this.block = block;
    this.#isPlain = isPlain;
  }

  get normal(): NormalText {
    if (this.#normal === null) {
      const { text, kind } = this.block;
      const rendered = kind === "code" ? null : renderedText(text);
      if (rendered === null) {
        const isPlain = this.#isPlain || isAscii(text);
        this.#normal = normalText(text, kind === "code" ? "code" : "prose", isPlain);
      } else {
        const levelled = normalText(rendered.text, "prose");
        const toSource = (at: number) => rendered.toSource(levelled.toSource(at));
        this.#normal = { text: levelled.text, lower: levelled.lower, toSource };
      }
    }
    return this.#normal;
  }

  get ticks(): readonly number[] {
    this.#ticks ??= placesOf("`", this.normal.text);
    return this.#ticks;
  }

  toFile(at: number): number {
    return this.sourceToFile(this.normal.toSource(at));
  }

  sourceToFile(place: number): number {
    this.#lineEnds ??= placesOf("\n", this.block.text);
    const line = countBefore(this.#lineEnds, place);
    const lineStart = line === 0 ? 0 : (this.#lineEnds[line - 1] ?? 0) + 1;
    return (this.block.starts[line] ?? 0) + place - lineStart;
  }
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
