/** The entries of a skill's sections, made of an arc. Pure; every quoted word goes through quote.ts. */
import { OFFLINE_MAX_ENTRIES } from "../../core/limits.ts";
import { type Arc, type FailedAttempt, fixTurns, type RedRun, type Verification } from "./arc.ts";
import type { NetHunk } from "./net-change.ts";
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

/** One entry for each changed file. */
export function fixEntries(voice: Voice, arc: Arc): Entry[] {
  const byPath = new Map<string, NetHunk[]>();
  for (const hunk of arc.fix) byPath.set(hunk.path, [...(byPath.get(hunk.path) ?? []), hunk]);
  return [...byPath].slice(0, OFFLINE_MAX_ENTRIES).map(([path, hunks]) => {
    const turns = fixTurns(arc, path);
    const remarks = turns.flatMap((turn) => fixRemarks(voice.session, turn));
    const said = quoted(voice, ...remarks.slice(0, OFFLINE_MAX_ENTRIES));
    const diffs = hunks.slice(0, OFFLINE_MAX_ENTRIES).flatMap((hunk) => diffOf(voice, hunk));
    const verb = hunks.every((hunk) => hunk.creates) ? "Add" : "Change";
    return {
      lines: [`${verb} ${code(path)} (${citing(voice)(...turns)}):${said}`, ...diffs],
      says: diffs.join("\n"),
    };
  });
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
