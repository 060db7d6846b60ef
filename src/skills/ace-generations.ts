/** Which generation of ACE's file a JSON object is, if any, and where its strategies stand in it. Pure. */
import { STRATEGY_KEYWORD_MAX_CHARS } from "../core/limits.ts";
import { count, cut } from "../core/text.ts";
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
    const message = `schema_version is ${shown(version)}; of ACE's formats, v1, v1.5 and "2" are read`;
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

/** What a file of an earlier generation has beside its strategies. */
const FILE_FIELDS = [
  "schema_version",
  "skills",
  "bullets",
  "sections",
  "next_id",
  "similarity_decisions",
];

/** A sentence for each field of an earlier generation's file that has no place in v2. */
export function unknownFields(raw: Raw): string[] {
  return Object.keys(raw)
    .filter((field) => !FILE_FIELDS.includes(field))
    .map((field) => `its field ${shown(field)} is unknown and left out`);
}

/**
 * The order of the file, without ids that it doesn't have, and a sentence for what is left out.
 * @param ids what each is called here
 */
export function sectionsOf(
  raw: Raw,
  ids: ReadonlyMap<string, string>,
): { readonly sections: Record<string, string[]>; readonly said: readonly string[] } {
  const given = isRecord(raw["sections"]) ? Object.entries(raw["sections"]) : [];
  const entries = entriesOf(raw);
  const said: string[] = [];
  const ghosts = new Set<string>();
  const sections = given.map(([name, list]) => {
    if (!Array.isArray(list))
      said.push(`the order of its section ${shown(name)} is no list and left out`);
    const named = Array.isArray(list) ? list.map(String) : [];
    for (const id of named) if (!Object.hasOwn(entries, id)) ghosts.add(id);
    return [name, named.flatMap((id) => ids.get(id) ?? [])];
  });
  const [first] = ghosts;
  if (first !== undefined) {
    const are = ghosts.size === 1 ? "is" : "are";
    const more = ghosts.size === 1 ? "" : ", …";
    said.push(
      `its sections name ${count(ghosts.size, "id")} that it doesn't have, which ${are} left out: ${shown(first)}${more}`,
    );
  }
  return { sections: Object.fromEntries(sections), said };
}

/** A name of the file's as it stands in a sentence. */
export function shown(name: unknown): string {
  return cut(JSON.stringify(name), STRATEGY_KEYWORD_MAX_CHARS);
}
