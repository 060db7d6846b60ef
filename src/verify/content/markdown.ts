/**
 * The structure of a skill file as far as the rules about content need it: what is prose, what is
 * code, what is quoted, and under which heading it stands. It follows CommonMark where that decides
 * what a reader sees; where two readers may differ, text counts as prose.
 */

export type BlockKind = "frontmatter" | "heading" | "prose" | "code" | "comment";

/** Lines that belong together: a paragraph, a list item, a heading, a fenced block, an HTML comment. */
export interface Block {
  readonly kind: BlockKind;
  /** The lines' contents without the marks of lists, quotes and headings, joined with LF. */
  readonly text: string;
  /** For each line of `text`: where its content begins in the file, in UTF-16 units. */
  readonly starts: readonly number[];
  /** Stands in a `>` quote. */
  readonly isQuoted: boolean;
  /** Info string of a fence, in lower case (`bash`); else empty. */
  readonly language: string;
  /** The heading above, as text; empty before the first. */
  readonly heading: string;
  /** The last prose before a fenced block or list item that ends with a colon; else empty. */
  readonly intro: string;
}

interface Line {
  readonly content: string;
  /** Of the content, in the file. */
  readonly start: number;
  readonly isQuoted: boolean;
  readonly isItem: boolean;
}

const FENCE = /^ {0,12}(`{3,}|~{3,})[ \t]*([^`\n]*)$/;
const MARKS = /^(?:[ \t]{0,64}(?:>[ \t]?|[-*+][ \t]{1,4}(?:\[[ xX]\] )?|\d{1,9}[.)][ \t]{1,4}))+/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/;

/** Splits a file into its blocks, in order. Every character of the file's lines but blank ones and marks is in one. */
export function blocksOf(text: string): Block[] {
  return new BlockReader(text).read();
}

class BlockReader {
  readonly #lines: readonly string[];
  readonly #mayHoldComments: boolean;
  readonly #blocks: Block[] = [];
  #open: { kind: BlockKind; lines: Line[]; language: string } | null = null;
  #heading = "";
  #intro = "";
  #at = 0;
  #offset = 0;

  constructor(text: string) {
    this.#lines = text.split("\n");
    this.#mayHoldComments = text.includes("<!--");
  }

  read(): Block[] {
    if (this.#lines[0]?.trimEnd() === "---") this.#readFrontmatter();
    while (this.#at < this.#lines.length) this.#readLine();
    this.#close();
    return this.#blocks;
  }

  get #line(): string {
    return this.#lines[this.#at] ?? "";
  }

  #advance(): void {
    this.#offset += this.#line.length + 1;
    this.#at += 1;
  }

  #readFrontmatter(): void {
    const end = this.#lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---");
    if (end < 0) return;
    this.#advance();
    while (this.#at < end) {
      const line = this.#line;
      // A key begins a block of its own; folded and listed values belong to it.
      if (/^\S/.test(line)) this.#close();
      this.#add("frontmatter", {
        content: line,
        start: this.#offset,
        isQuoted: false,
        isItem: false,
      });
      this.#advance();
    }
    this.#close();
    this.#advance();
  }

  #readLine(): void {
    const raw = this.#line;
    const isComment = this.#mayHoldComments && startsComment(raw);
    // Most lines begin with a letter, and are none of this.
    if (!isComment && beginsWithLetter(raw)) {
      this.#readParagraphLine({
        content: raw,
        start: this.#offset,
        isQuoted: false,
        isItem: false,
      });
      this.#advance();
      return;
    }
    const marks = /^[ \t]*[>*+\d-]/.test(raw) ? (MARKS.exec(raw)?.[0] ?? "") : "";
    const content = raw.slice(marks.length);
    const fence = /^ *[`~]/.test(content) ? FENCE.exec(content) : null;
    if (fence) this.#readFence(fence, marks.includes(">"));
    else if (isComment) this.#readComment(raw.indexOf("<!--"));
    else {
      if (content.trim() === "") this.#close();
      else this.#readText(this.#lineOf(marks, content));
      this.#advance();
    }
  }

  #readText(line: Line): void {
    if (HEADING.test(line.content)) {
      this.#readHeading(line);
      return;
    }
    if (/^\s*\|/.test(line.content)) this.#close();
    this.#readParagraphLine(line);
  }

  #readParagraphLine(line: Line): void {
    const isNew = line.isItem || line.isQuoted !== (this.#open?.lines[0]?.isQuoted ?? false);
    if (isNew) this.#close();
    this.#add("prose", line);
  }

  #lineOf(marks: string, content: string): Line {
    return {
      content,
      start: this.#offset + marks.length,
      isQuoted: marks.includes(">"),
      isItem: /[-*+\d]/.test(marks),
    };
  }

  #readHeading(line: Line): void {
    this.#close();
    const mark = HEADING.exec(line.content)?.[0].length ?? 0;
    const content = line.content.slice(mark);
    this.#add("heading", { ...line, content, start: line.start + mark });
    this.#close();
    this.#heading = content.replace(/[ \t#]+$/, "");
    this.#intro = "";
  }

  #readFence([, mark = "", info = ""]: RegExpExecArray, isQuoted: boolean): void {
    this.#close();
    this.#advance();
    const language = info.trim().split(/\s/)[0]?.toLowerCase() ?? "";
    let isClosed = false;
    while (!isClosed && this.#at < this.#lines.length) {
      const raw = this.#line;
      const quote = isQuoted ? (/^(?: {0,3}> ?)+/.exec(raw)?.[0] ?? "") : "";
      const content = raw.slice(quote.length);
      const body = content.trim();
      const closes = body.length >= mark.length && body.replaceAll(mark.charAt(0), "") === "";
      // The first line without the quote's mark ends it, and is no part of it.
      if (isQuoted && quote === "") break;
      const line = { content, start: this.#offset + quote.length, isQuoted, isItem: false };
      if (closes) isClosed = true;
      else this.#add("code", line, language);
      this.#advance();
    }
    this.#close();
  }

  /** Text around a comment stays prose; what stands between its marks is a block of its own. */
  #readComment(from: number): void {
    const marks = MARKS.exec(this.#line)?.[0] ?? "";
    const isQuoted = marks.includes(">");
    if (marks !== "") this.#close();
    this.#addPart("prose", marks.length, from, isQuoted);
    this.#close();
    let start = from + 4;
    let end = this.#line.indexOf("-->", start);
    while (end < 0 && this.#at < this.#lines.length) {
      this.#addPart("comment", start, this.#line.length, isQuoted);
      this.#advance();
      start = 0;
      end = this.#line.indexOf("-->");
    }
    if (end < 0) return;
    this.#addPart("comment", start, end, isQuoted);
    this.#close();
    this.#addPart("prose", end + 3, this.#line.length, isQuoted);
    this.#advance();
  }

  #addPart(kind: BlockKind, start: number, end: number, isQuoted: boolean): void {
    const content = this.#line.slice(start, end);
    if (content.trim() === "") return;
    this.#add(kind, { content, start: this.#offset + start, isQuoted, isItem: false });
  }

  #add(kind: BlockKind, line: Line, language = ""): void {
    if (this.#open && this.#open.kind !== kind) this.#close();
    this.#open ??= { kind, lines: [], language };
    this.#open.lines.push(line);
  }

  #close(): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    const { kind, lines, language } = open;
    const [first] = lines;
    const isOne = lines.length === 1;
    const text = isOne ? (first?.content ?? "") : lines.map(({ content }) => content).join("\n");
    this.#blocks.push({
      kind,
      text,
      starts: isOne ? [first?.start ?? 0] : lines.map(({ start }) => start),
      isQuoted: first?.isQuoted ?? false,
      language,
      heading: this.#heading,
      intro: this.#intro,
    });
    if (kind !== "prose") return;
    // What introduces a list or a block of code goes on being its introduction until the next prose.
    const isIntro = text.trimEnd().endsWith(":");
    if (isIntro) this.#intro = text;
    else if (!first?.isItem) this.#intro = "";
  }
}

/** A comment begins in the line, and not inside of a code span. */
function startsComment(line: string): boolean {
  const from = line.indexOf("<!--");
  return from >= 0 && (line.slice(0, from).match(/`/g)?.length ?? 0) % 2 === 0;
}

function beginsWithLetter(line: string): boolean {
  if (line === "") return false;
  const small = line.charCodeAt(0) | 0x20;
  return small >= 0x61 && small <= 0x7a;
}
