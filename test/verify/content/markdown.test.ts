import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf } from "../../../src/verify/content/markdown.ts";

const shown = (text: string) =>
  blocksOf(text).map(({ kind, text: content, language, isQuoted }) =>
    [kind, language, isQuoted ? "quoted" : "", content].filter((part) => part !== "").join(" "),
  );

describe("blocksOf", () => {
  it("tells frontmatter, headings, paragraphs, items, quotes and code apart", () => {
    const text = [
      "---",
      "name: release-flow",
      "description: one",
      "  and two",
      "---",
      "# Heading #",
      "",
      "A paragraph",
      "of two lines:",
      "",
      "1. first",
      "   goes on",
      "- second",
      "",
      "> told by",
      "> somebody",
      "",
      "```bash x",
      "npm test",
      "",
      "# no heading",
      "```",
      "the end",
    ].join("\n");
    expect(shown(text)).toEqual([
      "frontmatter name: release-flow",
      "frontmatter description: one\n  and two",
      "heading Heading #",
      "prose A paragraph\nof two lines:",
      "prose first\n   goes on",
      "prose second",
      "prose quoted told by\nsomebody",
      "code bash npm test\n\n# no heading",
      "prose the end",
    ]);
  });

  it("takes comments out of the prose around them, unless they stand in code", () => {
    expect(shown("one <!-- two --> three")).toEqual([
      "prose one ",
      "comment  two ",
      "prose  three",
    ]);
    expect(shown("<!--\na\n\nb\n-->\nc")).toEqual(["comment a\nb", "prose c"]);
    expect(shown("a `<!-- no -->` b")).toEqual(["prose a `<!-- no -->` b"]);
    expect(shown("```\n<!-- no -->\n```")).toEqual(["code <!-- no -->"]);
    expect(shown("<!-- never closed\nrest")).toEqual(["comment  never closed\nrest"]);
  });

  it("knows the heading above, and the words that introduce a list or a block of code", () => {
    const [, intro, code, item] = blocksOf("## Never\n\nDon't do this:\n\n```\nx\n```\n- y\n");
    expect(intro?.heading).toBe("Never");
    expect(code).toMatchObject({ heading: "Never", intro: "Don't do this:" });
    expect(item).toMatchObject({ heading: "Never", intro: "Don't do this:" });
  });

  it("says where every line of a block begins", () => {
    const text = "# A\n\n- b\n  c\n\n```\nd\n```\n<!-- e --> f";
    const places = blocksOf(text).map(({ text: content, starts }) =>
      content.split("\n").map((line, at) => text.startsWith(line, starts[at])),
    );
    expect(places.flat()).toEqual(Array(6).fill(true));
  });

  it("a line behind a quoted fence that isn't quoted is read, whatever it begins with", () => {
    for (const line of ["`word` is run", "~word", "```"]) {
      const blocks = blocksOf(`> \`\`\`\n> code\n${line}\nword\n`);
      expect(blocks.map(({ text }) => text).join("\n"), line).toContain("word");
    }
    const [code, prose] = blocksOf("> ```\n> code\n`word` is run\n");
    expect(code).toMatchObject({ kind: "code", text: "code" });
    expect(prose).toMatchObject({ kind: "prose", text: "`word` is run" });
  });

  it("loses no word of any text", () => {
    const piece = fc.constantFrom(
      "```",
      "~~~",
      "<!--",
      "-->",
      "> ",
      "- ",
      "# ",
      "---",
      "\n",
      " ",
      "`",
      "word",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        // The info string of a fence is no block's text.
        const count = (where: string) => where.split("word").length - 1;
        const fences = text.split("\n").filter((line) => /^[\s>#-]*(?:```|~~~)/.test(line));
        const inBlocks = blocksOf(text).reduce((sum, block) => sum + count(block.text), 0);
        expect(inBlocks).toBeLessThanOrEqual(count(text));
        expect(inBlocks).toBeGreaterThanOrEqual(count(text) - count(fences.join("\n")));
      }),
    );
  });
});
