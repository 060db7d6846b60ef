import { describe, expect, test } from "vitest";
import { parseJsonWithComments } from "../../src/core/json-with-comments.ts";
import { markdownCode, markdownFence, markdownText } from "../../src/core/markdown.ts";
import { count, cut, grouped, safeBlock, safeJson, safeLine } from "../../src/core/text.ts";

describe("text of others is safe to print (invariant 7)", () => {
  test.each([
    ["terminal colours", "\u001b[31mred", "\\u{1b}[31mred"],
    ["a title change", "\u001b]0;x\u0007", "\\u{1b}]0;x\\u{7}"],
    ["C1 controls", "\u009b31m", "\\u{9b}31m"],
    ["carriage return", "a\rb", "a\\rb"],
    ["bidirectional override", "a\u202eb", "a\\u{202e}b"],
    ["zero width", "a\u200bb", "a\\u{200b}b"],
    ["tag characters", "a\u{e0041}", "a\\u{e0041}"],
    ["a lone surrogate", "a\ud800b", "a\\u{d800}b"],
  ])("%s", (_name, text, shown) => {
    expect(safeLine(text)).toBe(shown);
    expect(safeBlock(text)).toBe(shown);
  });

  test("a line has one line, a block keeps its own", () => {
    expect(safeLine("a\n\tb")).toBe("a\\n\\tb");
    expect(safeBlock("a\n\tb")).toBe("a\n\tb");
  });

  test("words, accents and emoji stay", () => {
    expect(safeLine("größer 技能 👍🏽")).toBe("größer 技能 👍🏽");
  });
});

test("JSON for a terminal: nothing raw, and it still means the same", () => {
  const value = { "a\u009b": "b\u202e\u{e0041}\u001b", c: "größer 👍🏽" };
  const shown = safeJson(value);
  expect(shown).not.toMatch(/[\p{Cc}\u202e\u{e0041}]/u);
  expect(JSON.parse(shown)).toEqual(value);
  expect(shown).toContain("größer 👍🏽");
});

test("thousands are apart", () => {
  expect([0, 999, 1000, 12_345, 1_234_567].map(grouped)).toEqual([
    "0",
    "999",
    "1,000",
    "12,345",
    "1,234,567",
  ]);
});

test("cut keeps to the length and never splits a character", () => {
  expect(cut("abcdef", 6)).toBe("abcdef");
  expect(cut("abcdefg", 6)).toBe("abcde…");
  expect(cut("ab👍cd", 4)).toBe("ab…");
});

test("count", () => {
  expect([count(1, "file"), count(2, "file"), count(0, "entry", "entries")]).toEqual([
    "1 file",
    "2 files",
    "0 entries",
  ]);
});

describe("text of others inside our Markdown", () => {
  test("no markup, mention, reference or HTML survives", () => {
    const hostile = "@someone closes #1 <img src=x> [a](b) `c` **d** | e";
    expect(markdownText(hostile)).toBe(
      "`@someone` closes `#1` &lt;img src=x&gt; \\[a\\](b) `c` \\*\\*d\\*\\* \\| e",
    );
  });

  test("a code span can't be closed from inside", () => {
    expect(markdownCode("a`b``c")).toBe("```a`b``c```");
    expect(markdownCode("`x")).toBe("`` `x ``");
  });

  test("a fence can't be closed from inside", () => {
    expect(markdownFence("a\n````\nb", "sh")).toBe("`````sh\na\n````\nb\n`````");
  });
});

test("JSON with comments: strings that look like comments stay", () => {
  expect(parseJsonWithComments('{"a":"http://x/*y*/", /* c */ "b":[1,2,], // d\n}')).toEqual({
    a: "http://x/*y*/",
    b: [1, 2],
  });
  expect(() => parseJsonWithComments("{a")).toThrow(SyntaxError);
});
