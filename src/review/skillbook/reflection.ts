/** Reflection: what the Reflector says of one session. */

import { SkillprError } from "../../core/errors.ts";
import { REFLECTION_ITEMS_MAX, STRATEGY_TEXT_MAX_CHARS } from "../../core/limits.ts";
import { type InferSchema, parseWith, z } from "../../core/schema.ts";

const text = z.string().check(z.maxLength(2 * STRATEGY_TEXT_MAX_CHARS));

const ReflectionSchema = z.object({
  /** Counted from 0. */
  session: z.int(),
  reasoning: text,
  worked: z.array(text).check(z.maxLength(REFLECTION_ITEMS_MAX)),
  failed: z.array(text).check(z.maxLength(REFLECTION_ITEMS_MAX)),
  learnings: z
    .array(
      z.object({
        section: z.enum(["context", "harness"]),
        issue: text,
        insight: text,
        evidence: text,
      }),
    )
    .check(z.maxLength(REFLECTION_ITEMS_MAX)),
  marks: z
    .array(z.object({ id: text, delta: z.int().check(z.gte(-1), z.lte(1)), because: text }))
    .check(z.maxLength(REFLECTION_ITEMS_MAX)),
});
const AnswerSchema = z.object({ reflections: z.array(ReflectionSchema) });

export type Reflection = InferSchema<typeof ReflectionSchema>;

/** What an answer came to: the value, or what is wrong with it, for the one who gave it. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** @param sessions how many were reflected on */
export function checkReflections(value: unknown, sessions: number): Checked<readonly Reflection[]> {
  try {
    const options = { what: "the answer", code: "model", hint: "" } as const;
    const { reflections } = parseWith(AnswerSchema, value, options);
    const isInOrder = reflections.every(({ session }, at) => session === at);
    if (reflections.length === sessions && isInOrder) return { ok: true, value: reflections };
    const what = `reflections must hold one reflection for each of the ${sessions} sessions, in their order, with session counted from 0`;
    return { ok: false, problems: [what] };
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    return { ok: false, problems: [error.message] };
  }
}
