/** Which generation of ACE's file a JSON object is, if any, and where its strategies stand in it. Pure. */
import { STRATEGY_KEYWORD_MAX_CHARS } from "../core/limits.ts";
import { cut } from "../core/text.ts";
import { isRecord } from "./skill-file.ts";
import type { SkillbookProblem } from "./skillbook.ts";

export type Generation = "v1" | "v1.5" | "v2";

type Raw = Readonly<Record<string, unknown>>;

/** Versions of the format that are read; ACE's earlier generations wrote none. */
const VERSIONS = ["1", "1.0", "1.5", "2"];

/** Why this is no Skillbook of any generation; null when it may be one. */
export function whyNoSkillbook(raw: Raw): SkillbookProblem | null {
  const version = raw["schema_version"];
  if (version !== undefined && !VERSIONS.includes(String(version))) {
    const field = "schema_version";
    const shown = cut(JSON.stringify(version), STRATEGY_KEYWORD_MAX_CHARS);
    const message = `schema_version is ${shown}; of ACE's formats, v1, v1.5 and "2" are read`;
    return { code: "wrong_version", field, message };
  }
  const name = "skills" in raw || !("bullets" in raw) ? "skills" : "bullets";
  const given = raw[name];
  if (isRecord(given) || Array.isArray(given)) return null;
  if (given === undefined && String(version) === "2") return null;
  const what = given === undefined ? "is missing" : "is no object or list";
  const message = `${name} ${what}: a Skillbook lists its strategies there`;
  return { code: given === undefined ? "missing_field" : "wrong_type", field: name, message };
}

/** Which of them a file is of. */
export function generationOf(raw: Raw): Generation {
  if (String(raw["schema_version"]) === "2") return "v2";
  const entries = Object.values(entriesOf(raw)).filter(isRecord);
  const hasCurrent = entries.some((entry) => "issue" in entry && !("content" in entry));
  if (raw["schema_version"] === undefined && hasCurrent) return "v2";
  const isCounted = entries.some(
    (entry) => "helpful" in entry || "harmful" in entry || "neutral" in entry,
  );
  return isCounted ? "v1" : "v1.5";
}

/** The strategies by id; ACE called them bullets before it called them skills. */
export function entriesOf(raw: Raw): Raw {
  const given = raw["skills"] ?? raw["bullets"];
  if (isRecord(given)) return given;
  if (!Array.isArray(given)) return {};
  return Object.fromEntries(
    given.map((each, at) => [
      isRecord(each) ? String(each["id"] ?? `entry-${at}`) : `entry-${at}`,
      each,
    ]),
  );
}

/**
 * The order of the file, without ids that it doesn't have.
 * @param ids what each is called here
 */
export function sectionsOf(
  value: unknown,
  ids: ReadonlyMap<string, string>,
): Record<string, string[]> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, list]) => [
      name,
      Array.isArray(list) ? list.flatMap((id) => ids.get(String(id)) ?? []) : [],
    ]),
  );
}
