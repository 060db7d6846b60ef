/** `apply` and `import`: changes of the Skillbook that a person or another program brings. */
import { createHash } from "node:crypto";
import { SkillprError } from "./core/errors.ts";
import { QUOTE_MAX_CHARS } from "./core/limits.ts";
import { cut, safeLine } from "./core/text.ts";
import {
  fetchOpenSkillbook,
  proposeSkillbook,
  type SkillbookChange,
  type SkillbookRun,
} from "./propose-skillbook.ts";
import { knownSkillbooks } from "./read-skillbook.ts";
import { createRedactor } from "./secrets/redactor.ts";
import type { SkillbookOutcome } from "./skillbook-outcome.ts";
import { applyUpdate, doneIn } from "./skills/apply-update.ts";
import {
  type ImportedSkillbook,
  type ImportOptions,
  importSkillbook,
} from "./skills/import-skillbook.ts";
import { mergeImported } from "./skills/merge-import.ts";
import type { UpdateBatch } from "./skills/operation.ts";
import { operationsBetween } from "./skills/operations-between.ts";
import { withNormalSources, withProvenance } from "./skills/provenance.ts";
import type { Skillbook } from "./skills/skillbook.ts";
import { parseUpdateBatch } from "./skills/update-batch.ts";
import { withoutReview, withoutSession } from "./without-session.ts";

/** A file, and its name as people say it. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface ApplyRun extends SkillbookRun {
  /** Values that must appear nowhere: the process's own credentials. */
  readonly credentials: readonly string[];
}

/**
 * Applies an UpdateBatch, whole or not at all, as a proposal.
 * @returns `failed` with all `problems` when the batch is wrong
 * @throws SkillprError `input` when the text is no JSON or the Skillbook can't be read, `git`
 */
export async function applyBatch(given: NamedText, run: ApplyRun): Promise<SkillbookOutcome> {
  const value = jsonOf(given);
  const at = new Date().toISOString();
  const make: SkillbookChange["make"] = (skillbook, skills) => {
    const parsed = parseUpdateBatch(value);
    // Applied all the same, it says what else is wrong.
    if (!parsed.ok) return refusedOf(value, skillbook, skills) ?? parsed;
    const named = withNormalSources(parsed.batch);
    // There are no reflections here that its numbers could mean.
    const known = withProvenance(named.batch, { traces: [], reflections: [] });
    const applied = applyUpdate(skillbook, known.batch, { at, skills });
    if (!applied.ok) return applied;
    const done = doneIn(applied, known.batch.operations);
    const warnings = [
      ...parsed.warnings,
      ...named.warnings,
      ...known.warnings,
      ...applied.warnings,
    ];
    return { ...applied, ...done, warnings: [...new Set(warnings)] };
  };
  const why = `Update operations from ${safeLine(given.name)}.`;
  await fetchOpenSkillbook(run);
  return proposeSkillbook(changeOf(given, { reviewer: "apply", why, make }, run), run);
}

/** Every problem of a batch that can't be read whole. */
function refusedOf(value: unknown, skillbook: Skillbook, skills: ReadonlySet<string>) {
  const applied = applyUpdate(skillbook, value as UpdateBatch, { skills });
  return applied.ok ? null : applied;
}

export interface ImportOutcome extends SkillbookOutcome {
  readonly generation: ImportedSkillbook["generation"];
  /** What was read as something else, and what was left out. */
  readonly mapped: readonly string[];
}

/**
 * Adds the strategies of another Skillbook, of any generation of ACE, as a proposal.
 * @throws SkillprError `input` when the file is no Skillbook, `git`
 */
export async function importInto(
  given: NamedText,
  options: ImportOptions,
  run: ApplyRun,
): Promise<ImportOutcome> {
  const imported = importSkillbook(given.text, options);
  if (!imported.ok) {
    const [first] = imported.problems;
    throw new SkillprError(
      "input",
      safeLine(`${given.name}: ${first?.message ?? "it is no Skillbook"}`),
      "name a Skillbook's JSON file, as ACE saves it",
    );
  }
  const { generation, mapped } = imported;
  await fetchOpenSkillbook(run);
  const history = await knownSkillbooks(run);
  const make: SkillbookChange["make"] = (skillbook, skills) => {
    const known = { skills, history };
    const { skillbook: merged, notes } = mergeImported(imported.skillbook, skillbook, known);
    const { operations, ids } = operationsBetween(skillbook, merged);
    return { ok: true, skillbook: merged, operations, ids, warnings: notes };
  };
  const why = `Imported from ${safeLine(given.name)}, a Skillbook of ACE's ${generation}.`;
  const change = changeOf(given, { reviewer: "import", why, make }, run);
  // Its marks that wait are known by the file: brought again, they are the same batch.
  const { digest } = change.session;
  const outcome = await proposeSkillbook({ ...change, digestOf: () => digest }, run);
  return { ...outcome, generation, mapped };
}

/** What both have in common: no session, no model, and nothing to look commands up in. */
function changeOf(
  { name, text }: NamedText,
  what: Pick<SkillbookChange, "make" | "why"> & { readonly reviewer: string },
  { credentials }: ApplyRun,
): SkillbookChange {
  const redactor = createRedactor({ credentials });
  const { reviewer, ...rest } = what;
  return {
    ...rest,
    session: withoutSession({
      id: cut(safeLine(name), QUOTE_MAX_CHARS),
      agent: reviewer,
      digest: `sha256:${createHash("sha256").update(text).digest("hex")}`,
    }),
    usage: withoutReview(reviewer),
    observed: null,
    redact: async (each) => (await redactor.redact([each]))[0] ?? "",
    sessionTexts: null,
    // Who applies a file twice means it.
    digestOf: null,
  };
}

function jsonOf({ name, text }: NamedText): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SkillprError(
      "input",
      safeLine(`${name} is not JSON: ${error.message}`),
      'write { "reasoning": "…", "operations": [ … ] }, or the list of operations alone',
      { cause: error },
    );
  }
}
