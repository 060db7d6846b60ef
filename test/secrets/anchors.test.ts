import fc from "fast-check";
import { expect, it } from "vitest";
import { anchorSearch } from "../../src/secrets/anchors.ts";

const LISTS = {
  names: ["key", "token", "_pass"],
  addresses: ["://", "?key=", "&key="],
  prefixes: ["sk-", "ghp_", "key-", "hooks.example.com/"],
};
const search = anchorSearch(LISTS);

/** Every word at every place, one by one. */
function expected(text: string): Record<string, number[]> {
  const small = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const places = (words: string[]) =>
    [...small].flatMap((_, at) => words.filter((word) => small.startsWith(word, at)).map(() => at));
  return Object.fromEntries(Object.entries(LISTS).map(([list, words]) => [list, places(words)]));
}

it("finds every word, at even and at odd places, in order, whatever its case", () => {
  const piece = fc.constantFrom(
    ...Object.values(LISTS).flat(),
    "K",
    "e",
    "Token",
    "_",
    " ",
    "\r",
    "GHP_",
    "?",
    "-",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      expect(search(text)).toEqual(expected(text));
    }),
    { numRuns: 2000, seed: 7 },
  );
});

it.each(["CACHE_KEY=a", "", "k", "ke", "https:/", ":///", "x?keys="])(
  "takes nothing else for a word: %j",
  (text) => {
    expect(search(text)).toEqual(expected(text));
  },
);

it("forgets what stood there before when the next text is shorter", () => {
  expect(search("a token and a token").names).toEqual([2, 14]);
  expect(search("a tok").names).toEqual([]);
});
