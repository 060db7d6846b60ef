/** What an arc teaches, as the entries of a skill. Pure; every quoted word goes through quote.ts. */
import { OFFLINE_MAX_ENTRIES, SKILL_DESCRIPTION_MAX_CHARS } from "../../core/limits.ts";
import { count, cut } from "../../core/text.ts";
import type { Session } from "../../transcript/session.ts";
import type { Arc, FailedAttempt, RedRun, Verification } from "./arc.ts";
import { lessonName, mainFile } from "./lesson-name.ts";
import type { Hunk, NetHunk } from "./net-change.ts";
import { withoutMachinePaths } from "./project-path.ts";
import { code, fenced, plain, quotedLine } from "./quote.ts";
import { type Remark, remarkAt, remarkBetween } from "./remark.ts";
import { smallDiff } from "./small-diff.ts";
import type { CheckRun } from "./step.ts";

/** One item of a list. */
export interface Entry {
  /** Markdown, the first line without its bullet. */
  readonly lines: readonly string[];
  /** What must stand in a skill already for the entry to say nothing new; compared without spaces. */
  readonly says: string;
}

export interface Lesson {
  /** The same for the same check and the same fixed file. */
  readonly name: string;
  /** The fixed file as it is quoted: a skill about this lesson names it. */
  readonly file: string;
  readonly title: string;
  readonly description: string;
  readonly whenToUse: readonly Entry[];
  readonly steps: readonly Entry[];
  /** Those of the steps that hold a change. */
  readonly fixes: readonly Entry[];
  readonly pitfalls: readonly Entry[];
  readonly checks: readonly Entry[];
  /** `t7–t18`. */
  readonly turns: string;
  readonly why: string;
}

/** Commands that only show files, and those that reach out or change something: no step to recommend. */
const NOT_A_LOOK =
  /^\s*(?:ls|cat|pwd|head|tail|less|cd|wc|tree|git (?:status|diff|log|show|branch))\b|\b(?:curl|wget|ssh|scp|nc|gh|docker|kubectl|sudo|rm|mv|kill|pkill|chmod|chown|eval)\b|git push|>|\n/;

interface Voice {
  readonly session: Session;
  /** How a turn is cited: `t7`, or `t7 of session 1a2b3c4d`. */
  readonly cite: (turn: string) => string;
  /** Remarks that are quoted already. */
  readonly said: Set<string>;
}

function commandOf({ session }: Voice, run: CheckRun): string {
  const folder = run.command.folder === null ? "" : ` in ${code(run.command.folder)}`;
  return code(withoutMachinePaths(run.command.text, session.cwd)) + folder;
}

function quoted(voice: Voice, remark: Remark | null): string {
  if (remark === null || voice.said.has(remark.text)) return "";
  voice.said.add(remark.text);
  return ` “${plain(withoutMachinePaths(remark.text, voice.session.cwd))}”`;
}

function diffOf({ session }: Voice, hunk: Hunk): string[] {
  const lines = smallDiff(hunk).map((line) => withoutMachinePaths(line, session.cwd));
  return fenced(lines, "diff", "");
}

function whenToUse(voice: Voice, { red, reds }: Arc): Entry[] {
  const command = commandOf(voice, red);
  const clean = (text: string) => withoutMachinePaths(text, voice.session.cwd);
  const shown = new Map<string, RedRun>();
  for (const each of reds) if (!shown.has(each.failure.key)) shown.set(each.failure.key, each);
  return [...shown.values()].slice(0, OFFLINE_MAX_ENTRIES).map((each) => {
    const at = each.failure.item === null ? "" : ` at ${code(clean(each.failure.item))}`;
    const line = code(clean(each.failure.line));
    return {
      // The quotation never begins a line: one that starts with backticks would look like a fence.
      lines: [`${command} fails${at} (${voice.cite(each.turn)}).`, `The error: ${line}`],
      says: each.failure.item === null ? line : code(clean(each.failure.item)),
    };
  });
}

function lookEntry(voice: Voice, { red, looks, failedAttempts, fix }: Arc): Entry[] {
  const parts = looks.flatMap((look) => {
    if (look.kind === "look") {
      const useful = look.command !== null && !NOT_A_LOOK.test(look.command);
      return useful
        ? [
            `${code(withoutMachinePaths(look.command, voice.session.cwd))} (${voice.cite(look.turn)})`,
          ]
        : [];
    }
    if (look.verdict.color === "unclear") return [];
    const result = look.verdict.color === "green" ? "succeeds" : "fails too";
    return [`${commandOf(voice, look)} ${result} (${voice.cite(look.turn)})`];
  });
  const firstEdit = failedAttempts[0]?.triedIn ?? fix[0]?.turns[0] ?? red.turn;
  const cause = remarkBetween(voice.session, red.turn, firstEdit);
  const said = quoted(voice, cause);
  const why =
    cause === null || said === ""
      ? ""
      : ` The session's finding (${voice.cite(cause.turn)}):${said}`;
  if (parts.length === 0 && why === "") return [];
  const looked = parts.length === 0 ? "" : `: ${parts.slice(0, OFFLINE_MAX_ENTRIES).join(", ")}`;
  const text = `Find the cause before changing anything${looked}.${why}`;
  return [{ lines: [text], says: text }];
}

function fixEntries(voice: Voice, fix: readonly NetHunk[]): Entry[] {
  const byPath = new Map<string, NetHunk[]>();
  for (const hunk of fix) byPath.set(hunk.path, [...(byPath.get(hunk.path) ?? []), hunk]);
  return [...byPath].slice(0, OFFLINE_MAX_ENTRIES).map(([path, hunks]) => {
    const turns = [...new Set(hunks.flatMap((hunk) => hunk.turns))];
    const said = quoted(voice, remarkAt(voice.session, turns.at(-1) ?? ""));
    const diffs = hunks.slice(0, OFFLINE_MAX_ENTRIES).flatMap((hunk) => diffOf(voice, hunk));
    const verb = hunks.every((hunk) => hunk.creates) ? "Add" : "Change";
    return {
      lines: [`${verb} ${code(path)} (${turns.map(voice.cite).join(", ")}):${said}`, ...diffs],
      says: diffs.join("\n"),
    };
  });
}

function outcomeOf(voice: Voice, { next, takenBackIn }: FailedAttempt): string {
  const run =
    next === null
      ? ""
      : `${commandOf(voice, next)} ${next.verdict.color === "red" ? "still failed" : "succeeded"} (${voice.cite(next.turn)})`;
  const back = takenBackIn === null ? "" : `it was taken back (${voice.cite(takenBackIn)})`;
  const joint = next?.verdict.color === "green" ? ", but " : ", and ";
  return [run, back].filter((part) => part !== "").join(joint);
}

function pitfallEntry(voice: Voice, attempt: FailedAttempt): Entry {
  const { path, hunk, triedIn, next, takenBackIn } = attempt;
  const last = takenBackIn ?? next?.turn ?? triedIn;
  const remark =
    remarkBetween(voice.session, triedIn, last) ??
    (takenBackIn === null ? null : remarkAt(voice.session, takenBackIn));
  const said = quoted(voice, remark);
  const diff = diffOf(voice, hunk);
  const text = `This change of ${code(path)} is not the solution (${voice.cite(triedIn)}): ${outcomeOf(voice, attempt)}.${said}`;
  return { lines: [text, ...diff], says: diff.join("\n") };
}

function checkEntry(voice: Voice, { run, scriptAdded }: Verification): Entry {
  const command = commandOf(voice, run);
  if (scriptAdded === null)
    return { lines: [`${command} succeeds (${voice.cite(run.turn)}).`], says: command };
  const { path, turn, hunk } = scriptAdded;
  return {
    lines: [
      `${command} succeeds (${voice.cite(run.turn)}). The script was added to ${code(path)} for this (${voice.cite(turn)}):`,
      ...diffOf(voice, hunk),
    ],
    says: command,
  };
}

function describe(voice: Voice, { red, failedAttempts, verifiedBy }: Arc, file: string): string {
  const clean = (text: string) =>
    quotedLine(withoutMachinePaths(text, voice.session.cwd)).replace(/[<>]/g, " ");
  const at = red.failure.item === null ? "" : ` at "${clean(red.failure.item)}"`;
  const tried = [...new Set(failedAttempts.map((attempt) => attempt.path))].filter(
    (path) => path !== file,
  );
  const not =
    tried.length === 0
      ? ""
      : ` A change of ${tried.slice(0, 2).map(clean).join(" and ")} was tried and given up.`;
  return cut(
    `Use when \`${clean(red.command.text)}\` fails${at} with ${clean(red.failure.line)}. ` +
      `Shows the change of ${clean(file)} that solved it and ${count(verifiedBy.length, "command")} to check it.${not}`,
    SKILL_DESCRIPTION_MAX_CHARS,
  );
}

function whyLearned({ red, green, fix, failedAttempts }: Arc, file: string): string {
  const turns = [...new Set(fix.flatMap((hunk) => (hunk.path === file ? hunk.turns : [])))];
  const back = failedAttempts.find((attempt) => attempt.takenBackIn !== null);
  const tried =
    back === undefined
      ? ""
      : ` Before, a change of ${quotedLine(back.path)} was tried (${back.triedIn}) and taken back (${back.takenBackIn}).`;
  return (
    `${quotedLine(red.command.text)} failed in ${red.turn} and succeeded in ${green.turn}, ` +
    `after ${quotedLine(file)} was changed in ${turns.join(", ")}.${tried}`
  );
}

/**
 * @param session the redacted session in which the arc was found
 * @param cite how turns are cited
 * @returns null when neither command nor file leaves anything to name the skill by
 */
export function lessonOf(
  session: Session,
  arc: Arc,
  cite: (turn: string) => string,
): Lesson | null {
  const file = mainFile(arc.fix);
  const name = file === undefined ? null : lessonName(arc.red, file);
  if (file === undefined || name === null) return null;
  const voice: Voice = { session, cite, said: new Set() };
  const command = commandOf(voice, arc.red);
  const looks = lookEntry(voice, arc);
  const fixes = fixEntries(voice, arc.fix);
  const reproduce = `Run ${command} and compare its error with the one above (${cite(arc.red.turn)}).`;
  const rerun = `Run ${command} again: it succeeds (${cite(arc.green.turn)}).`;
  const last = arc.verifiedBy.at(-1)?.run.turn ?? arc.green.turn;
  return {
    name,
    file: code(file),
    title: `${command} fails: the change of ${code(file)} that solved it`,
    description: describe(voice, arc, file),
    whenToUse: whenToUse(voice, arc),
    steps: [
      { lines: [reproduce], says: reproduce },
      ...looks,
      ...fixes,
      { lines: [rerun], says: rerun },
    ],
    fixes,
    pitfalls: arc.failedAttempts
      .slice(0, OFFLINE_MAX_ENTRIES)
      .map((attempt) => pitfallEntry(voice, attempt)),
    checks: arc.verifiedBy.slice(0, OFFLINE_MAX_ENTRIES).map((each) => checkEntry(voice, each)),
    turns: `${arc.red.turn}–${last}`,
    why: whyLearned(arc, file),
  };
}
