/**
 * What the planning job knows of proposals and a reviewing job, which has no token, can't see: handed over as a file.
 * It says what people decided; it can keep a review from proposing something, and no more.
 */
import { readFile, stat } from "node:fs/promises";
import { writeFileAtomically } from "./core/atomic-file.ts";
import { hasCode, SkillprError } from "./core/errors.ts";
import * as limits from "./core/limits.ts";
import { type InferSchema, parseWith, z } from "./core/schema.ts";
import { listDeclined, recordDeclined } from "./publish/declined.ts";
import type { ProposalsOnGithub } from "./publish/proposals-on-github.ts";
import { isSkillName } from "./skills/skill-name.ts";

const text = (max: number) => z.string().check(z.maxLength(max));
const skill = text(limits.SKILL_NAME_MAX_CHARS);
const words = text(limits.CONTEXT_WORD_MAX_CHARS);

const FeedbackSchema = z.strictObject({
  id: text(64).check(z.regex(/^(?:line|review|comment)-\d+$/)),
  words: text(limits.FEEDBACK_WORDS_MAX_CHARS),
  requestsChanges: z.boolean(),
  path: z.nullable(text(4096)),
  line: z.nullable(z.int()),
  quote: z.nullable(text(limits.FEEDBACK_QUOTE_MAX_CHARS)),
});

const ContextSchema = z.strictObject({
  version: z.literal(1),
  open: z
    .array(
      z.strictObject({
        skill,
        number: z.int(),
        words: z.array(words),
        waiting: z.array(FeedbackSchema).check(z.maxLength(limits.FEEDBACK_MAX)),
      }),
    )
    .check(z.maxLength(limits.CONTEXT_PROPOSALS_MAX)),
  declined: z
    .array(
      z.strictObject({
        skill,
        contentKey: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
        description: z.nullable(text(limits.CONTEXT_DESCRIPTION_MAX_CHARS)),
        reason: z.nullable(words),
        commit: text(64),
        pullRequest: z.optional(z.int()),
        at: text(64),
      }),
    )
    .check(z.maxLength(limits.CONTEXT_PROPOSALS_MAX)),
});
export type ReviewContext = InferSchema<typeof ContextSchema>;

export async function writeContext(file: string, known: ProposalsOnGithub): Promise<void> {
  const bounded = { version: 1, ...known, open: withinBounds(known.open) };
  await writeFileAtomically(file, `${JSON.stringify(bounded, null, 2)}\n`, 0o644);
}

/** What waits on the newest proposals, as far as the file has room: the next run tells of the others. */
function withinBounds(open: ProposalsOnGithub["open"]): ProposalsOnGithub["open"] {
  let left = limits.CONTEXT_MAX_BYTES / 2;
  return open.map((one) => {
    const size = Buffer.byteLength(JSON.stringify(one.waiting));
    if (size > left) return { ...one, waiting: [] };
    left -= size;
    return one;
  });
}

/** @throws SkillprError `input` when there is no such file, or it isn't one of ours */
export async function readContext(file: string): Promise<ReviewContext> {
  const hint = "hand over the file that `command: plan` wrote";
  const wrong = (what: string) => new SkillprError("input", `the context ${file} ${what}`, hint);
  try {
    if ((await stat(file)).size > limits.CONTEXT_MAX_BYTES) throw wrong("is too large");
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return parseWith(ContextSchema, value, { what: file, code: "input", hint });
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EISDIR")) throw wrong("is not there");
    if (error instanceof SyntaxError) throw wrong("is not JSON");
    throw error;
  }
}

/**
 * Remembers what was declined, as if somebody had declined it here.
 * @param stateDir skillpr's folder in the git common dir
 * @returns what people said about the proposals that are open, by skill
 */
export async function applyContext(
  stateDir: string,
  { open, declined }: ReviewContext,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = new Set((await listDeclined(stateDir)).map(({ contentKey }) => contentKey));
  for (const one of declined)
    if (isSkillName(one.skill) && !known.has(one.contentKey)) await recordDeclined(stateDir, one);
  return new Map(open.map((one) => [one.skill, one.words]));
}
