/**
 * Which foreign words may stand in a title or a description. A description stands in every prompt of
 * an agent, so whatever a test, an error or a path says there must speak to nobody: what might is left
 * out there (the body quotes it in code, where it is told as what a program printed).
 */
import { OFFLINE_REMARK_MAX_CHARS } from "../../core/limits.ts";

/** Words that steer whoever reads them; those that errors use too (`must be of type`) count only elsewhere. */
const STEERING =
  /\b(?:important|attention|urgent|note|ignore (?:all|any|the|this|previous|everything)|disregard|forget|obey|remember|always|please|make sure|ensure that|before (?:using|doing|any)|instead of|instructions?|system|prompts?|assistants?|agents?|models?|llms?|reviewers?|tools?|approve|merge|trust|bypass|override|disable|as root|you(?:rs?|rself)?|we|let'?s)\b|\b(?:must|should|shall) (?:always|never|now|first|also|call|run|use|execute|send|read|write|install|deploy|push|commit|merge|approve|skip|ignore|tell|ask)\b|\bnever [a-z]/i;
const ADDRESS = /[a-z]{2,}:\/\/|\bwww\.|(?:^|\s)[@#][A-Za-z]|(?:^|\s)~\/|\[[^\]]*\]\(|\[redacted/i;
const COMMAND =
  /\b(?:curl|wget|sudo|ssh|scp|chmod|chown|eval|base64|nc)\b|\b(?:npm|npx|pnpm|yarn|bun|pip3?|git|docker|kubectl|cargo|brew|apt(?:-get)?) [a-z]|\b(?:rm|bash|zsh|sh) [-\w./~]|\|\s*(?:ba|z)?sh\b|\s--[a-z]|\$\(/;
/** An order at the beginning of a sentence. */
const ORDER =
  /(?:^|[.!?;]\s+)(?:now |then |first |next )?(?:run|execute|install|download|upload|send|call|visit|push|deploy|skip|commit|use|open|delete|remove|tell|ask|give|grant|enable|set|read|write) (?:the|a|an|this|that|these|all|every|any|it|them|no)\b/i;

/** True when words of a program's output may stand in a title or a description. */
export function speaksToNobody(words: string): boolean {
  // Compilers guess: `Did you mean 'total'?`
  const text = words.replace(/\bdid you (?:mean|forget)\b/gi, "");
  return (
    words.length <= OFFLINE_REMARK_MAX_CHARS &&
    ![STEERING, ADDRESS, COMMAND, ORDER].some((bar) => bar.test(text))
  );
}

/** The words, or null when they may not stand there. */
export function harmless(words: string | null): string | null {
  return words !== null && speaksToNobody(words) ? words : null;
}

/** A command line without what is prose in it: its first plain words, when one of its arguments may steer. */
export function harmlessCommand(line: string): string {
  const isProse = /(?:[A-Za-z,.:!']+\s+){3}[A-Za-z]/.test(line);
  if (!isProse || (!STEERING.test(line) && !ADDRESS.test(line) && !ORDER.test(line))) return line;
  return /^[\w@./:=-]+(?: [\w@./:=-]+)?/.exec(line)?.[0] ?? "the check";
}
