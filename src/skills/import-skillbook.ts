/**
 * Reads a Skillbook of any generation of ACE: v1 and v1.5 (free sections, one text, `helpful` and so on),
 * v2, and the playbooks before them. Lenient where the reader of operations is strict: what can be mapped
 * is mapped, what can't is left out, and both are said. Pure.
 */
import {
  STRATEGY_KEYWORD_MAX_CHARS,
  STRATEGY_MAX_KEYWORDS,
  STRATEGY_SOURCES_MAX,
  STRATEGY_TEXT_MAX_CHARS,
} from "../core/limits.ts";
import { count, cut } from "../core/text.ts";
import {
  entriesOf,
  type Generation,
  generationOf,
  sectionsOf,
  shown,
  unknownFields,
  whyNoSkillbook,
} from "./ace-generations.ts";
import { bounded, normalSource } from "./occurrences.ts";
import { importedDecisions } from "./similarity-decisions.ts";
import { isRecord } from "./skill-file.ts";
import { isCount } from "./skill-tags.ts";
import {
  type Occurrence,
  type ParsedSkillbook,
  parseSkillbook,
  type Skillbook,
} from "./skillbook.ts";
import { isStrategyId, normalKeywords, numberOf } from "./strategy.ts";

export interface ImportedSkillbook {
  readonly skillbook: Skillbook;
  readonly generation: Generation;
  /** What was read as something else, and what was left out, a sentence each. */
  readonly mapped: readonly string[];
}

/** The Skillbook that was made of another, or what is wrong with that. */
export type ImportResult =
  | ({ readonly ok: true } & ImportedSkillbook)
  | Extract<ParsedSkillbook, { ok: false }>;

export interface ImportOptions {
  /** Leave out what was removed: gone, as after ACE's hard removal. */
  readonly dropRemoved?: boolean;
}

type Raw = Readonly<Record<string, unknown>>;

/**
 * Reads a Skillbook of any generation as one of schema v2.
 * @param text the file's content
 * @returns the Skillbook and what was read as something else, or what is wrong; never throws
 */
export function importSkillbook(text: string, options: ImportOptions = {}): ImportResult {
  const shape = parseSkillbook(text);
  const isUnreadable =
    !shape.ok && shape.problems.some(({ code }) => code === "not_json" || code === "too_large");
  const value: unknown = isUnreadable ? null : JSON.parse(text.replace(/^\ufeff/, ""));
  if (!shape.ok && (isUnreadable || !isRecord(value))) return shape;
  const raw = value as Raw;
  const problem = whyNoSkillbook(raw);
  if (problem !== null) return { ok: false, problems: [problem] };
  const mapping = new Mapping(options);
  const generation = generationOf(raw);
  const book = mapping.book(raw, generation);
  const parsed = parseSkillbook(JSON.stringify(book));
  if (!parsed.ok) return parsed;
  const skillbook = parsed.skillbook;
  return { ok: true, skillbook, generation, mapped: [...mapping.notes(), ...parsed.warnings] };
}

/** Fields of the earlier generations that became others, or stand for nothing here. */
const LEGACY_FIELDS = [
  "id",
  "section",
  "content",
  "justification",
  "evidence",
  "helpful",
  "harmful",
  "neutral",
  "created_at",
  "updated_at",
  "embedding",
  "status",
  "sources",
];

/** Maps one file, and keeps count of what it changed. */
class Mapping {
  readonly #options: ImportOptions;
  /** The strategies that each change was made to. */
  readonly #counted = new Map<string, Set<string>>();
  #key = "";
  readonly #said: string[] = [];

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  /** Common changes are counted, single ones said. */
  notes(): string[] {
    const counted = [...this.#counted].map(
      ([what, keys]) => `${count(keys.size, "strategy", "strategies")}: ${what}`,
    );
    return [...counted, ...this.#said];
  }

  book(raw: Raw, generation: Generation): Raw {
    const skills = new Map<string, Raw>();
    const ids = new Map<string, string>();
    const isV2 = generation === "v2";
    for (const [key, entry] of Object.entries(entriesOf(raw))) {
      this.#key = key;
      const mapped = isRecord(entry) ? (isV2 ? this.#current(entry) : this.#legacy(entry)) : null;
      if (mapped === null) {
        this.#said.push(`${shown(key)} is left out: it says nothing`);
        continue;
      }
      if (this.#options.dropRemoved === true && mapped["active"] === false) {
        this.#count("left out, because it was removed");
        continue;
      }
      const id = this.#idOf(key, mapped["id"], skills);
      skills.set(id, { ...mapped, id });
      ids.set(key, id);
    }
    const numbers = [...skills.keys()].map((id) => numberOf(id) ?? 0);
    const next_id = Math.max(0, ...numbers, isCount(raw["next_id"]) ? Number(raw["next_id"]) : 0);
    const { decisions, said } = importedDecisions(raw["similarity_decisions"], ids);
    const order = sectionsOf(raw, ids);
    this.#said.push(...said, ...order.said, ...(isV2 ? [] : unknownFields(raw)));
    return {
      ...(isV2 ? raw : {}),
      schema_version: "2",
      skills: Object.fromEntries(skills),
      sections: order.sections,
      next_id,
      similarity_decisions: decisions,
    };
  }

  #current(entry: Raw): Raw | null {
    const issue =
      this.#text(entry["issue"]) ?? this.#text(entry["insight"]) ?? this.#text(entry["content"]);
    if (issue === null) return null;
    if (this.#text(entry["issue"]) === null)
      this.#count("has no issue; its insight is read as one");
    return {
      ...entry,
      issue,
      ...this.#common(entry),
      insight: this.#text(entry["insight"]),
      active: entry["active"] !== false,
      occurrences: this.#sources(sourcesIn(entry["occurrences"])),
      ...this.#counts(entry, (count) => count),
      used_count: this.#number(entry["used_count"]),
    };
  }

  #legacy(entry: Raw): Raw | null {
    const content = this.#text(entry["content"]);
    if (content === null) return null;
    const justification = this.#text(entry["justification"]);
    this.#count(
      justification === null
        ? "its content is read as issue and insight"
        : "its justification is read as the issue, its content as the insight",
    );
    if (entry["embedding"] != null) this.#count("its embedding is left out");
    const unknown = Object.keys(entry).filter((field) => !LEGACY_FIELDS.includes(field));
    for (const field of unknown) this.#count(`its field ${shown(field)} is unknown and left out`);
    const isRemoved = typeof entry["status"] === "string" && entry["status"] !== "active";
    if (isRemoved) this.#count(`its status is ${shown(entry["status"])}, which is read as removed`);
    const evidence = this.#text(entry["evidence"]);
    return {
      issue: justification ?? content,
      insight: content,
      ...this.#common(entry),
      active: !isRemoved,
      occurrences: this.#sources(sourcesIn(entry["sources"]).map(normalSource)),
      ...this.#counts(entry, (count) => count.replace("_count", "")),
      used_count: 0,
      ...(evidence !== null && { evidence }),
    };
  }

  #common(entry: Raw): Raw {
    const section = this.#text(entry["section"]) ?? "context";
    const given: unknown = entry["keywords"] ?? [];
    const words = Array.isArray(given) ? given.filter((word) => typeof word === "string") : [];
    if (!Array.isArray(given) || words.length < given.length)
      this.#count("has keywords that are no texts, which are left out");
    const all = normalKeywords(words.map((word) => this.#plain(word)));
    if (all.length > STRATEGY_MAX_KEYWORDS)
      this.#count(`has more than ${STRATEGY_MAX_KEYWORDS} keywords, of which the first are kept`);
    if (all.some((word) => word.length > STRATEGY_KEYWORD_MAX_CHARS))
      this.#count(
        `has a keyword of more than ${STRATEGY_KEYWORD_MAX_CHARS} characters, which is cut`,
      );
    const keywords = all
      .map((word) => cut(word, STRATEGY_KEYWORD_MAX_CHARS))
      .slice(0, STRATEGY_MAX_KEYWORDS);
    const at = (field: string) =>
      typeof entry[field] === "string" ? { [field]: entry[field] } : {};
    return { id: entry["id"], section, keywords, ...at("created_at"), ...at("updated_at") };
  }

  #sources(given: readonly Occurrence[]): readonly Occurrence[] {
    const kept = bounded(given);
    if (kept.length < given.length)
      this.#count(`of its sources, the first and the newest are kept: ${STRATEGY_SOURCES_MAX}`);
    return kept;
  }

  #counts(entry: Raw, nameOf: (count: string) => string): Raw {
    const counts = ["helpful_count", "harmful_count", "neutral_count"];
    return Object.fromEntries(counts.map((count) => [count, this.#number(entry[nameOf(count)])]));
  }

  #number(value: unknown): number {
    if (value === undefined || value === null || isCount(value)) return Number(value ?? 0);
    this.#count("has a counter that is no whole number from 0, which is read as 0");
    return 0;
  }

  /** Trimmed and plain; null when there is none. */
  #text(value: unknown): string | null {
    if (typeof value !== "string") return null;
    const lines = value.replace(/\r\n?/g, "\n");
    if (lines !== value)
      this.#count("has a text with carriage returns, which are read as line ends");
    const text = this.#plain(lines).trim();
    if (text.length > STRATEGY_TEXT_MAX_CHARS)
      this.#count(`has a text of more than ${STRATEGY_TEXT_MAX_CHARS} characters, which is cut`);
    return text === "" ? null : cut(text, STRATEGY_TEXT_MAX_CHARS);
  }

  /** Without what a person wouldn't see; blanks around are nobody's to miss, but a byte order mark is no blank for ACE. */
  #plain(text: string): string {
    const plain = text.replace(CONTROLS, " ");
    if (plain.trim() !== text.trim())
      this.#count("has control characters or halves of characters, which are read as blanks");
    if (/^\s*\ufeff|\ufeff\s*$/.test(text))
      this.#count("has a byte order mark around a text, which is left out");
    return plain;
  }

  #idOf(key: string, own: unknown, taken: ReadonlyMap<string, unknown>): string {
    if (own !== undefined && String(own) !== key)
      this.#count("calls itself something else than the file does, which is left out");
    if (isStrategyId(key)) return key;
    let number = taken.size + 1;
    while (taken.has(`imported-${number}`)) number += 1;
    this.#count("has an id that is none here, and gets another");
    return `imported-${number}`;
  }

  #count(what: string): void {
    this.#counted.set(what, (this.#counted.get(what) ?? new Set()).add(this.#key));
  }
}

/** What a person wouldn't see, and halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/gu;

function sourcesIn(value: unknown): Occurrence[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
