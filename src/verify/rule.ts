/** What a verifier rule is made of. */
import { QUOTE_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";
import type { Profile } from "./change.ts";
import type { VerifyContext } from "./context.ts";
import type { Finding } from "./finding.ts";

export interface Rule {
  /** The path of the rule's file below rules/, with a dot: `hidden.comment`; `structure.` where it lies in no folder. */
  readonly id: string;
  /** The level of its findings where they don't say another. */
  readonly level: Finding["level"];
  /** One sentence: why the rule exists. */
  readonly why: string;
  /** Something that it refuses, in a few words. */
  readonly example: string;
  readonly profiles: readonly Profile[];
  /** Pure; never throws, whatever the bytes. */
  check(context: VerifyContext): Finding[];
}

/** A finding as a rule yields it: id and level come from the rule. */
export interface Detail {
  readonly path: string | null;
  /** 1-based. */
  readonly line?: number | null;
  /** 1-based, in UTF-16 units; without it, where the line's text begins. */
  readonly column?: number;
  /** One sentence with its full stop; foreign text goes through `quoted`. */
  readonly message: string;
  /** One sentence with its full stop. */
  readonly hint: string;
  readonly level?: Finding["level"];
}

export const EVERY_PROFILE: readonly Profile[] = ["proposal", "pull-request"];

/** Makes a Rule of a description and a generator of details. */
export function defineRule(
  rule: Omit<Rule, "check"> & { check(context: VerifyContext): Iterable<Detail> },
): Rule {
  const { check, ...description } = rule;
  return {
    ...description,
    check: (context) =>
      Array.from(check(context), (detail) => toFinding(rule, withColumn(detail, context))),
  };
}

/** A rule that is about a whole line means its first character that isn't blank. */
function withColumn(detail: Detail, { written, text }: VerifyContext): Detail {
  const { path, line, column } = detail;
  if (path === null || line == null || column !== undefined) return detail;
  const change = written.find((each) => each.path === path);
  const blob = change && text(change.id);
  const words = blob?.kind === "text" ? blob.text.split("\n")[line - 1] : undefined;
  return { ...detail, column: Math.max(0, words?.search(/\S/) ?? 0) + 1 };
}

/** Every finding passes here, so that none can carry a control or an invisible character. */
function toFinding(rule: Pick<Rule, "id" | "level">, detail: Detail): Finding {
  return {
    rule: rule.id,
    level: detail.level ?? rule.level,
    path: detail.path === null ? null : safeLine(detail.path),
    line: detail.line ?? null,
    ...(detail.column === undefined ? {} : { column: detail.column }),
    message: safeLine(detail.message),
    hint: safeLine(detail.hint),
  };
}

/** Foreign text inside a message: one line, cut, escaped, between backticks. */
export function quoted(text: string): string {
  return `\`${cut(safeLine(text), QUOTE_MAX_CHARS).replaceAll("`", "'")}\``;
}
