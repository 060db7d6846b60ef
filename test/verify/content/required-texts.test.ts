import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PatternIndex } from "../../../src/verify/content/pattern-index.ts";
import { requiredTexts } from "../../../src/verify/content/required-texts.ts";

const GAP = "(?:[^a-z0-9_.;!?]|\\.(?=\\w)){1,4}";
const PATTERNS = [
  `\\b(?:add|invite|grant)(?:s|ing)?(?:${GAP}[a-z0-9_]{1,30}){0,3}${GAP}(?:collaborators?|owners?)\\b`,
  "\\b(?:send|e-?mail|back ?up)\\b[^.;!?\\n]{3,120}|\\bhttps?:\\/\\/[^\\s]{4,200}",
  "\\bgit (?:remote|push) (?:--mirror |--all )?[\"']?https?",
  "(?:^|(?<=[([]))(?:todo|fixme)\\b(?=\\s*(?:[:\\])—–-]|$))|\\b(?:todo|fixme):",
  "(?:\\\\x[0-9a-f]{2}){2,}|chr\\(\\d{2}\\)",
  "curl(?: -[a-z]{1,4}){0,3}(?! https)[ =](?:abc){2}\\.{3}x",
  "(?<name>sudo|doas) rm -(?:r|f){1,2}[ -]",
];
/** What the patterns are made of, so that some of the texts match. */
const PIECE = fc.constantFrom(
  ..."add|invites|granting|collaborator|owner|the| |, |.|send|e-mail|back up|https://|http|git remote|git push|--mirror|'|todo|todo:|fixme|[|:|\\x41|\\x0a|chr(10)|curl| -x|=abcabc...x|sudo|doas| rm -r|rm -rf|-|x|to the end of it|\n".split(
    "|",
  ),
);
const TEXT = fc.array(PIECE, { maxLength: 8 }).map((pieces) => pieces.join(""));

describe("requiredTexts", () => {
  it.each([
    ["\\b(?:add|invite)s?\\b", [["add", "invite"]]],
    ["delet(?:e|ing) [a-z]+ backups?", [["delete ", "deleting "], [" backup"]]],
    ["--acl[= ]public", [["--acl public", "--acl=public"]]],
    ["(?:one|t.o) three", [[" three"]]],
    ["(?:abc|[a-z]+)", []],
    ["(?:abc)?def", [["abcdef", "def"]]],
    ["(?!never)a.b", []],
    ["[\\w-]{3}", []],
    ["(?:abc){2,3}\\d", [["abc"]]],
  ])("reads %s", (source, clauses) => {
    expect(requiredTexts(new RegExp(source))).toEqual(clauses);
  });

  it("says nothing where letters may stand for others", () => {
    expect(requiredTexts(/abc/iu)).toEqual([]);
    expect(requiredTexts(/ABC/i)).toEqual([["abc"]]);
  });

  it("holds for every text that a pattern matches", () => {
    let matches = 0;
    fc.assert(
      fc.property(TEXT, fc.constantFrom(...PATTERNS), (text, source) => {
        const pattern = new RegExp(source, "m");
        if (!pattern.test(text)) return;
        matches += 1;
        for (const clause of requiredTexts(pattern)) {
          expect(clause.some((each) => text.includes(each))).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
    expect(matches).toBeGreaterThan(20);
  });
});

describe("PatternIndex", () => {
  it("misses no pattern that matches, before and after it has read the patterns", () => {
    const patterns = PATTERNS.map((source) => new RegExp(source, "m"));
    const index = new PatternIndex();
    const ids = patterns.map((pattern) => index.idOf(pattern));
    const holds = fc.property(TEXT, (text) => {
      const found = new Set(index.candidates(text));
      for (const [at, pattern] of patterns.entries()) {
        if (pattern.test(text)) expect(found).toContain(ids[at]);
      }
    });
    fc.assert(holds, { numRuns: 1000 });
    // Of that one nothing long enough to be looked for is known.
    expect(index.candidates("nothing of all that stands here")).toEqual([ids[4]]);
  });

  it("takes the needles that it is given, also short ones", () => {
    const index = new PatternIndex();
    const [at, word] = [index.idOf(/@\w/, ["@"]), index.idOf(/\w+x/, ["fix", "mixer"])];
    expect(index.candidates("robin@example")).toEqual([at]);
    expect(index.candidates("a fix")).toEqual([word]);
    expect(index.candidates("mixer")).toEqual([word]);
    expect(index.candidates("mix fi x")).toEqual([]);
  });
});
