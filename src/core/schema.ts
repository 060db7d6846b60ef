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
  minLength: zod.minLength,
  nullable: zod.nullable,
  number: zod.number,
  object: zod.object,
  optional: zod.optional,
  record: zod.record,
  regex: zod.regex,
  strictObject: zod.strictObject,
  string: zod.string,
  unknown: zod.unknown,
};

/** A whole number within bounds, which the error names. */
export const wholeNumber = (least: number, most: number) =>
  z.int().check(z.gte(least, `must be at least ${least}`), z.lte(most, `must be at most ${most}`));

export type Schema<T> = zod.ZodMiniType<T>;
export type InferSchema<S extends zod.ZodMiniType> = zod.infer<S>;

export interface CheckOptions {
  /** The file or thing the value came from, for the message. */
  readonly what: string;
  readonly code: ErrorCode;
  readonly hint: string;
  /** 1-based line of a top-level key in that file; null when it isn't known. */
  readonly lineOf?: (key: string) => number | null;
}

/**
 * Checks a value against a schema.
 * @throws SkillprError with the given code; names the first wrong field, its line where that is
 *   known, and counts the others
 */
export function parseWith<T>(schema: Schema<T>, value: unknown, options: CheckOptions): T {
  const parsed = zod.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues;
  const path = first?.path.map(String) ?? [];
  const unknown = first?.code === "unrecognized_keys" ? first.keys : [];
  const field = path.length > 0 ? `${path.join(".")}: ` : "";
  const line = options.lineOf?.(path[0] ?? unknown[0] ?? "") ?? null;
  const where = line === null ? options.what : `${options.what}, line ${line}`;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  const message = safeLine(`${where}: ${field}${first?.message ?? "invalid"}${more}`);
  throw new SkillprError(options.code, message, options.hint);
}
