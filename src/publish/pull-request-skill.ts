/**
 * A skill's Markdown written anew for a reader: its headings, lists, quotations and code stay, every
 * word is text. Nothing in it can close what it stands in: fences begin at the margin, behind a
 * blank line, where nothing but they themselves can end them, and the rest is escaped line by line.
 */
import { markdownFence, markdownLine } from "../core/markdown.ts";
import { isRecord, parseSkillFile } from "../skills/skill-file.ts";

/** @param text of a SKILL.md or another Markdown file, whole or its beginning */
export function readableSkill(text: string): string {
  const [, frontmatter, body = text] = /^---\n([\s\S]*?)\n---(?:\n|$)([\s\S]*)$/.exec(text) ?? [];
  const out = new ReadableLines();
  if (frontmatter !== undefined && !isUsual(text)) out.fence(withoutDate(frontmatter), "yaml");
  for (const line of body.split("\n")) out.add(line);
  return out.end();
}

/** Nothing is in the frontmatter but what the page tells elsewhere: name, description, version and the marker. */
function isUsual(text: string): boolean {
  const parsed = parseSkillFile(text);
  if (!parsed.ok || /^[ \t]*#|[ \t]#/m.test(parsed.skill.frontmatterText)) return false;
  const { metadata, ...keys } = parsed.skill.frontmatter;
  const nested = isRecord(metadata) ? Object.keys(metadata) : metadata === undefined ? [] : ["?"];
  const isMarker = (key: string) => key === "source" || key === "extracted_at";
  const isTold = (key: string) => /^(?:name|description|version)$/.test(key) || isMarker(key);
  return nested.every(isMarker) && Object.keys(keys).every(isTold);
}

/**
 * Without the two lines that differ although nothing was learned: the version is told elsewhere, and
 * a date would make every body a new one.
 */
export function withoutDate(frontmatter: string): string {
  return frontmatter.replace(/^[ \t]*(?:extracted_at|version):.*(?:\n|$)/gm, "").replace(/\n$/, "");
}

/** Languages whose fences are coloured; others might be drawn (`mermaid`) or offered as a change (`suggestion`). */
const PLAIN_LANGUAGES = new Set(
  "sh bash shell zsh console powershell diff patch js javascript jsx ts typescript tsx json jsonc yaml toml ini xml html css sql python py ruby go rust java kotlin swift c cpp csharp php dockerfile makefile markdown md text txt".split(
    " ",
  ),
);

/** Longer runs of indentation say nothing more. */
const LIST_LEVELS = 3;

class ReadableLines {
  readonly #out: string[] = [];
  /** An open fence of the source, or a table, which is shown as it is written. */
  #code: { mark: string; indent: number; language: string; lines: string[] } | null = null;
  #isInList = false;

  add(line: string): void {
    if (this.#code !== null) {
      if (this.#addCode(line, this.#code)) return;
    }
    const [, indent = "", mark, language = ""] =
      /^([ \t]*)(`{3,}|~{3,})[ \t]*([\w+-]*)/.exec(line) ?? [];
    if (mark !== undefined) this.#code = { mark, indent: indent.length, language, lines: [] };
    else if (/^\s*\|/.test(line))
      this.#code = { mark: "|", indent: 0, language: "", lines: [line] };
    else this.#out.push(this.#lineOf(line));
  }

  fence(text: string, language: string): void {
    // At the margin, behind a blank line: it closes any list, and no paragraph can swallow it.
    this.#out.push("", markdownFence(text, language), "");
    this.#isInList = false;
  }

  end(): string {
    this.#closeCode();
    return this.#out
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  }

  /** @returns false when the line belongs to what follows */
  #addCode(line: string, code: { mark: string; indent: number; lines: string[] }): boolean {
    const isTable = code.mark === "|";
    if (isTable ? !/^\s*\|/.test(line) : closes(line, code.mark)) {
      this.#closeCode();
      return !isTable;
    }
    const blanks = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    code.lines.push(line.slice(Math.min(code.indent, blanks)));
    return true;
  }

  #closeCode(): void {
    const code = this.#code;
    this.#code = null;
    if (code === null) return;
    const language = code.language.toLowerCase();
    this.fence(code.lines.join("\n"), PLAIN_LANGUAGES.has(language) ? language : "");
  }

  #lineOf(line: string): string {
    const [, heading] = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$/.exec(line) ?? [];
    if (heading !== undefined) return this.#outside(`\n#### ${markdownLine(heading)}\n`);
    if (/^\s*([-*_])(?:\s*\1){2,}\s*$/.test(line)) return this.#outside("");
    const [, quoted] = /^\s*>[ \t]?(.*)$/.exec(line) ?? [];
    if (quoted !== undefined) return this.#outside(`> ${markdownLine(quoted)}`);
    const [, blanks = "", bullet, number, item = ""] =
      /^([ \t]*)(?:([-*+])|(\d{1,9})[.)])[ \t]+(.*)$/.exec(line) ?? [];
    if (bullet === undefined && number === undefined) return this.#plain(line);
    // An item without words would be read as the line under a heading.
    if (item.trim() === "") return "";
    const level = this.#isInList ? Math.min(Math.floor(blanks.length / 2), LIST_LEVELS) : 0;
    this.#isInList = true;
    return `${"    ".repeat(level)}${number === undefined ? "-" : `${number}.`} ${markdownLine(item)}`;
  }

  #outside(line: string): string {
    this.#isInList = false;
    return line;
  }

  #plain(line: string): string {
    const [, , emphasised] = /^\s*([_*])(?![_*\s])([^_*]*[^_*\s])\1\s*$/.exec(line) ?? [];
    const text = emphasised === undefined ? markdownLine(line) : `_${markdownLine(emphasised)}_`;
    if (text === "") return "";
    if (this.#isInList && /^\s/.test(line)) return `   ${text}`;
    return this.#outside(text);
  }
}

function closes(line: string, mark: string): boolean {
  const text = line.trim();
  return text.startsWith(mark) && text.replaceAll(mark[0] ?? "", "") === "";
}
