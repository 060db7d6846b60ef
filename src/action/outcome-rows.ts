/**
 * What became of each transcript, one row each: the review job's summary shows them, and hands them to the
 * publishing job beside the proposals. There they are claims, shown and believed no further.
 */
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../core/atomic-file.ts";
import { hasCode, SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import { type InferSchema, parseWith, z } from "../core/schema.ts";
import { cut } from "../core/text.ts";
import type { Outcome } from "../outcome.ts";

const text = z.string().check(z.maxLength(limits.SUMMARY_CELL_MAX_CHARS));

const RowSchema = z.strictObject({
  /** The transcript as people name it. */
  transcript: text,
  session: z.nullable(text),
  /** `sha256:…`; null when it could not be read. */
  digest: z.nullable(z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/))),
  status: z.enum(["proposed", "nothing_to_save", "skipped", "refused", "failed"]),
  /** One sentence; null when there is nothing to say. */
  reason: z.nullable(text),
  /** What to do about it. */
  hint: z.nullable(text),
  skills: z.array(text).check(z.maxLength(limits.SKILLS_CHANGED_MAX)),
  tokens: z.int().check(z.gte(0)),
});
export type OutcomeRow = InferSchema<typeof RowSchema>;

const FileSchema = z.strictObject({
  version: z.literal(1),
  results: z.array(RowSchema).check(z.maxLength(limits.TRANSCRIPTS_MAX)),
});

export const OUTCOMES_FILE = "outcomes.json";

/** @param transcript as people name it */
export function rowOf(transcript: string, outcome: Outcome): OutcomeRow {
  const { session, error, findings } = outcome;
  const refusal = findings.find(({ level }) => level === "error");
  const short = (value: string | undefined) =>
    value === undefined ? null : cut(value, limits.SUMMARY_CELL_MAX_CHARS);
  const reason =
    outcome.status === "refused" ? refusal?.message : (error?.message ?? outcome.detail);
  return {
    transcript: cut(transcript, limits.SUMMARY_CELL_MAX_CHARS),
    session: short(session?.id),
    digest: session?.digest ?? null,
    status: outcome.status,
    reason: short(reason),
    hint: short(outcome.status === "refused" ? refusal?.hint : error?.hint),
    skills: outcome.operations.map(({ skill_id }) => skill_id),
    tokens: tokensOf(outcome),
  };
}

/** In and out. */
export function tokensOf({ usage }: Pick<Outcome, "usage">): number {
  return usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
}

/** @throws SkillprError or the system's error when the folder can't be written */
export async function writeOutcomes(dir: string, results: readonly OutcomeRow[]): Promise<void> {
  await mkdir(dir, { recursive: true });
  const content = `${JSON.stringify({ version: 1, results }, null, 2)}\n`;
  await writeFileAtomically(join(dir, OUTCOMES_FILE), content, 0o644);
}

/**
 * @returns null when there is no such file
 * @throws SkillprError `input` when it isn't one of ours
 */
export async function readOutcomes(file: string): Promise<OutcomeRow[] | null> {
  const hint = "hand over the folder as the reviewing job left it";
  const wrong = (what: string) => new SkillprError("input", `${file} ${what}`, hint);
  try {
    const info = await stat(file);
    if (!info.isFile() || info.size > limits.OUTCOMES_FILE_MAX_BYTES)
      throw wrong("is too large, or no file");
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return parseWith(FileSchema, value, { what: file, code: "input", hint }).results;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return null;
    if (error instanceof SyntaxError) throw wrong("is not JSON");
    throw error;
  }
}
