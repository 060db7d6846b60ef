import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** A list's mark with nothing behind it but dots and dashes. */
const EMPTY_ITEM = /^[ \t]{0,64}(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?:\.{2,}|…|-|\?+))?[ \t]*$/;

/** The same in a whole text: most have none, and a look at each line costs more. */
const ANY_EMPTY_ITEM = new RegExp(EMPTY_ITEM, "m");

/** Not a list's item and not blank. */
const PARAGRAPH = /^(?![ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)).*\S/;

export const emptyStepRule = defineContentRule({
  id: "quality.empty-step",
  level: "warning",
  why: "A step without words is one that somebody meant to write.",
  example: "a list item `3.` with nothing behind it",
  profiles: EVERY_PROFILE,
  *find({ text, passages }): Iterable<ContentDetail> {
    if (!ANY_EMPTY_ITEM.test(text)) return;
    const code = passages.filter(({ block }) => block.kind === "code");
    const inCode = new Set(code.flatMap(({ block }) => block.starts));
    const lines = text.split("\n");
    let start = 0;
    for (const [index, line] of lines.entries()) {
      const isEmpty = EMPTY_ITEM.test(line) && !inCode.has(start);
      // What is indented below an item is its text; `---` and a heading's underline are no items.
      const hasMore = /^[ \t]+\S/.test(lines[index + 1] ?? "");
      const isUnderline = line.trim() === "-" && PARAGRAPH.test(lines[index - 1] ?? "");
      if (isEmpty && !hasMore && !isUnderline) {
        yield {
          start,
          end: start + line.length,
          says: "is a list item without words",
          hint: "Write the step, or remove the item.",
        };
      }
      start += line.length + 1;
    }
  },
});
