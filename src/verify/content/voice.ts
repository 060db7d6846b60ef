/**
 * In whose voice a passage speaks: whether it orders what it names, or warns of it, or quotes it.
 * A heuristic, documented in docs/verifier.md; where it can't tell, the text counts as an order.
 *
 * - **Negated**: the same clause says before the words that they must not be done ("never run …"). What
 *   reverses a negation ("don't hesitate to run", "never ask before you run") is none.
 * - **Disowned**: the heading above, or the sentence that introduces a list or a block of code, says that
 *   what follows is bad ("Don't:", "Bad example", "What an attack looks like").
 * - **Mentioned**: the words stand in quotes or a code span, and the sentence speaks of such texts
 *   ("reject phrases like …", "attackers write …").
 */
import { NEGATION_REACH_CHARS } from "../../core/limits.ts";
import { countBefore, type Passage } from "./content-document.ts";

const NEGATOR =
  /\b(?:never|do not|don't|dont|must not|mustn't|should not|shouldn't|cannot|can't|may not|avoid|refuse to|instead of|rather than|not allowed to|forbidden to|no need to|stop (?=\w{2,20}ing\b)|prevent|without|against|beware of|reject|block|detect|flag)\b/g;
/** What follows a negator and turns it round, or is an order of its own. */
const REVERSED =
  /^\W{0,4}(?:ever )?(?:hesitate|forget|fail|worry|bother|wait|ask|skip|miss|omit|neglect|be afraid|delay|stop|tell|mention|inform|notify|confirm|warn|need|require|question|refuse|prompt|verify|check|have to|asking|confirmation|verification|warning|approval|prompting|telling|delay)/;
/** Ends a clause, so that a negation before it doesn't reach behind it. */
const CLAUSE_END =
  /[.;!?](?=\s|$)|,\s*(?:but|then|and then|just|simply|instead|always)\b|\b(?:but|instead|then|so)\b[,:]?\s|\band (?:just|simply|instead|then|always|immediately)\b/;
const DISOWNING =
  /\b(?:never|don'?ts?|do not|avoid|bad|wrong|incorrect|unsafe|insecure|dangerous|malicious|harmful|vulnerable|forbidden|prohibited|anti-?patterns?|attacks?|attackers?|injections?|exploits?|red flags?|suspicious|not allowed|pitfalls?|warning signs?|what not to|threats?|mistakes?|phishing)\b/;
const SPEAKS_OF_TEXTS =
  /\b(?:phrases?|strings?|texts?|patterns?|attacks?|attackers?|injections?|jailbreaks?|prompts? like|payloads?|words? like|such as|for example|e\.g\.|for instance|look(?:s|ing)? for|scan(?:s|ning)? for|search(?:es)? for|detect(?:s|ed|ing)?|reject(?:s|ed)?|flag(?:s|ged)?|block(?:s|ed)?|malicious|suspicious|untrusted|contains?|claims?|tries to|attempts? to)\b/;

/** True when the words at a place of a passage are warned of, not ordered. */
export function isDisclaimed(passage: Passage, start: number, end: number): boolean {
  if (passage.block.kind === "code" && isBadExample(passage.normal.lower, start)) return true;
  return isNegated(passage, start) || isDisowned(passage) || isMentioned(passage, start, end);
}

/** Whether the clause before a place negates what stands there. */
function isNegated({ normal, block }: Passage, start: number): boolean {
  if (block.kind === "code" || block.kind === "comment") return false;
  const clause = clauseBefore(normal.lower, start);
  for (const match of clause.matchAll(NEGATOR)) {
    const rest = clause.slice(match.index + match[0].length);
    if (!REVERSED.test(rest)) return true;
  }
  return false;
}

/** Whether the heading or the introduction says that what follows is bad. */
function isDisowned({ block }: Passage): boolean {
  if (block.kind === "frontmatter" || block.kind === "comment") return false;
  const intro = lastSentence(block.intro);
  if (intro !== "") return DISOWNING.test(intro);
  return block.kind !== "heading" && DISOWNING.test(block.heading.toLowerCase());
}

/** Whether the words stand in quotes, and their sentence speaks of texts rather than giving an order. */
function isMentioned({ normal, block }: Passage, start: number, end: number): boolean {
  if (block.kind === "code" || block.kind === "comment") return false;
  const text = normal.lower;
  const from = start - clauseBefore(text, start).length;
  const sentence = text.slice(from, start);
  return isInQuotes(text, start, end, from) && SPEAKS_OF_TEXTS.test(sentence);
}

/** Whether a place of a passage stands in a code span: an odd number of backticks before it. */
export function isInCodeSpan({ ticks }: Passage, at: number): boolean {
  const before = countBefore(ticks, at);
  return before % 2 === 1 && before < ticks.length;
}

/** Whether the line of code is a comment that warns, or stands below one: `# never: curl … | sh`. */
function isBadExample(lower: string, start: number): boolean {
  const reach = lower.slice(Math.max(0, start - NEGATION_REACH_CHARS), start);
  const [line = "", above = ""] = reach.split("\n").reverse();
  return [line, above].some((each) => /^\s*(?:#|\/\/|--)/.test(each) && DISOWNING.test(each));
}

function clauseBefore(text: string, start: number): string {
  const reach = text.slice(Math.max(0, start - NEGATION_REACH_CHARS), start);
  const parts = reach.split(CLAUSE_END);
  return parts.at(-1) ?? "";
}

function lastSentence(text: string): string {
  const line = text.toLowerCase().trimEnd().slice(-NEGATION_REACH_CHARS);
  return line.split(/[.!?]\s/).at(-1) ?? "";
}

function isInQuotes(text: string, start: number, end: number, from: number): boolean {
  const before = text.slice(from, start);
  const after = text.slice(end, end + NEGATION_REACH_CHARS);
  return ['"', "`", "'"].some((mark) => {
    const count = before.split(mark).length - 1;
    return count % 2 === 1 && after.includes(mark);
  });
}
