/** The entries of a skill's sections, made of an arc. Pure; every quoted word goes through quote.ts. */
import { OFFLINE_MAX_ENTRIES } from "../../core/limits.ts";
import { count } from "../../core/text.ts";
import { type Arc, type FailedAttempt, fixTurns, type RedRun, type Verification } from "./arc.ts";
import { code } from "./quote.ts";
import { fixRemarks, remarkAt, remarkBetween } from "./remark.ts";
import { type Cite, citing, codeOf, commandOf, diffOf, quoted, type Voice } from "./voice.ts";

/** One item of a list. */
export interface Entry {
  /** Markdown, the first line without its bullet. */
  readonly lines: readonly string[];
  /** What must stand in a skill already for the entry to say nothing new; compared without spaces. */
  readonly says: string;
}

/** Commands that only show files, and those that reach out or change something: no step to recommend. */
const NOT_A_LOOK =
  /^\s*(?:ls|cat|pwd|head|tail|less|cd|wc|tree|git (?:status|diff|log|show|branch))\b|\b(?:curl|wget|ssh|scp|nc|gh|docker|kubectl|sudo|rm|mv|kill|pkill|chmod|chown|eval)\b|git push|>|\n/;

/** The failures that the project showed before anything was changed. */
export function whenToUse(voice: Voice, { red, symptoms }: Arc): Entry[] {
  const command = commandOf(voice, red);
  const shown = new Map<string, RedRun>();
  for (const each of symptoms) {
    if (!shown.has(each.failure.key)) shown.set(each.failure.key, each);
  }
  return [...shown.values()].slice(0, OFFLINE_MAX_ENTRIES).map((each) => {
    const { item, line } = each.failure;
    const at = item === null ? "" : ` at ${codeOf(voice, item)}`;
    const error = codeOf(voice, line);
    return {
      // The quotation never begins a line: one that starts with backticks would look like a fence.
      lines: [`${command} fails${at} (${citing(voice)(each.turn)}).`, `The error: ${error}`],
      says: item === null ? error : codeOf(voice, item),
    };
  });
}

/** What was looked at before the first change, and what the session found; nothing when it says neither. */
export function lookEntry(voice: Voice, arc: Arc): Entry[] {
  const { red, looks, failedAttempts, fix } = arc;
  const cite = citing(voice);
  const parts = looks.flatMap((look) => {
    if (look.kind === "look") {
      const useful = look.command !== null && !NOT_A_LOOK.test(look.command);
      return useful ? [`${codeOf(voice, look.command)} (${cite(look.turn)})`] : [];
    }
    if (look.verdict.color === "unclear") return [];
    const result = look.verdict.color === "green" ? "succeeds" : "fails too";
    return [`${commandOf(voice, look)} ${result} (${cite(look.turn)})`];
  });
  const firstEdit = failedAttempts[0]?.triedIn ?? fix[0]?.turns[0] ?? red.turn;
  const cause = remarkBetween(voice.session, red.turn, firstEdit);
  const said = quoted(voice, cause);
  const why =
    cause === null || said === "" ? "" : ` The session's finding (${cite(cause.turn)}):${said}`;
  if (parts.length === 0 && why === "") return [];
  const looked = parts.length === 0 ? "" : `: ${parts.slice(0, OFFLINE_MAX_ENTRIES).join(", ")}`;
  const text = `Find the cause before changing anything${looked}.${why}`;
  return [{ lines: [text], says: text }];
}

/** The changed files that are shown: the lesson's own, and as many of the others, in the order of the session. */
function shownFiles(arc: Arc, file: string): { shown: string[]; hidden: string[] } {
  const paths = [...new Set(arc.fix.map(({ path }) => path))];
  const others = paths.filter((path) => path !== file).slice(0, OFFLINE_MAX_ENTRIES - 1);
  const isShown = (path: string) => path === file || others.includes(path);
  return { shown: paths.filter(isShown), hidden: paths.filter((path) => !isShown(path)) };
}

/**
 * One entry for each changed file that is shown.
 * @param file the one that the lesson is about: it always has an entry
 */
export function fixEntries(voice: Voice, arc: Arc, file: string): Entry[] {
  return shownFiles(arc, file).shown.map((path) => {
    const hunks = arc.fix.filter((hunk) => hunk.path === path);
    const turns = fixTurns(arc, path);
    const remarks = turns.flatMap((turn) => fixRemarks(voice.session, turn));
    const said = quoted(voice, ...remarks.slice(0, OFFLINE_MAX_ENTRIES));
    const diffs = hunks.slice(0, OFFLINE_MAX_ENTRIES).flatMap((hunk) => diffOf(voice, hunk));
    const verb = hunks.every((hunk) => hunk.creates) ? "Add" : "Change";
    const more = hunks.length - OFFLINE_MAX_ENTRIES;
    return {
      lines: [
        `${verb} ${code(path)} (${citing(voice)(...turns)}):${said}`,
        ...diffs,
        ...(more > 0 ? [`And ${count(more, "more change")} of the file.`] : []),
      ],
      says: diffs.join("\n"),
    };
  });
}

/** How many changed files have no entry; nothing when all have one. */
export function moreFixesEntry(voice: Voice, arc: Arc, file: string): Entry[] {
  const { hidden } = shownFiles(arc, file);
  if (hidden.length === 0) return [];
  const turns = hidden.flatMap((path) => fixTurns(arc, path));
  const order = new Map(voice.session.turns.map(({ id }, at) => [id, at]));
  turns.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  const [first = "", last = first] = [turns[0], turns.at(-1)];
  const when = citing(voice)(first === last ? first : `${first}–${last}`);
  const text = `And ${count(hidden.length, "more file was", "more files were")} changed (${when}).`;
  return [{ lines: [text], says: text }];
}

/** An error that only the attempt caused is told with it: nobody meets it before. */
function ownError(voice: Voice, { next }: FailedAttempt, symptoms: readonly RedRun[]): string {
  const failure = next?.verdict.color === "red" ? next.verdict.failure : null;
  if (failure === null || symptoms.some((red) => red.failure.key === failure.key)) return "";
  return ` with another error, ${codeOf(voice, failure.line)}`;
}

function outcomeOf(voice: Voice, cite: Cite, attempt: FailedAttempt, arc: Arc): string {
  const { next, takenBackIn } = attempt;
  const how = next?.verdict.color === "red" ? "still failed" : "succeeded";
  const run =
    next === null
      ? ""
      : `${commandOf(voice, next)} ${how} (${cite(next.turn)})${ownError(voice, attempt, arc.symptoms)}`;
  const back = takenBackIn === null ? "" : `it was taken back (${cite(takenBackIn)})`;
  const joint = next?.verdict.color === "green" ? ", but " : ", and ";
  return [run, back].filter((part) => part !== "").join(joint);
}

export function pitfallEntry(voice: Voice, attempt: FailedAttempt, arc: Arc): Entry {
  const { path, hunk, triedIn, next, takenBackIn } = attempt;
  const cite = citing(voice);
  const last = takenBackIn ?? next?.turn ?? triedIn;
  const remark =
    remarkBetween(voice.session, triedIn, last) ??
    (takenBackIn === null ? null : remarkAt(voice.session, takenBackIn));
  const said = quoted(voice, remark);
  const diff = diffOf(voice, hunk);
  const tried = `This change of ${code(path)} is not the solution (${cite(triedIn)})`;
  const text = `${tried}: ${outcomeOf(voice, cite, attempt, arc)}.${said}`;
  return { lines: [text, ...diff], says: diff.join("\n") };
}

export function checkEntry(voice: Voice, { run, scriptAdded }: Verification): Entry {
  const command = commandOf(voice, run);
  const cite = citing(voice);
  const first = `${command} succeeds (${cite(run.turn)}).`;
  if (scriptAdded === null) return { lines: [first], says: command };
  const { path, turn, hunk } = scriptAdded;
  return {
    lines: [
      `${first} The script was added to ${code(path)} for this (${cite(turn)}):`,
      ...diffOf(voice, hunk),
    ],
    says: command,
  };
}
