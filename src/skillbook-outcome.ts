/** What became of operations on the Skillbook: an Outcome with what only they have. */
import { count, safeLine } from "./core/text.ts";
import type { Base } from "./git/repository.ts";
import { NOTHING, type Outcome, published } from "./outcome.ts";
import type { Sealed } from "./proposal/seal.ts";
import type { Published } from "./publish/publish-proposals.ts";
import type { SkillbookPlace } from "./skillbook-place.ts";
import type { BatchProblem, Operation } from "./skills/operation.ts";
import { harmLines, operationLines } from "./skills/operation-lines.ts";
import type { Skillbook } from "./skills/skillbook.ts";
import { SKILLBOOK_FILE_NAME, SKILLBOOK_FOLDER } from "./skills/skillbook-files.ts";
import { hasError } from "./verify/finding.ts";

export interface SkillbookOutcome extends Outcome {
  /** What was read as something else, what no longer applies, a sentence each. */
  readonly warnings: readonly string[];
  /** Marks that wait for the next change of the Skillbook. */
  readonly waiting: number;
  /** What is wrong with the batch, all of it; only when it was refused for that. */
  readonly problems?: readonly BatchProblem[];
  /** The operations in words, as Markdown lines, and warnings about what harms more than it helps. */
  readonly words?: readonly string[];
}

type Made = {
  readonly skillbook: Skillbook;
  readonly operations: readonly Operation[];
  readonly ids: readonly string[];
};

/** The batch itself is wrong: nothing of it was applied. */
export function notProposed(problems: readonly BatchProblem[]): SkillbookOutcome {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${count(problems.length - 1, "more problem")})` : "";
  return {
    status: "failed",
    ...NOTHING,
    warnings: [],
    waiting: 0,
    problems,
    error: {
      code: "input",
      message: safeLine(
        `${first?.message ?? "the batch can't be read"}${more}; nothing was applied`,
      ),
      hint: safeLine(first?.hint ?? ""),
    },
  };
}

/**
 * Nothing but marks, and no open proposal that they could join.
 * @param all what waits now
 * @param results of what an earlier run had left to be published
 */
export function waits(
  operations: readonly Operation[],
  all: readonly { readonly operations: readonly Operation[] }[],
  warnings: readonly string[],
  results: readonly Published[] = [],
): SkillbookOutcome {
  const waiting = all.reduce((sum, each) => sum + each.operations.length, 0);
  const wait = `${count(waiting, "mark")} ${waiting === 1 ? "waits" : "wait"} for the next change of the Skillbook`;
  const detail = operations.length === 0 ? "the Skillbook has it already" : wait;
  const common = { detail, warnings, waiting };
  if (results.length === 0) return { status: "nothing_to_save", ...NOTHING, ...common };
  return { ...published(results, { findings: [], diffs: new Map() }), ...common };
}

/** @param results of publishing; empty when nothing was sealed */
export function proposedAs(
  change: {
    readonly made: Made;
    readonly place: SkillbookPlace;
    readonly sealed: Sealed;
    readonly notes: readonly string[];
    readonly skillsRoot: string;
    readonly base: Base;
  },
  results: readonly Published[],
): SkillbookOutcome {
  const { made, place, sealed, notes, skillsRoot } = change;
  const { ref, commit } = change.base;
  const common = { base: { ref, commit }, warnings: notes, waiting: 0 };
  if (sealed.proposals.length === 0) {
    const { findings } = sealed;
    if (hasError(findings)) return { status: "refused", ...NOTHING, findings, ...common };
    const detail = "the Skillbook has it already";
    if (results.length > 0) return { ...published(results, sealed), detail, ...common };
    return { status: "nothing_to_save", detail, ...NOTHING, findings, ...common };
  }
  const path = `${skillsRoot}/${SKILLBOOK_FOLDER}/${SKILLBOOK_FILE_NAME}`;
  const outcome = published(results, sealed);
  const books = { before: place.skillbook, after: made.skillbook };
  return {
    ...outcome,
    ...common,
    operations: made.operations.map(({ type }, at) => ({
      type,
      skill_id: made.ids[at] ?? "",
      path,
    })),
    words: [...operationLines(made.operations, made.ids, books), ...harmLines(made.skillbook)],
  };
}
