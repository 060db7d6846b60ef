import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodedRuns } from "../../src/secrets/encoded-runs.ts";

const PLAIN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}/g;

describe("encodedRuns", () => {
  it("finds what a search at every place finds", () => {
    const piece = fc.oneof(
      fc.constantFrom("=", "==", " ", "\n", ".", "é", "+/", "-_"),
      fc.integer({ min: 1, max: 30 }).map((length) => "aZ9/".repeat(8).slice(0, length)),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    let runs = 0;
    fc.assert(
      fc.property(text, (source) => {
        const expected = Array.from(source.matchAll(PLAIN), ({ index, 0: run }) => {
          return { index, text: run };
        });
        runs += expected.length;
        expect([...encodedRuns(source)]).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
    expect(runs).toBeGreaterThan(50);
  });
});
