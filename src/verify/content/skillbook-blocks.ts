/**
 * What stands in skillbook.json and not in the SKILL.md that is rendered from it, as passages of their
 * own: removed strategies, sources, and fields that nobody shows. An agent may open the file all the same.
 */
import { jsonOrNull } from "../../core/json-or-null.ts";
import { isRecord } from "../../skills/skill-file.ts";
import { SKILLBOOK_FILE_NAME, SKILLBOOK_FOLDER } from "../../skills/skillbook-files.ts";
import type { Block } from "./markdown.ts";

/** A string of JSON, with its quotes. */
const LITERAL = /"(?:[^"\\]|\\.)*"/g;

/** True for the path of the Skillbook's file under any root. */
export function hasSkillbookBlocks(path: string): boolean {
  return path.endsWith(`/${SKILLBOOK_FOLDER}/${SKILLBOOK_FILE_NAME}`);
}

/** One block of prose for each string, keys too; never throws on any text. */
export function skillbookBlocks(text: string): Block[] {
  const shown = shownTexts(text);
  const blocks: Block[] = [];
  for (const { 0: literal, index } of text.matchAll(LITERAL)) {
    const value = decoded(literal);
    if (value === "" || shown.has(value) || isName(value)) continue;
    let start = index + 1;
    const starts = value.split("\n").map((line) => {
      const here = start;
      start += line.length + 1;
      return here;
    });
    blocks.push({
      kind: "prose",
      text: value,
      starts,
      isQuoted: false,
      language: "",
      heading: "",
      intro: "",
    });
  }
  return blocks;
}

/** Field names, ids and numbers as text say nothing; skipping them keeps a long file cheap. */
function isName(value: string): boolean {
  return /^[\w.:+-]{1,40}$/.test(value);
}

function decoded(literal: string): string {
  const value = jsonOrNull(literal);
  return typeof value === "string" ? value : literal.slice(1, -1);
}

/** What SKILL.md and the references show already, and what is looked at there. */
function shownTexts(text: string): ReadonlySet<string> {
  const book = jsonOrNull(text);
  const skills = isRecord(book) && isRecord(book["skills"]) ? Object.values(book["skills"]) : [];
  const shown = skills
    .filter(isRecord)
    .filter(({ active }) => active !== false)
    .flatMap(({ issue, insight, keywords }) => [issue, insight, ...asList(keywords)]);
  return new Set(shown.filter((each): each is string => typeof each === "string"));
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
