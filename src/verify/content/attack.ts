/** Searching documents for kinds of attacks: patterns over levelled text, in the voice of an order. */
import type { Finding } from "../finding.ts";
import type { ContentDocument, Passage } from "./content-document.ts";
import type { ContentDetail } from "./content-rule.ts";
import { mayHold, type Needle, needleOf } from "./grams.ts";
import { matchesOf, placeInFile } from "./match.ts";
import { isDisclaimed } from "./voice.ts";

export interface Attack {
  /** Over lower-case levelled text; global. Repetitions are bounded, so that the search stays linear. */
  readonly pattern: RegExp;
  /** One of these stands in every match: passages without any are passed by. */
  readonly needles: readonly string[];
  readonly says: string;
  readonly hint: string;
  readonly level?: Finding["level"];
  /** Looks at what the pattern can't say; false drops the match, a level replaces the attack's. */
  readonly judge?: (match: RegExpExecArray, passage: Passage) => boolean | Finding["level"];
  /** The words are an attack only as such: a code block or code span with them is not looked at. */
  readonly isProse?: boolean;
}

/** Between two words of one sentence. */
const GAP = "(?:[^a-z0-9_.;!?]|\\.(?=\\w)){1,4}";

/** At most so many words between two others, with what stands around them. */
export function upTo(words: number): string {
  return `(?:${GAP}[a-z0-9_]{1,30}){0,${words}}${GAP}`;
}

/** A pattern of its parts, each bounded. */
export function pattern(...parts: readonly string[]): RegExp {
  return new RegExp(parts.join(""), "g");
}

/** The attacks of a rule; what tells quickly that a passage holds none of them is worked out once. */
export function attackFinder(
  attacks: readonly Attack[],
): (document: ContentDocument) => Iterable<ContentDetail> {
  const known = attacks.map((attack) => ({ attack, needles: attack.needles.map(needleOf) }));
  return function* find({ passages }) {
    for (const passage of passages) {
      for (const { attack, needles } of known) {
        if (attack.isProse && passage.block.kind === "code") continue;
        if (holdsAny(passage, needles)) yield* matches(attack, passage);
      }
    }
  };
}

function holdsAny({ grams, normal }: Passage, needles: readonly Needle[]): boolean {
  // Most passages hold none of most needles: this loop is where the time goes.
  for (let at = 0; at < needles.length; at += 1) {
    const needle = needles[at] as Needle;
    if (mayHold(grams, needle) && normal.lower.includes(needle.text)) return true;
  }
  return false;
}

function* matches(attack: Attack, passage: Passage): Iterable<ContentDetail> {
  for (const match of matchesOf(attack.pattern, passage.normal.lower)) {
    const [start, end] = [match.index, match.index + match[0].length];
    const verdict = attack.judge?.(match, passage) ?? true;
    if (verdict === false || isDisclaimed(passage, start, end)) continue;
    const level = verdict === true ? attack.level : verdict;
    yield {
      ...placeInFile(passage, start, end),
      says: attack.says,
      hint: attack.hint,
      ...(level ? { level } : {}),
    };
  }
}
