/** Operations in words, a line each: what a person reads before they approve. Pure. */
import { LINE_TRACES_MAX, QUOTE_MAX_CHARS, STRATEGY_TEXT_MAX_CHARS } from "../core/limits.ts";
import { markdownCode, markdownText } from "../core/markdown.ts";
import { count, cut, safeLine } from "../core/text.ts";
import { usesBetween } from "./beside-operations.ts";
import type { Operation } from "./operation.ts";
import { contentOf, operationsBetween } from "./operations-between.ts";
import { reasonsOf } from "./reasons.ts";
import { newDecisions } from "./similarity-decisions.ts";
import { COUNT_OF } from "./skill-tags.ts";
import { type Skillbook, type Strategy, strategyOf } from "./skillbook.ts";

const MARKED = { "1": "helped", "-1": "harmed", "0": "made no difference" } as const;

/** How foreign text is shown. */
export interface LineStyle {
  readonly bold: (text: string) => string;
  readonly code: (text: string) => string;
  readonly text: (text: string) => string;
  /** Of one text, in UTF-16 units; longer ones are cut. */
  readonly textMax: number;
}

const MARKDOWN_LINES: LineStyle = {
  bold: (text) => `**${text}**`,
  code: markdownCode,
  text: markdownText,
  textMax: STRATEGY_TEXT_MAX_CHARS,
};
/** For a terminal. */
export const PLAIN_LINES: LineStyle = {
  bold: (text) => text,
  code: safeLine,
  text: safeLine,
  textMax: STRATEGY_TEXT_MAX_CHARS,
};

/** Markdown with shorter texts. */
export function markdownLines(textMax: number): LineStyle {
  return { ...MARKDOWN_LINES, textMax };
}

interface Books {
  /** What the operations were applied to. */
  readonly before: Skillbook;
  /** What came of it. */
  readonly after: Skillbook;
}

/**
 * @param ids the strategy that each operation was about, as applyUpdate() gives them
 * @returns one list item an operation, with its reason and the traces that it comes from
 */
export function operationLines(
  operations: readonly Operation[],
  ids: readonly string[],
  books: Books,
  style: LineStyle = MARKDOWN_LINES,
): string[] {
  return operations.map((operation, at) => lineOf({ operation, id: ids[at] ?? "" }, books, style));
}

interface Told {
  readonly operation: Operation;
  readonly id: string;
  /** Of the same mark, given several times. */
  readonly times?: number;
}

function lineOf({ operation, id, times = 1 }: Told, books: Books, style: LineStyle): string {
  const { type, reason } = operation;
  const said = wordsOf({ operation, id, times }, books, style);
  const because = reason === undefined ? "" : ` Because: ${shortened(reason, style)}`;
  return `- ${style.bold(type)} ${style.code(id)}: ${said}${because}${evidenceOf(operation, style)}`;
}

function wordsOf(
  { operation, id, times }: Required<Told>,
  { before, after }: Books,
  style: LineStyle,
): string {
  const textOf = (issue: string, insight: string | null) =>
    [issue, ...(insight === null ? [] : [insight])]
      .map((text) => shortened(text, style))
      .join(" → ");
  switch (operation.type) {
    case "ADD": {
      const marks = marksOf(strategyOf(after, id), style);
      return `${textOf(operation.issue, operation.insight ?? null)}${marks}`;
    }
    case "UPDATE": {
      const old = strategyOf(before, id);
      const now = strategyOf(after, id);
      const decided = decisionsOf({ before, after }, id, style);
      if (old !== null && now !== null && contentOf(old) === contentOf(now))
        return `its text stays: ${textOf(now.issue, now.insight)}${usesOf(old, now)}${decided}`;
      const was = old === null ? "" : ` Before: ${textOf(old.issue, old.insight)}`;
      return `now ${textOf(operation.issue, now?.insight ?? null)}${was}${decided}`;
    }
    case "TAG": {
      const about = strategyOf(after, id);
      const what = about === null ? "the skill" : textOf(about.issue, about.insight);
      const often = times === 1 ? "" : `, ${times} times`;
      return `it ${MARKED[operation.metadata.delta]}${often}. ${what}`;
    }
    case "REMOVE": {
      // What the same proposal added stood nowhere before.
      const old = strategyOf(before, id) ?? strategyOf(after, id);
      return `no longer used. ${old === null ? "" : textOf(old.issue, old.insight)}`.trim();
    }
  }
}

/** The new decisions that are told beside a strategy. */
function decisionsOf({ before, after }: Books, id: string, style: LineStyle): string {
  const told = newDecisions(before, after).get(id) ?? [];
  const said = told.map(({ beside, reasoning }) => {
    const why = reasoning === "" ? "" : `: ${shortened(reasoning, style)}`;
    return ` It stays apart from ${style.code(beside)}${why}.`;
  });
  return said.join("");
}

function usesOf(old: Strategy, now: Strategy): string {
  const used = usesBetween(old, now);
  return used === 0 ? "" : ` It was used ${count(used, "time")} more.`;
}

/** Of a new strategy that was marked before anybody approved it. */
function marksOf(strategy: Strategy | null, style: LineStyle): string {
  if (strategy === null) return "";
  const counts = ([1, -1, 0] as const).flatMap((delta) => {
    const times = strategy[COUNT_OF[delta]];
    if (times === 0) return [];
    const reasons = reasonsOf(strategy).filter((each) => each.delta === delta);
    const because = reasons.map(({ reason }) => shortened(reason, style)).join("; ");
    const why = because === "" ? "" : ` (${because})`;
    return [`it ${MARKED[delta]}${times === 1 ? "" : `, ${times} times`}${why}`];
  });
  return counts.length === 0 ? "" : ` Marked since: ${counts.join("; ")}.`;
}

function shortened(text: string, style: LineStyle): string {
  return style.text(cut(text.replace(/\s+/g, " "), style.textMax));
}

function evidenceOf({ insight_source: source }: Operation, style: LineStyle): string {
  if (source === undefined) return "";
  const named = (Array.isArray(source) ? source : [source]).map((each) =>
    String(each["display_name"] || each["trace_id"] || each["trace_uid"] || "unnamed"),
  );
  const shown = named
    .slice(0, LINE_TRACES_MAX)
    .map((name) => style.text(cut(name, QUOTE_MAX_CHARS)));
  const left = named.length - shown.length;
  const more = left === 0 ? "" : ` and ${left} more`;
  return shown.length === 0 ? "" : ` (seen in ${shown.join(", ")}${more})`;
}

/**
 * What a proposal makes of the Skillbook, in words: the difference between two versions. For whoever has
 * the files and not the batch. The same mark given several times is one line.
 */
export function changeLines(
  before: Skillbook,
  after: Skillbook,
  style: LineStyle = MARKDOWN_LINES,
): string[] {
  const { operations, ids } = operationsBetween(before, after);
  const told: Required<Told>[] = [];
  for (const [at, operation] of operations.entries()) {
    const id = ids[at] ?? "";
    const last = told.at(-1);
    if (last !== undefined && isSameMark(last, operation, id))
      told[told.length - 1] = { ...last, times: last.times + 1 };
    else told.push({ operation, id, times: 1 });
  }
  return told.map((each) => lineOf(each, { before, after }, style));
}

function isSameMark(last: Told, operation: Operation, id: string): boolean {
  const { operation: other } = last;
  return (
    operation.type === "TAG" &&
    other.type === "TAG" &&
    last.id === id &&
    other.metadata.delta === operation.metadata.delta &&
    // What two sessions said of it are two lines.
    operation.reason === undefined &&
    other.reason === undefined
  );
}

/** One line for each strategy or skill in use that harmed more often than it helped. */
export function harmLines(skillbook: Skillbook, style: LineStyle = MARKDOWN_LINES): string[] {
  const strategies = Object.values(skillbook.skills).filter(({ active }) => active);
  const skills = Object.entries(skillbook.skill_tags ?? {}).map(([id, tags]) => ({ id, ...tags }));
  return [...strategies, ...skills].filter(isHarmful).map((marks) => harmLine(marks, style));
}

/** `2 ADD, 1 TAG`: what a batch does, in a word or two. */
export function countByType(operations: readonly Pick<Operation, "type">[]): string {
  const types = ["ADD", "UPDATE", "TAG", "REMOVE"] as const;
  return types
    .flatMap((type) => {
      const n = operations.filter((each) => each.type === type).length;
      return n === 0 ? [] : [`${n} ${type}`];
    })
    .join(", ");
}

type Marks = Pick<Strategy, "id" | "helpful_count" | "harmful_count">;

function isHarmful({ helpful_count, harmful_count }: Marks): boolean {
  return harmful_count > helpful_count;
}

function harmLine({ id, helpful_count, harmful_count }: Marks, style: LineStyle): string {
  const harmed = count(harmful_count, "time");
  return `- ${style.code(id)} harmed ${harmed} and helped ${count(helpful_count, "time")}: remove it, or say better when it holds.`;
}
