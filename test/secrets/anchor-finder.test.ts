import { expect, it } from "vitest";
import { ANCHOR_SCAN_CHARS } from "../../src/core/limits.ts";
import { anchorFinder } from "../../src/secrets/anchor-finder.ts";
import { anchorTables } from "../../src/secrets/anchor-tables.ts";

const GROUPS = [{ words: ["token", "key"], ignoreCase: true }, { words: ["://", "eyJ", "AKIA"] }];
const find = anchorFinder(anchorTables(GROUPS), { words: ["own-value"] });

/** What a plain search gives, a list for each group. */
function searched(text: string): number[][] {
  return [...GROUPS, { words: ["own-value"] }].map(({ words, ignoreCase = false }) =>
    words
      .flatMap((word) => {
        const inText = ignoreCase ? text.toLowerCase() : text;
        const places: number[] = [];
        for (let at = inText.indexOf(word); at !== -1; at = inText.indexOf(word, at + 1))
          places.push(at);
        return places;
      })
      .sort((a, b) => a - b),
  );
}

function found(text: string): number[][] | null {
  return find(text)?.map((places) => [...places].sort((a, b) => a - b)) ?? null;
}

it("finds every anchor at even and odd places, at both ends, and across the blocks that it reads", () => {
  for (const word of ["token", "ToKEN", "KEY", "://", "eyJ", "AKIA", "own-value"]) {
    for (const before of [0, 1, 2, 3]) {
      const text = `${"x".repeat(before)}${word}`;
      expect(found(text), text).toEqual(searched(text));
      expect(found(`${text}y${text}`), text).toEqual(searched(`${text}y${text}`));
    }
    for (let at = ANCHOR_SCAN_CHARS - 20; at < ANCHOR_SCAN_CHARS + 4; at += 1) {
      const text = `${" ".repeat(at)}${word} and ${word}`;
      expect(found(text), `${word} at ${at}`).toEqual(searched(text));
    }
  }
});

it("minds the case where it should, and takes no other letter for a Latin one", () => {
  expect(found("akia EYJ Own-value")).toBeNull();
  // Their low bytes are those of `key` and `token`.
  const alike = (word: string) =>
    [...word].map((c) => String.fromCharCode(c.charCodeAt(0) + 0x100)).join("");
  expect(found(`${alike("key")} ${alike("token")}`)).toBeNull();
  expect(found(`\u{1f600} ${alike("key")} key`)).toEqual([[7], [], []]);
});

it("forgets the places of the text before", () => {
  expect(found("a token")).toEqual([[2], [], []]);
  expect(found("nothing")).toBeNull();
  expect(found("a key")).toEqual([[2], [], []]);
});
