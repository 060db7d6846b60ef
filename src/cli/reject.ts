import { count, shortCommit } from "../core/text.ts";
import { reject } from "../proposals.ts";
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import { listWaiting } from "../waiting-tags.ts";
import { isJson, openPlace, text } from "./open-place.ts";
import { row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { leavePullRequest } from "./pull-request-view.ts";
import type { Terminal } from "./terminal.ts";

export async function runReject(call: Call, terminal: Terminal): Promise<number> {
  const place = await openPlace(call, terminal);
  const skill = call.positionals[0] ?? "";
  const reason = text(call, "reason") ?? null;
  const commit = await reject(place, skill, reason);
  const stillOpen = await leavePullRequest(place.repository, skill);
  if (isJson(call)) {
    terminal.json({ skill, status: "rejected", commit, reason });
    return 0;
  }
  row(terminal, "rejected", `${terminal.paint.bold(skill)}; it will not be proposed again`);
  if (stillOpen !== null)
    row(terminal, "on GitHub", `${stillOpen}; close it to decline it there too`);
  const waiting =
    skill.replace(/^auto-skill\//, "") === SKILLBOOK_FOLDER
      ? await listWaiting(place.repository)
      : [];
  const marks = waiting.reduce((sum, { operations }) => sum + operations.length, 0);
  if (marks > 0)
    row(terminal, "marks", `${count(marks, "mark")} that no proposal brings now: waiting`);
  row(terminal, "undo", `git branch auto-skill/${skill} ${shortCommit(commit)}`);
  return 0;
}
