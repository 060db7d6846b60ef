/** What became of operations on the Skillbook: an Outcome with what only they have. */
import { TRAILER_OPERATIONS_MAX } from "./core/limits.ts";
import { count, safeLine } from "./core/text.ts";
import type { Base } from "./git/repository.ts";
import { type Outcome, published } from "./outcome.ts";
import type { Sealed } from "./proposal/seal.ts";
import { trailerWord } from "./publish/commit-message.ts";
import type { Published } from "./publish/publish-proposals.ts";
import type { SkillbookPlace } from "./skillbook-place.ts";
import type { BatchProblem, Operation } from "./skills/operation.ts";
import { countByType, harmLines, operationLines } from "./skills/operation-lines.ts";
import type { Skillbook } from "./skills/skillbook.ts";
import { SKILLBOOK_FILE_NAME, SKILLBOOK_FOLDER } from "./skills/skillbook-files.ts";
import { hasError } from "./verify/finding.ts";
import type { WaitingTags } from "./waiting-tags.ts";

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

const NOTHING = { operations: [], proposals: [], findings: [], evidence: [] } as const;

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

/** Nothing but marks, and no open proposal that they could join. */
export function waits(
  operations: readonly Operation[],
  before: readonly WaitingTags[],
  warnings: readonly string[],
): SkillbookOutcome {
  const waiting = before.reduce((sum, each) => sum + each.operations.length, operations.length);
  const wait = `${count(waiting, "mark")} ${waiting === 1 ? "waits" : "wait"} for the next change of the Skillbook`;
  const detail = operations.length === 0 ? "the Skillbook has it already" : wait;
  return { status: "nothing_to_save", detail, ...NOTHING, warnings, waiting };
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
  const [sealedProposal] = results.map(({ proposal }) => proposal);
  if (sealedProposal === undefined) {
    const { findings } = sealed;
    if (hasError(findings)) return { status: "refused", ...NOTHING, findings, ...common };
    const detail = "the Skillbook has it already";
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

/** Puts the operations into the template of the commit's message: ids and traces as harmless words. */
export function fillMessage(template: string, { operations, ids }: Made): string {
  const trailers = operations.slice(0, TRAILER_OPERATIONS_MAX).map((operation, at) => {
    const traces = tracesOf(operation).map(trailerWord);
    const from = traces.length === 0 ? "" : ` from ${traces.join(" ")}`;
    return `Skillpr-Operation: ${operation.type} ${trailerWord(ids[at] ?? "")}${from}`;
  });
  const left = operations.length - trailers.length;
  if (left > 0) trailers.push(`Skillpr-Operation: and-${left}-more`);
  const summary = countByType(operations) || "bring up to date";
  const values: Readonly<Record<string, string>> = { summary, operations: trailers.join("\n") };
  const filled = template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  // Without operations no empty line parts the trailers.
  return filled.replace(/\n{3,}/g, "\n\n");
}

function tracesOf({ insight_source: source }: Operation): string[] {
  const sources = source === undefined ? [] : Array.isArray(source) ? source : [source];
  return sources.flatMap(({ trace_uid: uid }) => (typeof uid === "string" ? [uid] : []));
}
