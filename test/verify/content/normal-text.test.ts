import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalText } from "../../../src/verify/content/normal-text.ts";

describe("normalText", () => {
  it("reads ASCII in one go as it reads it letter by letter", () => {
    const piece = fc.constantFrom(
      ..."a|B|word|*|**|_|__|\\|\\\\|\n|\n\n| |  |\t|\r|`|\\*|\\\n|#|>|-|\f".split("|"),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    const kind = fc.constantFrom("prose" as const, "code" as const);
    fc.assert(
      fc.property(text, kind, (source, of) => {
        const quick = normalText(`  ${source}`, of, true);
        const slow = normalText(`  ${source}`, of, false);
        expect([quick.text, quick.lower]).toEqual([slow.text, slow.lower]);
        for (let at = 0; at <= quick.text.length; at += 1) {
          expect(quick.toSource(at)).toBe(slow.toSource(at));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
