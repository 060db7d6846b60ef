/**
 * The reviewer `skillbook`: two roles after ACE. A Reflector says what sessions teach, a SkillManager
 * answers with update operations; what they may not say is refused in code.
 */
import { count } from "../../core/text.ts";
import { ambiguousIds, MAKE_UNAMBIGUOUS } from "../../skills/ambiguous-id.ts";
import { normalSource } from "../../skills/occurrences.ts";
import type { UpdateBatch } from "../../skills/operation.ts";
import { withProvenance } from "../../skills/provenance.ts";
import type { Skillbook } from "../../skills/skillbook.ts";
import { connectModel, type ModelAccess } from "../connect-model.ts";
import { startDeadline } from "../deadline.ts";
import type { ModelClient } from "../model.ts";
import { reviewTexts } from "../review-texts.ts";
import type { ReviewResult } from "../reviewer.ts";
import { sumOfParts } from "../sent-parts.ts";
import { type Asked, askForJson } from "./ask-for-json.ts";
import { withoutGiven } from "./given-marks.ts";
import { checkManagerBatch } from "./manager-batch.ts";
import { checkReflections, type Reflection } from "./reflection.ts";
import {
  managerTask,
  type ReflectedSession,
  reflectorTask,
  type SkillbookTemplates,
} from "./skillbook-prompt.ts";
import { type KnownStrategies, type Used, usedStrategies } from "./used-strategies.ts";

const NAME = "skillbook";

export interface SkillbookReviewerOptions extends ModelAccess {
  /** The texts of `templates/review/skillbook/`. */
  readonly templates: SkillbookTemplates;
}

export interface SkillbookInput extends KnownStrategies {
  readonly sessions: readonly ReflectedSession[];
  /** Why people turned earlier changes of the Skillbook down. */
  readonly declined: readonly string[];
  /** Replaces secrets, with the placeholders that the sessions already have. */
  readonly redact: (text: string) => Promise<string>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What sessions taught. */
export interface Learned {
  /** With the sources of every operation; empty when there is nothing to learn. */
  readonly batch: UpdateBatch;
  readonly reflections: readonly Reflection[];
  /** By session. */
  readonly used: readonly (readonly Used[])[];
  readonly warnings: readonly string[];
  readonly usage: ReviewResult["usage"];
}

/** Who reads sessions and answers with operations on the Skillbook, instead of writing files. */
export interface SkillbookReviewer {
  readonly name: typeof NAME;
  /** @throws SkillprError `config` (no model), `model` (the server, the time, two useless answers) or `interrupted` */
  learn(input: SkillbookInput): Promise<Learned>;
}

/** @returns the reviewer of the Skillbook; nothing is asked of the model before its learn() */
export function skillbookReviewer(options: SkillbookReviewerOptions): SkillbookReviewer {
  return { name: NAME, learn: (input) => learn(input, options) };
}

async function learn(input: SkillbookInput, options: SkillbookReviewerOptions): Promise<Learned> {
  using deadline = startDeadline(input.timeoutMs, input.signal);
  const { templates } = options;
  const model = await connectModel(options, input);
  const texts = reviewTexts(templates.texts);
  const { sessions, redact } = input;
  const skillbook = await withoutSecrets(input.skillbook, redact);
  const used = sessions.map(({ session, newFrom, markFrom }) =>
    usedStrategies(session, markFrom ?? newFrom, input),
  );
  const common = { model, texts, redact, signal: deadline.signal };
  const reflected = await askForJson({
    ...common,
    role: "Reflector",
    system: templates.reflector,
    task: reflectorTask(templates.reflectorTask, { sessions, used, skillbook }, texts),
    check: (value) => checkReflections(value, sessions.length),
  });
  const reflections = reflected.value;
  const isNothing =
    used.every((each) => each.length === 0) &&
    reflections.every(({ learnings }) => learnings.length === 0);
  if (isNothing) {
    const batch = { reasoning: "", operations: [] };
    const warnings = unmarked(input);
    return { batch, reflections, used, warnings, usage: usageOf(model, [reflected]) };
  }
  const managed = await askForJson({
    ...common,
    role: "SkillManager",
    system: templates.manager,
    task: managerTask(
      templates.managerTask,
      { reflections, used, skillbook, declined: input.declined },
      texts,
    ),
    check: (value) => checkManagerBatch(value, used, input),
  });
  const sourced = withSources(managed.value.batch, input, reflections);
  return {
    batch: sourced.batch,
    reflections,
    used,
    warnings: [...managed.value.warnings, ...sourced.warnings, ...unmarked(input)],
    usage: usageOf(model, [reflected, managed]),
  };
}

/** What is left out of `used` whatever sessions show, a sentence each. */
function unmarked({ skillbook, skills }: KnownStrategies): string[] {
  return ambiguousIds(skillbook, skills).map(
    (id) =>
      `"${id}" is both a strategy and the folder of a skill, so neither is marked: ${MAKE_UNAMBIGUOUS}`,
  );
}

/** With where each operation comes from, and without the marks that its session gave before it went on. */
function withSources(
  batch: UpdateBatch,
  { sessions, skillbook }: SkillbookInput,
  reflections: readonly Reflection[],
): Pick<Learned, "batch" | "warnings"> {
  const traces = sessions.map(({ session }) =>
    normalSource({ source_system: session.agent, trace_id: session.id }),
  );
  const sourced = withProvenance(batch, {
    traces,
    reflections: reflections.map(({ learnings }) => ({ learnings: learnings.length })),
  });
  const { reasoning, operations: all } = sourced.batch;
  const marking = sessions.map(({ marked = [] }, at) => {
    return { trace: traces[at]?.["trace_uid"], known: marked };
  });
  const operations = withoutGiven(all, skillbook, marking);
  const left = all.length - operations.length;
  const given = `${count(left, "mark")} of a session that went on came before, and counts once`;
  const warnings = left > 0 ? [...sourced.warnings, given] : sourced.warnings;
  return { batch: { reasoning, operations }, warnings };
}

/** People write strategies too, in a file that nobody has looked through. */
async function withoutSecrets(
  skillbook: Skillbook,
  redact: SkillbookInput["redact"],
): Promise<Skillbook> {
  const clean = Object.entries(skillbook.skills).map(async ([id, strategy]) => {
    const { keywords, issue, insight } = strategy;
    const shown = {
      keywords: await Promise.all(keywords.map(redact)),
      issue: await redact(issue),
      insight: insight === null ? null : await redact(insight),
    };
    return [id, { ...strategy, ...shown }] as const;
  });
  return { ...skillbook, skills: Object.fromEntries(await Promise.all(clean)) };
}

function usageOf(
  model: ModelClient,
  asked: readonly Omit<Asked<unknown>, "value">[],
): ReviewResult["usage"] {
  const sum = (field: "turns" | "inputTokens" | "outputTokens" | "requestBytes") =>
    asked.reduce((total, each) => total + each[field], 0);
  return {
    reviewer: NAME,
    model: model.name,
    turns: sum("turns"),
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    requestBytes: sum("requestBytes"),
    parts: sumOfParts(asked.map(({ parts }) => parts)),
    incomplete: false,
  };
}
