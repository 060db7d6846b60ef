/** Text in characters that show nothing. */
import { SMUGGLED_TEXT_MAX_CHARS } from "../../core/limits.ts";

const TAGS = /[\u{e0000}-\u{e007f}]+/gu;
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

export interface SmuggledRun {
  readonly start: number;
  readonly end: number;
  /** As it stands in the file. */
  readonly run: string;
  /** What it spells; empty when that is no text. */
  readonly spelled: string;
}

/** Runs of tag characters, each the invisible copy of a character of ASCII. */
export function* tagRuns(text: string): Iterable<SmuggledRun> {
  for (const { index, 0: run } of text.matchAll(TAGS)) {
    const codes = [...run].map((tag) => (tag.codePointAt(0) ?? 0) - 0xe0000);
    const spelled = String.fromCharCode(...codes.slice(0, SMUGGLED_TEXT_MAX_CHARS));
    yield { start: index, end: index + run.length, run, spelled };
  }
}

/** Runs of variation selectors, each the number of a byte of UTF-8. */
export function* selectorRuns(text: string): Iterable<SmuggledRun> {
  for (const { index, 0: run } of text.matchAll(SELECTORS)) {
    const bytes = [...run].map((selector) => {
      const code = selector.codePointAt(0) ?? 0;
      return code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16;
    });
    const spelled = bytes.length < 2 ? "" : Buffer.from(bytes).toString("utf8");
    yield { start: index, end: index + run.length, run, spelled };
  }
}
