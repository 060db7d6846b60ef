/** Searching documents for kinds of attacks: patterns over levelled text, in the voice of an order. */
import type { Finding } from "../finding.ts";
import { type ContentDocument, expectPatterns, type Passage } from "./content-document.ts";
import type { ContentDetail } from "./content-rule.ts";
import { matchesOf, placeInFile } from "./match.ts";
import { isDisclaimed } from "./voice.ts";

export interface Attack {
  /** Over lower-case levelled text; global. Repetitions are bounded, so that the search stays linear. */
  readonly pattern: RegExp;
  /**
   * One of these stands in every match: passages without any are passed by. Not needed where the pattern itself says
   * so (required-texts.ts), but it is read only once it was tried often.
   */
  readonly needles?: readonly string[];
  readonly says: string;
  /** What to do; absent: what the rule says. */
  readonly hint?: string;
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

/**
 * Finds the attacks of a rule. No generator: most documents have none, and there it costs more than the search.
 * @param hint of attacks that have none of their own
 */
export function attackFinder(
  attacks: readonly Attack[],
  hint: string,
): (document: ContentDocument) => ContentDetail[] {
  const group = expectPatterns(attacks);
  const known = attacks.map((attack) => ({ hint, ...attack }));
  return (document) => {
    const found: ContentDetail[] = [];
    if (!document.mayHold(group)) return found;
    for (const attack of known) {
      for (const passage of document.passagesFor(attack.pattern, attack.needles)) {
        if (attack.isProse && passage.block.kind === "code") continue;
        addMatches(attack, passage, found);
      }
    }
    return found;
  };
}

function addMatches(
  attack: Attack & Pick<ContentDetail, "hint">,
  passage: Passage,
  found: ContentDetail[],
): void {
  for (const match of matchesOf(attack.pattern, passage.normal.lower)) {
    const [start, end] = [match.index, match.index + match[0].length];
    const verdict = attack.judge?.(match, passage) ?? true;
    if (verdict === false || isDisclaimed(passage, start, end)) continue;
    const level = verdict === true ? attack.level : verdict;
    found.push({
      ...placeInFile(passage, start, end),
      says: attack.says,
      hint: attack.hint,
      ...(level ? { level } : {}),
    });
  }
}
