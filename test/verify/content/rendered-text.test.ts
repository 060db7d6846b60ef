import { describe, expect, it } from "vitest";
import { renderedText } from "../../../src/verify/content/rendered-text.ts";

describe("rendered text", () => {
  it.each([
    ["I&#103;n&#x6F;re &quot;it&quot;", 'Ignore "it"'],
    ["a&nbsp;b&#9;c<br>d", "a b c d"],
    ["ig<b></b>n<EM>o</EM>re", "ignore"],
    ["ig&shy;no&ZeroWidthSpace;re", "ignore"],
    ["&iopf;&gfr;nore", "ignore"],
  ])("reads %s", (source, text) => {
    expect(renderedText(source)?.text).toBe(text);
  });

  it.each([
    "a < b && c",
    "R&D; x&y",
    "&lt;b&gt; &amp; &copy;",
    '<b title="x">',
    "&#60;b&#62; &#96;",
  ])("leaves %s as it is written", (source) => {
    expect(renderedText(source)).toBeNull();
  });

  it.each(["&#0;", "&#xd800;", "&#x110000;", "&#99999999;"])(
    "takes %s for no character",
    (source) => {
      expect(renderedText(source)).toBeNull();
    },
  );

  it("says where each of its places stands in the source", () => {
    const source = "I&#103;<b></b>nore&nbsp;it&#x21;";
    const rendered = renderedText(source);
    expect(rendered?.text).toBe("Ignore it!");
    const places = [...(rendered?.text ?? "")].map((_, at) => rendered?.toSource(at));
    expect(places).toEqual([0, 1, 14, 15, 16, 17, 18, 24, 25, 26]);
  });
});
