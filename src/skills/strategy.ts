/** One strategy of a Skillbook's file, and the normal form of its fields. Pure. */
import { SKILLBOOK_ID_MAX_CHARS } from "../core/limits.ts";
import { isRecord } from "./skill-file.ts";
import { isCount } from "./skill-tags.ts";
import type { Section, SkillbookProblem, Strategy } from "./skillbook.ts";

/** What can be an id: `context-00001`, or a short name of letters, digits, `.`, `_` and `-`. */
export function isStrategyId(id: string): boolean {
  return id.length <= SKILLBOOK_ID_MAX_CHARS && /^[A-Za-z0-9][\w.-]*$/.test(id);
}

/** The number of an id that ACE's counter could have made (`harness-00002`); null for any other. */
export function numberOf(id: string): number | null {
  const digits = /^(?:context|harness)-(\d{5,9})$/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Keywords as ACE keeps them: lower-case, `_` for spaces, no blanks, no repeats, in their order. */
export function normalKeywords(keywords: readonly string[]): string[] {
  const normal = keywords.map((keyword) => keyword.trim().toLowerCase().replace(/\s+/g, "_"));
  return [...new Set(normal)].filter((keyword) => keyword !== "");
}

/**
 * A section by its name, which is not blank. One of ACE's earlier free names becomes `context`, with the
 * name as first keyword.
 */
export function normalSection(
  name: string,
  keywords: readonly string[],
): { section: Section; keywords: string[]; isLegacy: boolean } {
  const section = name.trim().toLowerCase();
  if (section === "context" || section === "harness")
    return { section, keywords: normalKeywords(keywords), isLegacy: false };
  return { section: "context", keywords: normalKeywords([section, ...keywords]), isLegacy: true };
}

type Raw = Readonly<Record<string, unknown>>;
type Rule = readonly [field: string, isRight: (value: unknown) => boolean, wanted: string];

const isText = (value: unknown) => typeof value === "string";
const COUNTS = ["used_count", "helpful_count", "harmful_count", "neutral_count"] as const;

/** The fields that may be absent, and what they are when they are there. */
const OPTIONAL: readonly Rule[] = [
  ["section", (value) => isText(value) && value !== "", "is context or harness"],
  ["keywords", (value) => Array.isArray(value) && value.every(isText), "is a list of texts"],
  ["insight", (value) => value === null || isText(value), "is a text or null"],
  ["occurrences", (value) => Array.isArray(value) && value.every(isRecord), "is a list of objects"],
  ["active", (value) => typeof value === "boolean", "is true or false"],
  ...COUNTS.map((field): Rule => [field, isCount, "is a whole number from 0"]),
  ["created_at", isText, "is a text"],
  ["updated_at", isText, "is a text"],
  ["removed_reason", isText, "is a text"],
];

type ReadStrategy =
  | { readonly strategy: Strategy; readonly warnings: readonly string[] }
  | { readonly problems: readonly SkillbookProblem[] };

/** @param key its id as the key under `skills` */
export function readStrategy(key: string, value: unknown): ReadStrategy {
  const problems: SkillbookProblem[] = [];
  const say = (code: SkillbookProblem["code"], name: string | null, what: string) => {
    const field = `skills.${key}${name === null ? "" : `.${name}`}`;
    problems.push({ code, field, message: `${field} ${what}` });
  };
  if (!isRecord(value)) {
    say("wrong_type", null, "is an object");
    return { problems };
  }
  if (!isStrategyId(key)) say("bad_id", null, "is no id: use letters, digits and hyphens");
  if (value["id"] !== undefined && value["id"] !== key)
    say("bad_id", "id", `is not the id that it stands under: write "${key}" there`);
  if (typeof value["issue"] !== "string" || value["issue"].trim() === "")
    say("missing_field", "issue", "is missing: every strategy says what it is about");
  for (const [field, isRight, wanted] of OPTIONAL)
    if (value[field] !== undefined && !isRight(value[field])) say("wrong_type", field, wanted);
  return problems.length > 0 ? { problems } : toStrategy(key, value);
}

function toStrategy(id: string, value: Raw): ReadStrategy {
  // The types were checked above.
  const raw = value as unknown as Partial<Omit<Strategy, "section"> & { section: string }>;
  const name = raw.section?.trim() || "context";
  const { section, keywords, isLegacy } = normalSection(name, raw.keywords ?? []);
  const strategy: Strategy = {
    ...raw,
    id,
    section,
    keywords: keywords.length > 0 ? keywords : [section],
    issue: raw.issue?.trim() ?? "",
    insight: raw.insight?.trim() || null,
    occurrences: raw.occurrences ?? [],
    active: raw.active ?? true,
    used_count: raw.used_count ?? 0,
    helpful_count: raw.helpful_count ?? 0,
    harmful_count: raw.harmful_count ?? 0,
    neutral_count: raw.neutral_count ?? 0,
  };
  const filed = `"${id}" had the section "${name}" and is filed under context, with that as a keyword`;
  return { strategy, warnings: isLegacy ? [filed] : [] };
}
