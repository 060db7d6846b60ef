/** What an arc teaches: the words of a skill before they are laid out. Pure. */
import {
  OFFLINE_MAX_ENTRIES,
  OFFLINE_REMARK_MAX_CHARS,
  SKILL_DESCRIPTION_MAX_CHARS,
} from "../../core/limits.ts";
import { count, cut } from "../../core/text.ts";
import type { Session } from "../../transcript/session.ts";
import { type Arc, fixTurns } from "./arc.ts";
import { harmless, harmlessCommand, speaksToNobody } from "./foreign-words.ts";
import {
  checkEntry,
  type Entry,
  fixEntries,
  lookEntry,
  moreFixesEntry,
  pitfallEntry,
  whenToUse,
} from "./lesson-entries.ts";
import { lessonName, mainFile } from "./lesson-name.ts";
import { withoutMachinePaths } from "./project-path.ts";
import { code, plain, quotedLine } from "./quote.ts";
import { fixRemarks, gistOf } from "./remark.ts";
import { type Signature, useWhen } from "./signature.ts";
import { citing, codeOf, commandOf, lineOf, type Voice } from "./voice.ts";

export interface Lesson {
  /** The same for the same check and the same fixed file: several lessons may ask for one name. */
  readonly name: string;
  /** Tells lessons of one name apart. */
  readonly signature: Signature;
  /** The fixed file as it is quoted: a skill about this lesson names it. */
  readonly file: string;
  readonly title: string;
  readonly description: string;
  readonly whenToUse: readonly Entry[];
  readonly steps: readonly Entry[];
  /** Those of the steps that hold a change: the one of the fixed file among them. */
  readonly fixes: readonly Entry[];
  readonly pitfalls: readonly Entry[];
  readonly checks: readonly Entry[];
  /** `t7–t18`. */
  readonly turns: string;
  readonly why: string;
}

/**
 * What the fix was, in the session's words: those said with the changes of the lesson's file, else
 * of the first other file with which something was said. null for none.
 */
function gist({ session }: Voice, arc: Arc, file: string): string | null {
  for (const path of new Set([file, ...arc.fix.map((hunk) => hunk.path)])) {
    const [first, ...others] = fixTurns(arc, path).flatMap(
      (turn) => gistOf(fixRemarks(session, turn)) ?? [],
    );
    if (first === undefined) continue;
    const words = others.reduce((all, next) => {
      const both = `${all}; ${next}`;
      return all.includes(next) || both.length > OFFLINE_REMARK_MAX_CHARS ? all : both;
    }, first);
    return withoutMachinePaths(words, session.cwd);
  }
  return null;
}

function titleOf(voice: Voice, { red }: Arc, file: string, words: string | null): string {
  const item = harmless(red.failure.item);
  const at = item === null ? "" : ` at ${codeOf(voice, item)}`;
  const what = words === null ? `the change of ${code(file)} that solved it` : plain(words);
  const shown = { ...red, command: { ...red.command, text: harmlessCommand(red.command.text) } };
  return `${commandOf(voice, shown)} fails${at}: ${what}`;
}

/** What it says, then when to use it; the second is never cut, since a lesson is recognised by it. */
function describe(voice: Voice, arc: Arc, signature: Signature, words: string | null): string {
  const { red, failedAttempts, verifiedBy } = arc;
  const file = signature.file;
  const tried = [...new Set(failedAttempts.map((attempt) => lineOf(voice, attempt.path)))]
    .filter((path) => path !== file && speaksToNobody(path))
    .slice(0, 2);
  const not =
    tried.length === 0 ? "" : ` A change of ${tried.join(" and ")} was tried and given up.`;
  const checks = count(verifiedBy.length, "command");
  const what =
    words === null
      ? `Shows the change of ${file} that solved it and ${checks} to check it.`
      : `Solved in ${file}: ${lineOf(voice, words)}. Has ${checks} to check it.`;
  const when = useWhen(lineOf(voice, harmlessCommand(red.command.text)), signature);
  return `${cut(what + not, SKILL_DESCRIPTION_MAX_CHARS - when.length - 1)} ${when}`;
}

function whyLearned(arc: Arc, file: string): string {
  const { red, green, failedAttempts } = arc;
  const back = failedAttempts.find((attempt) => attempt.takenBackIn !== null);
  const tried =
    back === undefined
      ? ""
      : ` Before, a change of ${quotedLine(back.path)} was tried (${back.triedIn}) and taken back (${back.takenBackIn}).`;
  return (
    `${quotedLine(red.command.text)} failed in ${red.turn} and succeeded in ${green.turn}, ` +
    `after ${quotedLine(file)} was changed in ${fixTurns(arc, file).join(", ")}.${tried}`
  );
}

/**
 * @param session the redacted session in which the arc was found
 * @param of how the session is named beside its turns; null for a skill of this session alone
 * @returns null when neither command nor file leaves anything to name the skill by
 */
export function lessonOf(session: Session, arc: Arc, of: string | null): Lesson | null {
  const file = mainFile(arc.fix);
  const name = file === undefined ? null : lessonName(arc.red, file);
  if (file === undefined || name === null) return null;
  // The description names the file: one that is called like an order teaches nothing.
  if (/\s/.test(file) && !speaksToNobody(file)) return null;
  const voice: Voice = { session, of, said: new Set() };
  const { red, green, failedAttempts, verifiedBy } = arc;
  const { item, line } = red.failure;
  const signature = {
    file: lineOf(voice, file),
    item: item === null ? null : lineOf(voice, item),
    error: lineOf(voice, line),
  };
  const words = gist(voice, arc, file);
  const looks = lookEntry(voice, arc);
  const fixes = fixEntries(voice, arc, file);
  const more = moreFixesEntry(voice, arc, file);
  const rerun = `Run ${commandOf(voice, red)} again: it succeeds (${citing(voice)(green.turn)}).`;
  return {
    name,
    signature,
    file: code(file),
    title: titleOf(voice, arc, file, words),
    description: describe(voice, arc, signature, words),
    whenToUse: whenToUse(voice, arc),
    steps: [...looks, ...fixes, ...more, { lines: [rerun], says: rerun }],
    fixes,
    pitfalls: failedAttempts
      .slice(0, OFFLINE_MAX_ENTRIES)
      .map((attempt) => pitfallEntry(voice, attempt, arc)),
    checks: verifiedBy.slice(0, OFFLINE_MAX_ENTRIES).map((each) => checkEntry(voice, each)),
    turns: `${red.turn}–${verifiedBy.at(-1)?.run.turn ?? green.turn}`,
    why: whyLearned(arc, file),
  };
}
