/** Reads single operations of a batch, and collects what is wrong with them. Pure. */
import {
  QUOTE_MAX_CHARS,
  STRATEGY_KEYWORD_MAX_CHARS,
  STRATEGY_MAX_KEYWORDS,
  STRATEGY_TEXT_MAX_CHARS,
} from "../core/limits.ts";
import { cut } from "../core/text.ts";
import type { BatchProblem, Operation, Provenance } from "./operation.ts";
import { unknownFields, wrongTypes } from "./operation-fields.ts";
import { isRecord } from "./skill-file.ts";
import type { Occurrence } from "./skillbook.ts";
import { isStrategyId, normalKeywords, normalSection } from "./strategy.ts";

/** What a person who reads the change wouldn't see, or what is no text: half of a character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const UNREADABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u;
const PLAIN = "write plain text without control characters";

type Raw = Readonly<Record<string, unknown>>;

/** How a value stands in an error. */
function shown(value: unknown): string {
  return cut(JSON.stringify(value) ?? "nothing", QUOTE_MAX_CHARS);
}

/** Reads one operation after the other, and collects what is wrong with any of them. */
export class OperationReader {
  readonly problems: BatchProblem[] = [];
  readonly warnings: string[] = [];
  #index = 0;

  /** @returns the operation, with what is wrong in it left empty; null for what is none */
  read(item: unknown, index: number): Operation | null {
    this.#index = index;
    if (!isRecord(item)) {
      this.#refuse("wrong_type", "", `is ${shown(item)}`, "write an object with a type");
      return null;
    }
    const operation = this.#operation(item);
    if (operation !== null) this.#others(item, operation.type);
    return operation;
  }

  /** What an operation doesn't use: of the wrong type it is refused all the same, unknown it is named. */
  #others(raw: Raw, type: Operation["type"]): void {
    for (const { field, hint } of wrongTypes(raw, type))
      this.#refuse("wrong_type", field, `is ${shown(raw[field])}`, hint);
    for (const { field, near } of unknownFields(raw)) {
      const meant = near === undefined ? "" : `: is it meant to be ${near}?`;
      this.#warn(`the field ${shown(field)} is unknown and left out${meant}`);
    }
  }

  #operation(raw: Raw): Operation | null {
    const type = typeof raw["type"] === "string" ? raw["type"].trim().toUpperCase() : raw["type"];
    const provenance = this.#provenance(raw);
    switch (type) {
      case "ADD":
        return { type, ...this.#added(raw), ...provenance };
      case "UPDATE":
        return { type, skill_id: this.#id(raw), ...this.#changed(raw), ...provenance };
      case "TAG":
        return { type, skill_id: this.#id(raw), metadata: this.#delta(raw), ...provenance };
      case "REMOVE":
        return { type, skill_id: this.#id(raw), ...provenance };
      default: {
        const what = type === undefined ? "is missing" : `is ${shown(raw["type"])}`;
        this.#refuse("unknown_type", "type", what, "write ADD, UPDATE, TAG or REMOVE");
        return null;
      }
    }
  }

  #added(raw: Raw) {
    const name = this.#text(raw, "section", "context or harness") ?? "context";
    const given = this.#keywords(raw);
    if (given?.length === 0 || raw["keywords"] == null)
      this.#missing(raw, "keywords", "a list of words by which the strategy is found");
    const { section, keywords, isLegacy } = normalSection(name, given ?? []);
    if (isLegacy) this.#warn(`section ${shown(name)} is read as context, with it as a keyword`);
    const issue = this.#text(raw, "issue", "what the strategy is about") ?? "";
    const own = this.#optionalText(raw, "insight");
    // ACE reads its earlier strategies so: they had one text.
    const insight = own ?? (isLegacy ? issue : null);
    if (section === "context" && insight === null) this.#missingInsight(raw["insight"]);
    // An empty one is none, and asks for a new one.
    const isNew = raw["skill_id"] == null || raw["skill_id"] === "";
    const skill_id = isNew ? null : this.#id(raw);
    return {
      section,
      keywords,
      issue,
      ...(insight !== null && { insight }),
      ...(skill_id !== null && { skill_id }),
    };
  }

  /** One of the wrong type was refused for that. */
  #missingInsight(value: unknown): void {
    if (value != null && typeof value !== "string") return;
    const what = value == null ? "is missing" : `is ${shown(value)}, which is empty`;
    this.#refuse("missing_insight", "insight", what, "a context strategy says what to do");
  }

  #changed(raw: Raw) {
    const issue = this.#text(raw, "issue", "what the strategy is about") ?? "";
    const insight = this.#optionalText(raw, "insight");
    if (insight === null && typeof raw["insight"] === "string")
      this.#warn("a blank insight leaves the insight as it is");
    const keywords = this.#keywords(raw) ?? [];
    const section = typeof raw["section"] === "string" ? raw["section"] : null;
    return {
      issue,
      ...(insight !== null && { insight }),
      ...(keywords.length > 0 && { keywords }),
      ...(section !== null && { section }),
    };
  }

  #delta(raw: Raw): { delta: -1 | 0 | 1 } {
    const metadata = raw["metadata"];
    const delta = isRecord(metadata) ? metadata["delta"] : undefined;
    if (delta === 1 || delta === -1 || delta === 0) return { delta: delta === 0 ? 0 : delta };
    const where = metadata == null ? "" : `: metadata is ${shown(metadata)}`;
    const what = delta === undefined ? `is missing${where}` : `is ${shown(delta)}`;
    this.#refuse("bad_delta", "metadata.delta", what, "write 1 (it helped), -1 (it harmed) or 0");
    return { delta: 0 };
  }

  #id(raw: Raw): string {
    const id = raw["skill_id"];
    if (typeof id === "string" && isStrategyId(id)) return id;
    const hint = "write the id as the Skillbook has it, e.g. context-00001";
    if (id == null || id === "") this.#refuse("missing_field", "skill_id", "is missing", hint);
    else this.#refuse("bad_id", "skill_id", `is ${shown(id)}`, hint);
    return "";
  }

  #keywords(raw: Raw): string[] | null {
    const value = raw["keywords"];
    if (value == null) return null;
    if (!Array.isArray(value) || value.some((word) => typeof word !== "string")) {
      this.#refuse("wrong_type", "keywords", `is ${shown(value)}`, 'write a list: ["math"]');
      return null;
    }
    const keywords = normalKeywords(value);
    if (keywords.some((word) => UNREADABLE.test(word)))
      this.#refuse("bad_text", "keywords", `is ${shown(value)}`, PLAIN);
    const isLong = keywords.some((word) => word.length > STRATEGY_KEYWORD_MAX_CHARS);
    const hint = `write at most ${STRATEGY_MAX_KEYWORDS} keywords of ${STRATEGY_KEYWORD_MAX_CHARS} characters`;
    if (keywords.length > STRATEGY_MAX_KEYWORDS || isLong)
      this.#refuse("too_large", "keywords", `is ${shown(value)}`, hint);
    return keywords;
  }

  /** A text that must be there. */
  #text(raw: Raw, field: string, what: string): string | null {
    const text = this.#optionalText(raw, field);
    const isWrong = raw[field] != null && typeof raw[field] !== "string";
    if (text === null && !isWrong) this.#missing(raw, field, what);
    return text;
  }

  /** Trimmed; null when it is absent, blank or wrong. */
  #optionalText(raw: Raw, field: string): string | null {
    const value = raw[field];
    if (value == null) return null;
    if (typeof value !== "string") {
      this.#refuse("wrong_type", field, `is ${shown(value)}`, "write a text");
      return null;
    }
    const text = value.replace(/\r\n?/g, "\n").trim();
    if (UNREADABLE.test(text)) this.#refuse("bad_text", field, `is ${shown(value)}`, PLAIN);
    const hint = `write at most ${STRATEGY_TEXT_MAX_CHARS} characters`;
    if (text.length > STRATEGY_TEXT_MAX_CHARS)
      this.#refuse("too_large", field, `has ${text.length} characters`, hint);
    return text === "" ? null : text;
  }

  #provenance(raw: Raw): Provenance {
    const reason = this.#reason(raw);
    const source = raw["insight_source"];
    const isSource = isSourceOrList(source);
    if (source != null && !isSource)
      this.#refuse(
        "wrong_type",
        "insight_source",
        `is ${shown(source)}`,
        "write an object or a list of them",
      );
    const indices = raw["reflection_indices"];
    const all = Array.isArray(indices) ? indices : [];
    const usable = all.filter(isIndex);
    if ((indices != null && !Array.isArray(indices)) || usable.length < all.length)
      this.#warn("of reflection_indices, only whole numbers from 0 count");
    return {
      ...(reason !== null && { reason }),
      ...this.#indexIn(raw, "reflection_index"),
      ...(usable.length > 0 && { reflection_indices: usable }),
      ...this.#indexIn(raw, "learning_index"),
      ...(isSource && { insight_source: source }),
    };
  }

  /** ACE's earlier operations say it as `justification` and `evidence`. */
  #reason(raw: Raw): string | null {
    const own = this.#optionalText(raw, "reason");
    if (own !== null) return own;
    const texts = ["justification", "evidence"].filter((field) => typeof raw[field] === "string");
    const said = texts.flatMap((field) => this.#optionalText(raw, field) ?? []);
    return said.length === 0 ? null : cut(said.join(" "), STRATEGY_TEXT_MAX_CHARS);
  }

  #indexIn(raw: Raw, field: "reflection_index" | "learning_index") {
    const value = raw[field];
    if (isIndex(value)) return { [field]: value };
    if (value != null)
      this.#warn(`${field} ${shown(value)} is no whole number from 0 and is left out`);
    return {};
  }

  #missing(raw: Raw, field: string, what: string): void {
    const value = raw[field];
    const how = value == null ? "is missing" : `is ${shown(value)}, which is empty`;
    this.#refuse("missing_field", field, how, `write ${what}`);
  }

  #refuse(code: BatchProblem["code"], field: string, what: string, hint: string): void {
    const operation = this.#index;
    const of = field === "" ? "" : `${field} `;
    const message = `operation ${operation}: ${of}${what}`;
    this.problems.push({ code, operation, field, message, hint });
  }

  #warn(what: string): void {
    this.warnings.push(`operation ${this.#index}: ${what}`);
  }
}

function isSourceOrList(value: unknown): value is Occurrence | readonly Occurrence[] {
  return isRecord(value) || (Array.isArray(value) && value.every(isRecord));
}

function isIndex(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
