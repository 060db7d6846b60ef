/**
 * The one place that imports zod: data from outside (config files, sealed proposals) gets its
 * type by a schema, and its errors name the file and the field.
 */

import * as zod from "zod/mini";
import en from "zod/v4/locales/en.js";
import { type ErrorCode, SkillprError } from "./errors.ts";
import { safeLine } from "./text.ts";

zod.config(en());

/** The parts of zod that are used, by name: a re-exported namespace would put all of it into the bundle. */
export const z = {
  array: zod.array,
  boolean: zod.boolean,
  enum: zod.enum,
  gte: zod.gte,
  int: zod.int,
  literal: zod.literal,
  lte: zod.lte,
  maxLength: zod.maxLength,
  nullable: zod.nullable,
  number: zod.number,
  object: zod.object,
  optional: zod.optional,
  regex: zod.regex,
  strictObject: zod.strictObject,
  string: zod.string,
};

export type Schema<T> = zod.ZodMiniType<T>;
export type InferSchema<S extends zod.ZodMiniType> = zod.infer<S>;

/**
 * Checks a value against a schema.
 * @param what the file or thing it came from, for the message
 * @throws SkillprError with the given code; names the first wrong field and counts the others
 */
export function parseWith<T>(
  schema: Schema<T>,
  value: unknown,
  what: string,
  code: ErrorCode,
  hint: string,
): T {
  const parsed = zod.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues;
  const field = first?.path.length ? `${first.path.map(String).join(".")}: ` : "";
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  throw new SkillprError(
    code,
    safeLine(`${what}: ${field}${first?.message ?? "invalid"}${more}`),
    hint,
  );
}
