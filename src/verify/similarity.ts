/**
 * How much two skills say the same. Deterministic and documented in docs/verifier.md: each text is the set
 * of its words (letters and digits, in lower case, without endings and the commonest words); two texts
 * are alike as far as their sets overlap (Dice: twice the common words over all words of both).
 */
import { DUPLICATE_MIN_WORDS } from "../core/limits.ts";

export interface WordSets {
  readonly description: ReadonlySet<string>;
  readonly body: ReadonlySet<string>;
  /** The body's words as they follow each other: what is no copy by chance, however short it is. */
  readonly text: string;
}

/** Words that every text has. */
const COMMON = new Set(
  (
    "a an and are as at be been before after but by can do does don for from has have how if in into is it its more no not of on " +
    "once one only or other out over run set should so such than that the then there these they this those to up use used using " +
    "was were what when where which while will with without you your"
  ).split(" "),
);

function wordsIn(text: string): readonly string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function setOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.filter((word) => !COMMON.has(word)).map(stem));
}

/** What of a skill is compared. */
export function wordSetsOf(skill: {
  readonly description: string;
  readonly body: string;
}): WordSets {
  const words = wordsIn(skill.body);
  return {
    description: setOf(wordsIn(skill.description)),
    body: setOf(words),
    text: words.join(" "),
  };
}

/**
 * @returns 0 to 1: the mean of the descriptions' and the bodies' likeness, or that of the bodies alone where
 *   it is greater. Of bodies that have too few words to be compared only equal ones are alike, and only as far as the
 *   descriptions are
 */
export function similarity(a: WordSets, b: WordSets): number {
  if (Math.min(a.body.size, b.body.size) < DUPLICATE_MIN_WORDS)
    return a.text === b.text ? dice(a.description, b.description) : 0;
  const body = dice(a.body, b.body);
  return Math.max(body, (dice(a.description, b.description) + body) / 2);
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let common = 0;
  for (const word of small) if (large.has(word)) common += 1;
  return (2 * common) / (a.size + b.size);
}

/** The commonest endings of English words: `migrations`, `migration`; `testing`, `tested`, `test`. */
function stem(word: string): string {
  if (word.length < 5) return word;
  const plain = word.replace(/(?:ies|ing|ed|es|s)$/, "");
  return plain.length >= 3 ? plain.replace(/[ey]$/, "") : word;
}
