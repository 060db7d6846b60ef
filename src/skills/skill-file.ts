/** SKILL.md: a YAML frontmatter between two `---` lines, and a markdown body. */
import { FRONTMATTER_MAX_BYTES } from "../core/limits.ts";
import { parseStrictYaml, stringifyYaml } from "../core/yaml.ts";

/** A SKILL.md as it was read; the library calls it Skill. */
export interface SkillFile {
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** The raw lines between the two fences, without them, ending in a line break. */
  readonly frontmatterText: string;
  readonly frontmatterStartLine: 2;
  /** Everything after the closing fence's line break. */
  readonly body: string;
  /** 1-based line of the file at which `body` starts. */
  readonly bodyStartLine: number;
  /** null when absent or not a string; the same for the next three. */
  readonly name: string | null;
  readonly description: string | null;
  readonly version: string | null;
  /** `metadata.extracted_at`, else top-level `extracted_at`. */
  readonly extractedAt: string | null;
}

interface SkillFileProblem {
  /** 1-based line of the file; null when it is about the whole file. */
  readonly line: number | null;
  /** One sentence without a full stop; may quote the source unescaped. */
  readonly message: string;
  /** `frontmatter`: the block can't be found. `yaml`: what stands in it is not strict YAML. */
  readonly rule: "frontmatter" | "yaml";
}

export type ParsedSkillFile =
  | { readonly ok: true; readonly skill: SkillFile }
  | { readonly ok: false; readonly problems: readonly SkillFileProblem[] };

export type MarkerPlace = "metadata" | "top-level";

export interface SkillToRender {
  readonly name: string;
  /** Put on one line; runs of three or more hyphens become a dash (they end a frontmatter for some readers). */
  readonly description: string;
  readonly version: string;
  /** ISO 8601. */
  readonly extractedAt: string;
  readonly marker: MarkerPlace | "both";
  /** Markdown; line breaks are made LF, the outer blank lines are dropped. */
  readonly body: string;
  /** The frontmatter of the previous version: keys that skillpr doesn't set itself are taken over. */
  readonly keep?: Readonly<Record<string, unknown>>;
}

const FENCE = "---";
/** Characters that some readers take for a line break, or that a reader of raw text doesn't see. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const UNREADABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/u;
/** Set by renderSkillFile, never taken over from a previous version. */
const OWN_KEYS: ReadonlySet<string> = new Set(["name", "description", "version", "metadata"]);
const MARKER_KEYS: ReadonlySet<string> = new Set(["source", "extracted_at"]);

/**
 * Reads a SKILL.md strictly: what two readers could read in two ways is a problem, not a guess.
 *
 * @param text the file, with its byte order mark if it has one
 */
export function parseSkillFile(text: string): ParsedSkillFile {
  const block = findFrontmatter(text);
  if (typeof block === "string") return refused("frontmatter", 1, block);
  const { frontmatterText, body } = block;
  const inner = checkRawLines(frontmatterText);
  if (inner) return { ok: false, problems: [inner] };
  const yaml = parseStrictYaml(frontmatterText);
  if (!yaml.ok) {
    const problems = yaml.problems.map(({ line, message }) => {
      return { line: line + 1, message, rule: "yaml" as const };
    });
    return { ok: false, problems };
  }
  const frontmatter = yaml.value;
  if (!isRecord(frontmatter)) return refused("yaml", 2, "the frontmatter is not a list of keys");
  const metadata = isRecord(frontmatter["metadata"]) ? frontmatter["metadata"] : {};
  const skill: SkillFile = {
    frontmatter,
    frontmatterText,
    frontmatterStartLine: 2,
    body,
    bodyStartLine: frontmatterText.split("\n").length + 2,
    name: stringOrNull(frontmatter["name"]),
    description: stringOrNull(frontmatter["description"]),
    version: stringOrNull(frontmatter["version"]),
    extractedAt:
      stringOrNull(metadata["extracted_at"]) ?? stringOrNull(frontmatter["extracted_at"]),
  };
  return { ok: true, skill };
}

/**
 * Writes a SKILL.md in skillpr's one shape: fixed key order, LF, one trailing newline. The same
 * input gives the same bytes.
 */
export function renderSkillFile(skill: SkillToRender): string {
  const { keep = {} } = skill;
  const marker = { source: "auto-skill", extracted_at: skill.extractedAt };
  const kept = without(keep, new Set([...OWN_KEYS, ...MARKER_KEYS]));
  const keptMetadata = isRecord(keep["metadata"]) ? without(keep["metadata"], MARKER_KEYS) : {};
  const metadata = { ...(skill.marker === "top-level" ? {} : marker), ...keptMetadata };
  const frontmatter = {
    name: skill.name,
    description: toOneLine(skill.description),
    version: skill.version,
    ...(skill.marker === "metadata" ? {} : marker),
    ...kept,
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
  const body = skill.body.replace(/\r\n?/g, "\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  return `${FENCE}\n${stringifyYaml(frontmatter)}${FENCE}\n${body === "" ? "" : `\n${body}\n`}`;
}

/** The raw block and the body, or what is wrong (one sentence). */
function findFrontmatter(text: string): { frontmatterText: string; body: string } | string {
  if (text.startsWith("\ufeff")) return "the file starts with a byte order mark";
  if (!text.startsWith(`${FENCE}\n`)) {
    if (text.startsWith(`${FENCE}\r`)) return "the frontmatter has line breaks other than LF";
    return "the first line is not `---`: there is no frontmatter";
  }
  const start = FENCE.length + 1;
  // From the break that ends the opening fence: an empty block closes right there.
  const close = /\n---(?:\n|$)/g;
  close.lastIndex = start - 1;
  const match = close.exec(text);
  if (!match) return "the frontmatter has no closing line `---`";
  if (match.index < start) return "the frontmatter is empty";
  const frontmatterText = text.slice(start, match.index + 1);
  if (Buffer.byteLength(frontmatterText) > FRONTMATTER_MAX_BYTES) {
    return `the frontmatter is larger than ${FRONTMATTER_MAX_BYTES} bytes`;
  }
  return { frontmatterText, body: text.slice(match.index + match[0].length) };
}

/** What YAML would accept and a reader of raw lines would understand differently. */
function checkRawLines(frontmatterText: string): SkillFileProblem | undefined {
  for (const [index, line] of frontmatterText.split("\n").entries()) {
    const at = { line: index + 2, rule: "frontmatter" as const };
    if (UNREADABLE.test(line)) {
      return { ...at, message: "the frontmatter holds a control character or a hidden line break" };
    }
    if (line.includes(FENCE)) {
      return { ...at, message: "`---` inside the frontmatter ends it for some readers" };
    }
  }
  return undefined;
}

function refused(rule: SkillFileProblem["rule"], line: number, message: string): ParsedSkillFile {
  return { ok: false, problems: [{ line, message, rule }] };
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().replace(/-{3,}/g, "–");
}

function without(
  record: Readonly<Record<string, unknown>>,
  keys: ReadonlySet<string>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)));
}

function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** True for a YAML map as core/yaml.ts gives it. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** 1-based line of the file at which a top-level key of the frontmatter stands; null when it is not written plainly. */
export function lineOfKey(skill: SkillFile, key: string): number | null {
  const lines = skill.frontmatterText.split("\n");
  const index = lines.findIndex((line) => /^["']?(.*?)["']?\s*:/.exec(line)?.[1] === key);
  return index < 0 ? null : skill.frontmatterStartLine + index;
}
