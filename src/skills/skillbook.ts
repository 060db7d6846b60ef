/**
 * The Skillbook: small strategies with counts, in the file format of ACE (schema v2), so that their
 * loader reads ours and ours reads theirs. The names are therefore those of the file. Pure.
 */
import { SKILLBOOK_DEPTH_MAX, SKILLBOOK_MAX_BYTES } from "../core/limits.ts";
import { decisionProblems } from "./decision-shape.ts";
import { isDeeperThan } from "./json-depth.ts";
import type { Reason } from "./reasons.ts";
import { isRecord } from "./skill-file.ts";
import { readSkillTags, type SkillTags } from "./skill-tags.ts";
import { numberOf, readStrategy } from "./strategy.ts";

/** `context`: what to know about a kind of task; `harness`: how to work with the tools around it. */
export type Section = "context" | "harness";

/** Where a strategy was seen: ACE's InsightSource, kept as it is. */
export type Occurrence = Readonly<Record<string, unknown>>;

/** One strategy; ACE calls it a skill. Fields of its file that are unknown here are kept beside these. */
export interface Strategy {
  /** `context-00001`, or one that somebody chose. */
  readonly id: string;
  readonly section: Section;
  /** Lower-case, without spaces. */
  readonly keywords: readonly string[];
  readonly issue: string;
  /** What to do about it; null only in `harness`. */
  readonly insight: string | null;
  readonly occurrences: readonly Occurrence[];
  /** False once it was removed: it stays in the file, and out of every prompt. */
  readonly active: boolean;
  readonly used_count: number;
  readonly helpful_count: number;
  readonly harmful_count: number;
  readonly neutral_count: number;
  /** ISO 8601. */
  readonly created_at?: string;
  readonly updated_at?: string;
  /** Why it was removed. */
  readonly removed_reason?: string;
  /** What the operations on it said of themselves; see reasons.ts. */
  readonly reasons?: readonly Reason[];
}

/** The whole file, as ACE's schema v2 has it. */
export interface Skillbook {
  readonly schema_version: "2";
  /** By id. Look ids up with strategyOf(): an id may be the name of something that every object has. */
  readonly skills: Readonly<Record<string, Strategy>>;
  /** The ids of each section, in the order in which they are shown; each id is in one of them. */
  readonly sections: Readonly<Record<Section, readonly string[]>>;
  /** The last number that an id was made of; both sections share it. */
  readonly next_id: number;
  readonly similarity_decisions: Readonly<Record<string, unknown>>;
  /** Marks of whole skills, by folder; ACE's format has none, and its loader passes over them. */
  readonly skill_tags?: Readonly<Record<string, SkillTags>>;
}

/** What is wrong with a Skillbook's file. */
export interface SkillbookProblem {
  readonly code:
    | "not_json"
    | "too_large"
    | "wrong_version"
    | "wrong_type"
    | "missing_field"
    | "bad_id"
    | "unknown_skill_id"
    | "next_id_used";
  /** Where: `skills.context-00001.issue`; empty for the whole file. */
  readonly field: string;
  /** One sentence without a full stop: what is wrong, and how to mend it; may quote the source unescaped. */
  readonly message: string;
}

export type ParsedSkillbook =
  | {
      readonly ok: true;
      readonly skillbook: Skillbook;
      /** What was put right on the way, a sentence each. */
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly SkillbookProblem[] };

/** Without a strategy: what a repository starts from. */
export const EMPTY_SKILLBOOK: Skillbook = {
  schema_version: "2",
  skills: {},
  sections: { context: [], harness: [] },
  next_id: 0,
  similarity_decisions: {},
};

/** The strategy of an id; null when there is none. */
export function strategyOf({ skills }: Skillbook, id: string): Strategy | null {
  return Object.hasOwn(skills, id) ? (skills[id] ?? null) : null;
}

/**
 * Reads a Skillbook's file. What two readers could read in two ways is a problem, not a guess.
 * @param text at most SKILLBOOK_MAX_BYTES bytes of JSON
 * @returns the Skillbook, or every problem; never throws
 */
export function parseSkillbook(text: string): ParsedSkillbook {
  if (Buffer.byteLength(text) > SKILLBOOK_MAX_BYTES)
    return refused("too_large", "", `it has more than ${SKILLBOOK_MAX_BYTES} bytes`);
  try {
    return readSkillbook(JSON.parse(text.replace(/^\ufeff/, "")));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refused("not_json", "", `it is not JSON: ${error.message}`);
  }
}

function readSkillbook(value: unknown): ParsedSkillbook {
  if (!isRecord(value)) return refused("wrong_type", "", "a Skillbook is a JSON object");
  if (isDeeperThan(value, SKILLBOOK_DEPTH_MAX))
    return refused("too_large", "", `it is nested more than ${SKILLBOOK_DEPTH_MAX} levels deep`);
  if (String(value["schema_version"]) !== "2")
    return refused(
      "wrong_version",
      "schema_version",
      'only the format with "schema_version": "2" is read; older ones have to be imported',
    );
  const given = value["skills"] ?? {};
  if (!isRecord(given)) return refused("wrong_type", "skills", "skills is an object, by id");
  const problems: SkillbookProblem[] = [];
  const warnings: string[] = [];
  const strategies = Object.entries(given).flatMap(([id, entry]): Strategy[] => {
    const read = readStrategy(id, entry);
    if ("problems" in read) problems.push(...read.problems);
    else warnings.push(...read.warnings);
    return "problems" in read ? [] : [read.strategy];
  });
  const skills = Object.fromEntries(strategies.map((strategy) => [strategy.id, strategy]));
  const sections = readSections(value["sections"], given, skills, problems, warnings);
  const next_id = readNextId(value["next_id"], strategies, problems);
  const similarity_decisions = value["similarity_decisions"] ?? {};
  if (!isRecord(similarity_decisions))
    problems.push({
      code: "wrong_type",
      field: "similarity_decisions",
      message: "similarity_decisions is an object",
    });
  else problems.push(...decisionProblems(similarity_decisions));
  const { skill_tags: givenTags, ...rest } = value;
  const tags = givenTags === undefined ? {} : { skill_tags: readSkillTags(givenTags, problems) };
  if (problems.length > 0 || !isRecord(similarity_decisions)) return { ok: false, problems };
  const known = { schema_version: "2", skills, sections, next_id, similarity_decisions } as const;
  return { ok: true, skillbook: { ...rest, ...known, ...tags }, warnings };
}

/**
 * The ids of the two sections: in the file's order where it names them, the others behind. What the
 * file files under another name is filed by the strategy's own section.
 */
function readSections(
  value: unknown,
  given: Readonly<Record<string, unknown>>,
  skills: Skillbook["skills"],
  problems: SkillbookProblem[],
  warnings: string[],
): Skillbook["sections"] {
  const listed = listedIds(value, problems);
  for (const { name, id } of listed) {
    const field = `sections.${name}`;
    const section = Object.hasOwn(skills, id) ? skills[id]?.section : name;
    if (!Object.hasOwn(given, id)) {
      const message = `${field} names "${id}", which is not among the skills: remove it there`;
      problems.push({ code: "unknown_skill_id", field, message });
    } else if (section !== name)
      warnings.push(`"${id}" stood under ${name} and is filed under ${section}, its own section`);
  }
  const named = new Set(listed.map(({ id }) => id));
  if (listed.length > named.size) warnings.push("an id stood twice in sections");
  const ids = [...new Set([...named, ...Object.keys(skills)])];
  const of = (section: Section) =>
    ids.filter((id) => Object.hasOwn(skills, id) && skills[id]?.section === section);
  return { context: of("context"), harness: of("harness") };
}

function listedIds(
  value: unknown,
  problems: SkillbookProblem[],
): { readonly name: string; readonly id: string }[] {
  const wrong = (field: string, message: string) => {
    problems.push({ code: "wrong_type", field, message: `${field} ${message}` });
    return [];
  };
  if (value === undefined) return [];
  if (!isRecord(value)) return wrong("sections", "is an object");
  return Object.entries(value).flatMap(([name, ids]) =>
    Array.isArray(ids) && ids.every((id) => typeof id === "string")
      ? ids.map((id) => ({ name, id }))
      : wrong(`sections.${name}`, "is a list of ids"),
  );
}

function readNextId(
  value: unknown,
  strategies: readonly Strategy[],
  problems: SkillbookProblem[],
): number {
  const used = Math.max(0, ...strategies.map(({ id }) => numberOf(id) ?? 0));
  if (value === undefined) return used;
  const field = "next_id";
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    const message = "next_id is the last number that an id was made of";
    problems.push({ code: "wrong_type", field, message });
  } else if (value < used) {
    const message = `next_id is ${value}, so the next strategy would get an id that exists: set it to ${used}`;
    problems.push({ code: "next_id_used", field, message });
  } else return value;
  return used;
}

function refused(code: SkillbookProblem["code"], field: string, message: string): ParsedSkillbook {
  return { ok: false, problems: [{ code, field, message }] };
}

const BOOK_FIELDS = [
  "schema_version",
  "skills",
  "sections",
  "next_id",
  "similarity_decisions",
  "skill_tags",
];
const TAGS_FIELDS = [
  "helpful_count",
  "harmful_count",
  "neutral_count",
  "occurrences",
  "updated_at",
];
const STRATEGY_FIELDS = [
  "id",
  "section",
  "keywords",
  "issue",
  "insight",
  "occurrences",
  "active",
  "used_count",
  "helpful_count",
  "harmful_count",
  "neutral_count",
  "created_at",
  "updated_at",
];

/** The file's text: indented by two, fields in ACE's order, others behind by name; the same for the same Skillbook. */
export function renderSkillbook(skillbook: Skillbook): string {
  const skills = Object.entries(skillbook.skills).map(
    ([id, strategy]) => [id, inOrder(strategy, STRATEGY_FIELDS)] as const,
  );
  const tags = Object.entries(skillbook.skill_tags ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, each]) => [folder, inOrder(each, TAGS_FIELDS)] as const);
  const book = {
    ...skillbook,
    skills: Object.fromEntries(skills),
    ...(tags.length > 0 && { skill_tags: Object.fromEntries(tags) }),
  };
  return `${JSON.stringify(inOrder(book, BOOK_FIELDS), null, 2)}\n`;
}

function inOrder(value: object, fields: readonly string[]): Record<string, unknown> {
  const own = new Map<string, unknown>(Object.entries(value));
  const others = [...own.keys()].filter((field) => !fields.includes(field)).sort();
  const order = [...fields.filter((field) => own.has(field)), ...others];
  return Object.fromEntries(order.map((field) => [field, own.get(field)]));
}
