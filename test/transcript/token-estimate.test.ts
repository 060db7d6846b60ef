import { describe, expect, test } from "vitest";
import { tokensAtMost, tokenWeight } from "../../src/transcript/render/token-estimate.ts";
import { TEXTS } from "./token-texts.ts";

/** What they cost, measured: the larger of o200k_base's and cl100k_base's count. */
const MEASURED: Readonly<Record<string, number>> = {
  "Latin-1": 2601,
  "Latin Extended": 3794,
  IPA: 3961,
  "combining marks": 3974,
  Greek: 4000,
  Cyrillic: 3557,
  Armenian: 4000,
  Hebrew: 4000,
  Arabic: 3685,
  Syriac: 4000,
  Devanagari: 3514,
  Bengali: 3898,
  Gujarati: 4000,
  Oriya: 6000,
  Tamil: 3886,
  Malayalam: 4000,
  Sinhala: 4000,
  Thai: 2854,
  Lao: 4000,
  Tibetan: 4985,
  Burmese: 4253,
  Georgian: 4000,
  Amharic: 5969,
  Cherokee: 6000,
  Khmer: 3949,
  Mongolian: 5979,
  "Greek Extended": 6000,
  arrows: 5086,
  "mathematical signs": 5011,
  "mixed symbols": 4874,
  "box drawing": 3886,
  Braille: 5957,
  kana: 2992,
  "all ideographs": 4738,
  "rare ideographs": 5969,
  Yi: 5971,
  "all Hangul": 5157,
  "full width": 3485,
  emoji: 5662,
  cuneiform: 7968,
  "lower-case letters": 1090,
  "upper-case letters": 1201,
  "letters of both cases": 1325,
  "short random words": 1001,
  "base64-like": 1432,
  hexadecimal: 1165,
  digits: 667,
  punctuation: 1324,
  "punctuation among letters": 1372,
  "all of ASCII": 1507,
  "blanks of all kinds": 648,
  "control characters": 2000,
  'repeated "a "': 401,
  'repeated "a\\n"': 800,
  'repeated "x=1;"': 1201,
  'repeated "I, "': 801,
  'repeated "1 "': 800,
  'repeated " (a"': 800,
  'repeated "  a"': 800,
  'repeated "a1"': 800,
  'repeated "\\\\n"': 400,
  'repeated "\\\\u00e9"': 1600,
  'repeated "\\",\\"a"': 800,
  'repeated "— "': 401,
  'repeated "👩‍👩‍👧 "': 4802,
  English: 401,
  German: 541,
  Finnish: 721,
  Welsh: 661,
  Swahili: 601,
  Vietnamese: 701,
  Russian: 481,
  "modern Greek": 1481,
  "modern Hebrew": 1181,
  "modern Arabic": 821,
  Hindi: 1081,
  Chinese: 300,
  Japanese: 560,
  Korean: 441,
  TypeScript: 620,
  JSON: 740,
};

describe("the estimate of tokens", () => {
  test.each(TEXTS)("is no less than what tokenizers need: %s", (name, text) => {
    expect(tokensAtMost(text)).toBeGreaterThanOrEqual(MEASURED[name] ?? Infinity);
  });

  test("takes ordinary prose and code for less than twice and a bit of what they cost", () => {
    for (const name of ["English", "German", "TypeScript", "JSON"]) {
      const text = TEXTS.find(([each]) => each === name)?.[1] ?? "";
      expect(tokensAtMost(text), name).toBeLessThan(2.2 * (MEASURED[name] ?? 0));
    }
  });

  test("of the parts of a text is that of the text, or a little more", () => {
    for (const [name, text] of TEXTS) {
      const middle = text.length >> 1;
      const parts = tokenWeight(text.slice(0, middle)) + tokenWeight(text.slice(middle));
      expect(parts, name).toBeGreaterThanOrEqual(tokenWeight(text) - 1.5);
      expect(parts, name).toBeLessThanOrEqual(tokenWeight(text) + 2);
    }
  });
});
