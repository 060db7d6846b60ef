/**
 * A skill as its reader sees it, rendered by a CommonMark parser that is kept from everything that
 * could hide or reach anything: HTML and comments, links, images and definitions stay what they are
 * in the source, as text.
 */
import { micromark, type Options } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";
import { safeBlock } from "../core/text.ts";
import { Html } from "./html.ts";

const NOTHING_HIDDEN = {
  disable: {
    null: [
      "htmlFlow",
      "htmlText",
      "autolink",
      "labelStartLink",
      "labelStartImage",
      "definition",
      // A reference like &#x202e; would make what no reader of the source sees.
      "characterReference",
    ],
  },
};

type HtmlExtension = NonNullable<Options["htmlExtensions"]>[number];

/**
 * Behind a paragraph of a tight list micromark would drop the line ends of a code block. The block's
 * language is left out: it would become a class, by a foreign word.
 */
const CODE_BLOCKS: HtmlExtension = {
  enter: {
    codeFenced() {
      this.setData("slurpAllLineEndings");
      this.lineEndingIfNeeded();
      this.tag("<pre><code");
      this.setData("fencesCount", 0);
    },
    codeIndented() {
      this.setData("slurpAllLineEndings");
      this.lineEndingIfNeeded();
      this.tag("<pre><code>");
    },
  },
  exit: {
    codeFencedFenceInfo() {
      this.resume();
    },
  },
};

/**
 * @param markdown without frontmatter
 * @param top the level of its highest heading; those below never skip one
 */
export function renderMarkdown(markdown: string, top: number): Html {
  const rendered = micromark(safeBlock(markdown), {
    extensions: [gfmTable(), NOTHING_HIDDEN],
    htmlExtensions: [gfmTableHtml(), CODE_BLOCKS],
  });
  // micromark escapes all text, so that a `<` begins a tag of its own.
  return new Html(wrapTables(withLevels(withoutAttributes(rendered), top)));
}

/** A table's columns would have an attribute that HTML gave up. */
function withoutAttributes(text: string): string {
  return text.replace(/<(td|th) [^>]*>/g, (_, name: string) => `<${name}>`);
}

function withLevels(text: string, top: number): string {
  const open: number[] = [];
  return text.replace(/<(\/?)h([1-6])>/g, (_, end: string, digit: string) => {
    if (end === "") {
      while ((open.at(-1) ?? 0) >= Number(digit)) open.pop();
      open.push(Number(digit));
    }
    return `<${end}h${Math.min(6, top + open.length - 1)}>`;
  });
}

/** Wide ones scroll by themselves; the page never does. */
function wrapTables(text: string): string {
  return text
    .replaceAll(
      "<table>",
      '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>',
    )
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">');
}
