/** The fields of operations: which there are, and what stands in them. Pure. */
import { nearest } from "../core/nearest.ts";
import type { Operation } from "./operation.ts";
import { isRecord } from "./skill-file.ts";

type Raw = Readonly<Record<string, unknown>>;

interface Rule {
  readonly isRight: (value: unknown) => boolean;
  readonly hint: string;
}

const TEXT: Rule = { isRight: (value) => typeof value === "string", hint: "write a text" };
const WORDS: Rule = {
  isRight: (value) => Array.isArray(value) && value.every((word) => typeof word === "string"),
  hint: 'write a list: ["math"]',
};
const RECORD: Rule = { isRight: isRecord, hint: "write an object, or leave it out" };
/** Every operation reads it, and says what is wrong with it. */
const READ: Rule = { isRight: () => true, hint: "" };

const FIELDS: ReadonlyMap<string, Rule> = new Map([
  ["type", READ],
  ["section", TEXT],
  ["issue", TEXT],
  ["insight", TEXT],
  ["keywords", WORDS],
  ["skill_id", TEXT],
  ["metadata", RECORD],
  ["reason", READ],
  ["justification", TEXT],
  ["evidence", TEXT],
  ["insight_source", READ],
  ["learning_index", READ],
  ["reflection_index", READ],
  ["reflection_indices", READ],
]);

/** What the reader of a type checks itself. */
const USED: Readonly<Record<Operation["type"], readonly string[]>> = {
  ADD: ["section", "issue", "insight", "keywords", "skill_id"],
  UPDATE: ["issue", "insight", "keywords", "skill_id"],
  TAG: ["skill_id", "metadata"],
  REMOVE: ["skill_id"],
};

/** Known fields of the wrong type that an operation of this type doesn't use. */
export function wrongTypes(
  raw: Raw,
  type: Operation["type"],
): { readonly field: string; readonly hint: string }[] {
  return Object.entries(raw).flatMap(([field, value]) => {
    const rule = FIELDS.get(field);
    if (rule === undefined || value == null || USED[type].includes(field)) return [];
    return rule.isRight(value) ? [] : [{ field, hint: rule.hint }];
  });
}

/** Fields that no operation has, each with the one that may be meant. */
export function unknownFields(
  raw: Raw,
): { readonly field: string; readonly near: string | undefined }[] {
  const unknown = Object.keys(raw).filter((field) => !FIELDS.has(field));
  return unknown.map((field) => ({ field, near: nearest(field, [...FIELDS.keys()])[0] }));
}
