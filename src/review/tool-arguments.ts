import { count } from "../core/text.ts";
import type { PreparedArguments } from "./tool.ts";

/** One argument of a tool: what the model is told, and what is checked. */
export interface ArgumentSpec {
  readonly type: "string" | "integer" | "boolean";
  readonly description: string;
  readonly isRequired?: boolean;
  /** Characters of a string. */
  readonly maxChars?: number;
  /** Other names that models know for it. */
  readonly aliases?: readonly string[];
}

export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>;

/** The JSON schema that the model is sent. */
export function parametersOf(specs: ArgumentSpecs): Readonly<Record<string, unknown>> {
  const properties = Object.entries(specs).map(([name, { type, description }]) => {
    const bounds = type === "integer" ? { minimum: 0 } : {};
    return [name, { type, description, ...bounds }] as const;
  });
  const required = Object.entries(specs).flatMap(([name, spec]) => (spec.isRequired ? [name] : []));
  return { type: "object", properties: Object.fromEntries(properties), required };
}

/**
 * Checks a model's arguments. What it adds beyond the known names is ignored; a number or a truth
 * value in quotes is taken as meant.
 */
export function prepareArguments(specs: ArgumentSpecs, args: unknown): PreparedArguments {
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return { ok: false, reason: `the arguments must be an object with ${namesOf(specs)}` };
  const given = new Map<string, unknown>(Object.entries(args));
  const prepared: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const found = [name, ...(spec.aliases ?? [])].find((one) => (given.get(one) ?? null) !== null);
    if (found === undefined) {
      if (spec.isRequired) return { ok: false, reason: `the argument "${name}" is missing` };
      continue;
    }
    const checked = checkArgument(name, spec, given.get(found));
    if ("reason" in checked) return { ok: false, reason: checked.reason };
    prepared[name] = checked.value;
  }
  return { ok: true, args: prepared };
}

function checkArgument(
  name: string,
  spec: ArgumentSpec,
  value: unknown,
): { readonly value: unknown } | { readonly reason: string } {
  const plain = spec.type !== "string" && typeof value === "string" ? unquote(value) : value;
  if (spec.type === "integer") {
    if (Number.isSafeInteger(plain) && Number(plain) >= 0) return { value: plain };
    return { reason: `"${name}" must be a whole number, 0 or more` };
  }
  if (spec.type === "boolean") {
    return typeof plain === "boolean"
      ? { value: plain }
      : { reason: `"${name}" must be true or false` };
  }
  if (typeof plain !== "string") return { reason: `"${name}" must be a string` };
  if (spec.maxChars === undefined || plain.length <= spec.maxChars) return { value: plain };
  const has = count(plain.length, "character");
  return { reason: `"${name}" has ${has}, and ${spec.maxChars} are the most: make it shorter` };
}

function unquote(text: string): unknown {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : text;
}

function namesOf(specs: ArgumentSpecs): string {
  const names = Object.keys(specs).map((name) => `"${name}"`);
  return names.join(", ");
}
