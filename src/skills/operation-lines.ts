/** Operations in words, as Markdown lines: what a person reads before they approve. Pure. */
import { QUOTE_MAX_CHARS } from "../core/limits.ts";
import { markdownText } from "../core/markdown.ts";
import { count, cut } from "../core/text.ts";
import type { Operation } from "./operation.ts";
import { operationsBetween } from "./rebase-skillbook.ts";
import { type Skillbook, type Strategy, strategyOf } from "./skillbook.ts";

const MARKED = { "1": "helped", "-1": "harmed", "0": "made no difference" } as const;

/**
 * @param ids the strategy that each operation was about, as applyUpdate() gives them
 * @param before the Skillbook that they were applied to; `after`: what came of it
 * @returns one list item an operation, with its reason and the traces that it comes from
 */
export function operationLines(
  operations: readonly Operation[],
  ids: readonly string[],
  books: { readonly before: Skillbook; readonly after: Skillbook },
): string[] {
  return operations.map((operation, index) => {
    const id = ids[index] ?? "";
    const said = wordsOf(operation, id, books);
    const because =
      operation.reason === undefined ? "" : ` Because: ${markdownText(operation.reason)}`;
    return `- **${operation.type}** \`${id}\`: ${said}${because}${evidenceOf(operation)}`;
  });
}

function wordsOf(
  operation: Operation,
  id: string,
  { before, after }: { readonly before: Skillbook; readonly after: Skillbook },
): string {
  switch (operation.type) {
    case "ADD":
      return textOf(operation.issue, operation.insight ?? null);
    case "UPDATE": {
      const old = strategyOf(before, id);
      const was = old === null ? "" : ` Before: ${textOf(old.issue, old.insight)}`;
      return `now ${textOf(operation.issue, strategyOf(after, id)?.insight ?? null)}${was}`;
    }
    case "TAG": {
      const about = strategyOf(after, id);
      const what = about === null ? "the skill" : textOf(about.issue, about.insight);
      return `it ${MARKED[operation.metadata.delta]}. ${what}`;
    }
    case "REMOVE": {
      const old = strategyOf(before, id);
      return `no longer used. ${old === null ? "" : textOf(old.issue, old.insight)}`.trim();
    }
  }
}

function textOf(issue: string, insight: string | null): string {
  const short = (text: string) => markdownText(text.replace(/\s+/g, " "));
  return insight === null ? short(issue) : `${short(issue)} → ${short(insight)}`;
}

function evidenceOf({ insight_source: source }: Operation): string {
  if (source === undefined) return "";
  const traces = (Array.isArray(source) ? source : [source]).map((each) =>
    markdownText(
      cut(String(each["display_name"] ?? each["trace_id"] ?? "unnamed"), QUOTE_MAX_CHARS),
    ),
  );
  return traces.length === 0 ? "" : ` (seen in ${traces.join(", ")})`;
}

/**
 * What a proposal makes of the Skillbook, in words: the difference between two versions, and what harms
 * more than it helps. For whoever has the files and not the batch.
 */
export function changeLines(before: Skillbook, after: Skillbook): string[] {
  const { operations, ids } = operationsBetween(before, after);
  return [...operationLines(operations, ids, { before, after }), ...harmLines(after)];
}

/** One line for each strategy or skill in use that harmed more often than it helped. */
export function harmLines(skillbook: Skillbook): string[] {
  const strategies = Object.values(skillbook.skills).filter(({ active }) => active);
  const skills = Object.entries(skillbook.skill_tags ?? {}).map(([id, tags]) => ({ id, ...tags }));
  return [...strategies, ...skills].filter(isHarmful).map(harmLine);
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

function harmLine({ id, helpful_count, harmful_count }: Marks): string {
  const harmed = count(harmful_count, "time");
  return `- \`${id}\` harmed ${harmed} and helped ${count(helpful_count, "time")}: remove it, or say better when it holds.`;
}
