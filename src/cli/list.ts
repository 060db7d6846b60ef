import { count, safeLine } from "../core/text.ts";
import { resolveAcceptedBase } from "../git/accepted-base.ts";
import { shortRef } from "../git/refs.ts";
import { stateDir } from "../git/repository.ts";
import { listProposals } from "../proposals.ts";
import { listPullRequestNotes } from "../publish/pull-request-notes.ts";
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import { type WaitingMarks, waitingMarks } from "../waiting-marks.ts";
import { printWaiting } from "./look-at-skillbook.ts";
import { isJson, type OpenPlace, openPlace } from "./open-place.ts";
import { repositoryFlag, row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { pullRequestWords } from "./pull-request-view.ts";
import type { Terminal } from "./terminal.ts";

export async function runList(call: Call, terminal: Terminal): Promise<number> {
  const place = await openPlace(call, terminal);
  const branches = await listProposals(place);
  const notes = await listPullRequestNotes(stateDir(place.repository));
  const waiting = await waitingIn(place, branches);
  const noteOf = (skill: string) => notes.find((note) => note.skill === skill) ?? null;
  if (isJson(call)) {
    const proposals = branches.map(({ skill, ref, tip, folderTree, commits, foreign }) => ({
      skill,
      branch: shortRef(ref),
      commit: tip,
      tree: folderTree,
      commits: commits.length,
      hasForeignCommit: foreign !== null,
      pullRequest: noteOf(skill),
    }));
    terminal.json({ proposals, waiting });
    return 0;
  }
  if (branches.length === 0) terminal.line("No proposal is waiting here.");
  for (const { skill, tip, commits, foreign } of branches) {
    const by = foreign === null ? "" : `, one by ${safeLine(foreign.author.name)}`;
    const size = count(commits.length, "commit");
    row(terminal, tip.slice(0, 10), `${terminal.paint.bold(skill)} (${size}${by})`);
    const note = noteOf(skill);
    const words = note === null ? null : pullRequestWords(note);
    if (words !== null) row(terminal, "", words);
  }
  printWaiting(waiting, terminal);
  if (branches.length > 0)
    terminal.note(
      `skillpr show <skill>${repositoryFlag(call)} says more; accept or reject <skill> decides`,
    );
  return 0;
}

/** Marks that are neither accepted nor in the Skillbook's open proposal. */
async function waitingIn(
  { repository, config }: OpenPlace,
  branches: Awaited<ReturnType<typeof listProposals>>,
): Promise<WaitingMarks> {
  const base = await resolveAcceptedBase(repository, config.base, config.skillsRoot);
  const open = branches.filter(({ skill }) => skill === SKILLBOOK_FOLDER);
  return waitingMarks(repository, [base.commit, ...open.map(({ tip }) => tip)]);
}
