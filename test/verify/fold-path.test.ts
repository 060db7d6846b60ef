import fc from "fast-check";
import { expect, test } from "vitest";
import { foldPath } from "../../src/verify/context.ts";

const ascii = fc.string({ unit: "binary-ascii" });

test("ASCII folds alike whether it stands alone or beside a letter that takes the long way", () => {
  fc.assert(
    fc.property(ascii, (path) => {
      expect(foldPath(`${path}é`)).toBe(`${foldPath(path)}é`);
    }),
  );
});

test.each([
  ["a letter of another case", "Release", "release"],
  ["another composition", "e\u0301", "\u00e9"],
  ["a sign that is a letter", "\u212a", "k"],
  ["a long s", "\u017f", "s"],
  ["a ligature of the small case", "straße", "STRASSE"],
  ["a character that file systems leave out", "a\u200cb", "ab"],
])("%s is the same path", (_, one, other) => {
  expect(foldPath(one)).toBe(foldPath(other));
});
