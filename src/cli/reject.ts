import { count, shortCommit } from "../core/text.ts";
import { reject } from "../proposals.ts";
import type { ReturnedMarks } from "../return-marks.ts";
import { isJson, openPlace, text } from "./open-place.ts";
import { row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { leavePullRequest } from "./pull-request-view.ts";
import type { Terminal } from "./terminal.ts";

export async function runReject(call: Call, terminal: Terminal): Promise<number> {
  const place = await openPlace(call, terminal);
  const skill = call.positionals[0] ?? "";
  const reason = text(call, "reason") ?? null;
  const { commit, marks } = await reject(place, skill, reason);
  const stillOpen = await leavePullRequest(place.repository, skill);
  if (isJson(call)) {
    terminal.json({ skill, status: "rejected", commit, reason, ...(marks && { marks }) });
    return 0;
  }
  row(terminal, "rejected", `${terminal.paint.bold(skill)}; it will not be proposed again`);
  if (stillOpen !== null)
    row(terminal, "on GitHub", `${stillOpen}; close it to decline it there too`);
  if (marks !== undefined) for (const line of marksLines(marks)) row(terminal, "marks", line);
  row(terminal, "undo", `git branch auto-skill/${skill} ${shortCommit(commit)}`);
  return 0;
}

/** What sessions observed isn't rejected with the text. */
function marksLines({ waiting, dropped }: ReturnedMarks): string[] {
  const kept = `${count(waiting, "mark")} that it had brought: waiting for the next change of the Skillbook`;
  const gone = `${count(dropped, "mark")} of what it alone had: gone with it`;
  return [...(waiting > 0 ? [kept] : []), ...(dropped > 0 ? [gone] : [])];
}
