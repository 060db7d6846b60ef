/** What a verifier rule is made of. */
import { QUOTE_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";
import type { Profile } from "./change.ts";
import type { WrittenDocument } from "./content/content-document.ts";
import { unshownOf } from "./content/document-secrets.ts";
import type { FileContext, VerifyContext } from "./context.ts";
import type { Finding } from "./finding.ts";
import { type SecretPieces, secretPiecesOf, withoutPieces, withoutSecrets } from "./shown-text.ts";

interface RuleDescription {
  /** The path of the rule's file below rules/, with a dot: `hidden.comment`; `structure.` where it lies in no folder. */
  readonly id: string;
  /** The level of its findings where they don't say another. */
  readonly level: Finding["level"];
  /** One sentence: why the rule exists. */
  readonly why: string;
  /** Something that it refuses, in a few words. */
  readonly example: string;
  readonly profiles: readonly Profile[];
}

/** Looks at the trees and the list of changes. */
export interface TreeRule extends RuleDescription {
  /** Pure; never throws, whatever the bytes. */
  check(context: VerifyContext): Finding[];
}

/** Looks at one written file at a time: all such rules look at a file before the next one is read. */
export interface FileRule extends RuleDescription {
  /** Pure; never throws, whatever the text. What it answers depends on its arguments alone: threads share out the files. */
  checkFile(file: WrittenDocument, context: FileContext): Finding[];
}

export type Rule = TreeRule | FileRule;

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
  rule: RuleDescription & { check(context: VerifyContext): Iterable<Detail> },
): TreeRule {
  const { check, ...description } = rule;
  return {
    ...description,
    check: (context) =>
      Array.from(check(context), (detail) =>
        toFinding(
          rule,
          withColumn(detail, (path) => writtenText(context, path)),
          secretPieces(context, detail.path),
        ),
      ),
  };
}

/** A rule that is about a whole line means its first character that isn't blank. */
function withColumn(detail: Detail, textOf: (path: string) => string | undefined): Detail {
  const { path, line, column } = detail;
  if (path === null || line == null || column !== undefined) return detail;
  const words = textOf(path)?.split("\n")[line - 1];
  return { ...detail, column: Math.max(0, words?.search(/\S/) ?? 0) + 1 };
}

function writtenText({ written, text }: VerifyContext, path: string): string | undefined {
  const change = written.find((each) => each.path === path);
  const blob = change && text(change.id);
  return blob?.kind === "text" ? blob.text : undefined;
}

/** The same of a description and a function that gives the details about one file. */
export function defineFileRule(
  rule: RuleDescription & {
    checkFile(file: WrittenDocument, context: FileContext): readonly Detail[];
  },
): FileRule {
  const { checkFile, ...description } = rule;
  return {
    ...description,
    checkFile: (file, context) =>
      checkFile(file, context).map((detail) =>
        toFinding(
          rule,
          withColumn(detail, () => file.next.text),
          unshownOf(file.next).pieces,
        ),
      ),
  };
}

const PIECES = new WeakMap<VerifyContext, Map<string, SecretPieces>>();

/** Of the secrets of a written file, whatever rule has something to say about it. */
function secretPieces(context: VerifyContext, path: string | null): SecretPieces {
  const byPath = PIECES.get(context) ?? new Map<string, SecretPieces>();
  PIECES.set(context, byPath);
  const known = byPath.get(path ?? "");
  if (known !== undefined) return known;
  const text = path === null ? "" : (writtenText(context, path) ?? "");
  const pieces = secretPiecesOf(text);
  byPath.set(path ?? "", pieces);
  return pieces;
}

/**
 * Every finding passes here, so that none can carry a control or an invisible character, or the value of a secret.
 * @param pieces of the secrets of the file that it is about
 */
function toFinding(
  rule: Pick<RuleDescription, "id" | "level">,
  detail: Detail,
  pieces: SecretPieces,
): Finding {
  const shown = (text: string) => withoutPieces(withoutSecrets(safeLine(text)), pieces);
  return {
    rule: rule.id,
    level: detail.level ?? rule.level,
    path: detail.path === null ? null : withoutSecrets(safeLine(detail.path)),
    line: detail.line ?? null,
    ...(detail.column === undefined ? {} : { column: detail.column }),
    message: shown(detail.message),
    hint: shown(detail.hint),
  };
}

/** Foreign text inside a message: without the values of secrets, one line, cut, escaped, between backticks. */
export function quoted(text: string): string {
  return `\`${cut(safeLine(withoutSecrets(text)), QUOTE_MAX_CHARS).replaceAll("`", "'")}\``;
}
