/** What a rule about content is made of: it looks at one document at a time and says where and what. */
import { CONTENT_FINDINGS_PER_FILE_MAX } from "../../core/limits.ts";
import type { FileContext } from "../context.ts";
import { type Detail, defineFileRule, type FileRule, quoted } from "../rule.ts";
import { partWithoutSecrets } from "../shown-text.ts";
import type { ContentDocument, WrittenDocument } from "./content-document.ts";
import { unshownOf } from "./document-secrets.ts";

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
  /** For a rule that looks at passages together: true where what was changed in a modified file can't be what it warns of. */
  readonly passesBy?: (file: WrittenDocument) => boolean;
  /** Pure; never throws, whatever the text; linear in its length. */
  find(document: ContentDocument, context: FileContext): Iterable<ContentDetail>;
};

/**
 * Makes a Rule of a search in one document. What the parent's version of the file has as well (the
 * same finding about the same text) is not this change's doing; a finding that only appears because
 * the text around it changed is new. A line is reported once, and of a file so many lines.
 */
export function defineContentRule(rule: ContentRule): FileRule {
  const { find, isLocal = false, passesBy, ...description } = rule;
  return defineFileRule({
    ...description,
    checkFile(file, context): readonly Detail[] {
      const { next, parent } = file;
      // What there is in the other passages is in the parent's as well.
      const changed = isLocal ? file.changed : null;
      if (changed !== null && isNothing(find(changed, context))) return [];
      if (passesBy?.(file) === true) return [];
      const found = placesOf(next, find(next, context));
      if (found.length === 0) return [];
      const before = parent ? placesOf(parent, find(parent, context)) : [];
      const fresh = newOnes(found, before).slice(0, CONTENT_FINDINGS_PER_FILE_MAX);
      return fresh.map((place) => described(place, next));
    },
  });
}

function isNothing(found: Iterable<ContentDetail>): boolean {
  for (const _ of found) return false;
  return true;
}

/** A line of a text with what was found in it. */
interface FoundPlace {
  readonly detail: ContentDetail;
  readonly line: number;
  readonly column: number;
  /** The same of what says the same about the same text: of another secret of the same kind it isn't. */
  readonly key: string;
}

function newOnes(found: readonly FoundPlace[], before: readonly FoundPlace[]): FoundPlace[] {
  const known = new Map<string, number>();
  for (const { key } of before) known.set(key, (known.get(key) ?? 0) + 1);
  return found.filter(({ key }) => {
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}

function placesOf({ text }: ContentDocument, found: Iterable<ContentDetail>): FoundPlace[] {
  const all = [...found];
  if (all.length === 0) return [];
  const sorted = all.sort(
    (a, b) => a.start - b.start || Number(isWarning(a)) - Number(isWarning(b)),
  );
  const places: FoundPlace[] = [];
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
      places.pop();
    }
    last = { line, isWarning: isWarning(detail) };
    const { start, end, level = "", shown = "", says } = detail;
    const key = [level, shown, says, text.slice(start, end)].join("\0");
    places.push({ detail, line, column: start - lineStart + 1, key });
  }
  return places;
}

function described({ detail, line, column }: FoundPlace, document: ContentDocument): Detail {
  const { path, text } = document;
  // By their places: what is cut out of a text may lack what tells a secret.
  const shown =
    detail.shown ?? quoted(partWithoutSecrets(text, detail, unshownOf(document).ranges));
  return {
    path,
    line,
    column,
    message: `${shown} ${detail.says}.`,
    hint: detail.hint,
    ...(detail.level ? { level: detail.level } : {}),
  };
}

function isWarning({ level }: ContentDetail): boolean {
  return level === "warning";
}
