/**
 * The marker `source: auto-skill`: it says that reviewers may change a skill.
 *
 * Two kinds of readers look for it: one parses the YAML, one matches a raw line. A skill counts as
 * an auto-skill only when both must come to the same answer, so that nothing can look marked to
 * one and user-created to the other.
 */
import {
  isRecord,
  lineOfKey,
  type MarkerPlace,
  type ParsedSkillFile,
  parseSkillFile,
  type SkillFile,
} from "./skill-file.ts";

export const MARKER_LINE = "source: auto-skill";
const MARKER_VALUE = "auto-skill";

export interface Marker {
  readonly isAutoSkill: boolean;
  /** Where the marker stands by both readings; may be non-empty although the file is no auto-skill. */
  readonly where: readonly MarkerPlace[];
  /** Why a file that claims the marker, or can't be read, is no auto-skill. Empty: it is unmarked. */
  readonly problems: readonly MarkerProblem[];
}

interface MarkerProblem {
  /** 1-based line of the file; null when it is about the whole file. */
  readonly line: number | null;
  /** One sentence without a full stop; may quote the source unescaped. */
  readonly message: string;
}

interface RawClaim {
  readonly line: number;
  /** The place when the line is the plain marker line in a place that counts. */
  readonly place: MarkerPlace | null;
}

/** Reads the marker of a SKILL.md. Never throws on any text. */
export function readMarker(text: string): Marker {
  return markerOf(parseSkillFile(text));
}

/** The same for a file that is parsed already. */
export function markerOf(parsed: ParsedSkillFile): Marker {
  if (!parsed.ok) {
    const problems = parsed.problems.map(({ line, message }) => ({ line, message }));
    return { isAutoSkill: false, where: [], problems };
  }
  const byYaml = placesByYaml(parsed.skill);
  const isClaimed =
    [...byYaml.values()].includes(MARKER_VALUE) || mentionsMarker(parsed.skill.frontmatterText);
  if (!isClaimed) return { isAutoSkill: false, where: [], problems: [] };
  const claims = rawClaims(parsed.skill);
  const places = [...byYaml.keys()];
  const where = places.filter(
    (place) => byYaml.get(place) === MARKER_VALUE && claims.some((claim) => claim.place === place),
  );
  const raw = rawProblems(claims, places);
  // The raw line says it more exactly where both readings object.
  const problems = raw.length > 0 ? raw : yamlProblems(parsed.skill, byYaml);
  return { isAutoSkill: where.length > 0 && problems.length === 0, where, problems };
}

/**
 * True when anything before the body could be taken for the marker by some reader. A person's skill
 * is one of which this is false: not merely one whose marker is broken.
 */
export function mentionsMarker(text: string): boolean {
  const end = text.search(/[\n\r]---[^\S\n]*(?:[\n\r]|$)/);
  const head = end < 0 ? text : text.slice(0, end);
  return head
    .split(/[\n\r\u0085\u2028\u2029]/)
    .some((line) => /source\W*:/i.test(line) && /auto[\W_]*skill/i.test(line));
}

/** The values at the two places, whatever they are; a place without a value is absent. */
function placesByYaml(skill: SkillFile): Map<MarkerPlace, unknown> {
  const places = new Map<MarkerPlace, unknown>();
  const { metadata } = skill.frontmatter;
  if (isRecord(metadata) && "source" in metadata) places.set("metadata", metadata["source"]);
  if ("source" in skill.frontmatter) places.set("top-level", skill.frontmatter["source"]);
  return places;
}

/** Lines that a reader of raw text could take for a `source` key, wherever they stand. */
function rawClaims(skill: SkillFile): RawClaim[] {
  const claims: RawClaim[] = [];
  let section = "";
  for (const [index, line] of skill.frontmatterText.split("\n").entries()) {
    if (/^[^\s#]/.test(line)) section = line;
    // Any case, quotes, a `?`, a list dash, an opening bracket: as loose as the loosest reader.
    if (!/^[\s?"'{[,-]*source["']?\s*:/i.test(line)) continue;
    const place = placeOfLine(line, section);
    claims.push({ line: skill.frontmatterStartLine + index, place });
  }
  return claims;
}

function placeOfLine(line: string, section: string): MarkerPlace | null {
  if (line === MARKER_LINE) return "top-level";
  const isNested = /^ +source: auto-skill$/.test(line);
  return isNested && section === "metadata:" ? "metadata" : null;
}

/** Asked only of a file that claims the marker: then every other value contradicts it. */
function yamlProblems(
  skill: SkillFile,
  byYaml: ReadonlyMap<MarkerPlace, unknown>,
): MarkerProblem[] {
  return [...byYaml]
    .filter(([, value]) => value !== MARKER_VALUE)
    .map(([place]) => {
      const line = lineOfKey(skill, place === "metadata" ? "metadata" : "source");
      return { line, message: `the source at ${place} is something else than ${MARKER_VALUE}` };
    });
}

function rawProblems(claims: readonly RawClaim[], places: readonly MarkerPlace[]): MarkerProblem[] {
  const problems: MarkerProblem[] = [];
  const seen = new Set<MarkerPlace>();
  for (const { line, place } of claims) {
    if (place === null) {
      problems.push({ line, message: `this line is not the plain line \`${MARKER_LINE}\`` });
    } else if (!places.includes(place)) {
      const message = `this line looks like the marker, but YAML reads it as something else`;
      problems.push({ line, message });
    } else if (seen.has(place)) {
      problems.push({ line, message: "this line repeats the marker" });
    }
    if (place) seen.add(place);
  }
  for (const place of places.filter((known) => !seen.has(known))) {
    if (claims.some((claim) => claim.place === null)) continue;
    const message = `YAML reads a source at ${place}, but no plain line \`${MARKER_LINE}\` stands there`;
    problems.push({ line: null, message });
  }
  return problems;
}
