/** What a rule about content is made of: it looks at one document at a time and says where and what. */
import { CONTENT_FINDINGS_PER_FILE_MAX } from "../../core/limits.ts";
import type { FileContext } from "../context.ts";
import { type Detail, defineFileRule, type FileRule, quoted } from "../rule.ts";
import type { ContentDocument } from "./content-document.ts";

export interface ContentDetail {
  /** Where the offending text stands in the file: UTF-16 units, the end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Goes on after the offending text: `pipes a download into a shell`. */
  readonly says: string;
  /** One sentence with its full stop: what to do. */
  readonly hint: string;
  readonly level?: Detail["level"];
  /** What is shown instead of the text: of a secret its kind, of smuggled text its decoded form. Already quoted. */
  readonly shown?: string;
}

type ContentRule = Omit<FileRule, "checkFile"> & {
  /**
   * What it finds in a passage depends on nothing but that passage, its own text in the file, and the context. Then
   * most modified files are done with what was changed in them.
   */
  readonly isLocal?: boolean;
  /** Pure; never throws, whatever the text; linear in its length. */
  find(document: ContentDocument, context: FileContext): Iterable<ContentDetail>;
};

/**
 * Makes a Rule of a search in one document. What the parent's version of the file has as well (the
 * same finding about the same text) is not this change's doing; a finding that only appears because
 * the text around it changed is new. A line is reported once, and of a file so many lines.
 */
export function defineContentRule(rule: ContentRule): FileRule {
  const { find, isLocal = false, ...description } = rule;
  return defineFileRule({
    ...description,
    checkFile(file, context): readonly Detail[] {
      const { next, parent } = file;
      // What there is in the other passages is in the parent's as well.
      const changed = isLocal ? file.changed : null;
      if (changed !== null && isNothing(find(changed, context))) return [];
      const found = detailsOf(next, find(next, context));
      if (found.length === 0) return found;
      const before = parent ? detailsOf(parent, find(parent, context)) : [];
      return newOnes(found, before).slice(0, CONTENT_FINDINGS_PER_FILE_MAX);
    },
  });
}

function isNothing(found: Iterable<ContentDetail>): boolean {
  for (const _ of found) return false;
  return true;
}

function newOnes(found: readonly Detail[], before: readonly Detail[]): Detail[] {
  const known = new Map<string, number>();
  const keyOf = ({ message, level }: Detail) => `${level ?? ""} ${message}`;
  for (const detail of before) known.set(keyOf(detail), (known.get(keyOf(detail)) ?? 0) + 1);
  return found.filter((detail) => {
    const left = known.get(keyOf(detail)) ?? 0;
    known.set(keyOf(detail), left - 1);
    return left <= 0;
  });
}

function detailsOf({ path, text }: ContentDocument, found: Iterable<ContentDetail>): Detail[] {
  const all = [...found];
  if (all.length === 0) return [];
  const sorted = all.sort(
    (a, b) => a.start - b.start || Number(isWarning(a)) - Number(isWarning(b)),
  );
  const details: Detail[] = [];
  let [line, lineStart] = [1, 0];
  let last: { readonly line: number; readonly isWarning: boolean } | undefined;
  for (const detail of sorted) {
    for (let end = text.indexOf("\n", lineStart); end >= 0 && end < detail.start; ) {
      [line, lineStart] = [line + 1, end + 1];
      end = text.indexOf("\n", lineStart);
    }
    if (last?.line === line) {
      // The second finding about a line says more only when it is worse.
      if (!last.isWarning || isWarning(detail)) continue;
      details.pop();
    }
    last = { line, isWarning: isWarning(detail) };
    details.push({ path, line, ...described(detail, text, lineStart) });
  }
  return details;
}

function described(detail: ContentDetail, text: string, lineStart: number) {
  const shown = detail.shown ?? quoted(text.slice(detail.start, detail.end));
  return {
    column: detail.start - lineStart + 1,
    message: `${shown} ${detail.says}.`,
    hint: detail.hint,
    ...(detail.level ? { level: detail.level } : {}),
  };
}

function isWarning({ level }: ContentDetail): boolean {
  return level === "warning";
}
