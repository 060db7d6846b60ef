import { safeLine, shortCommit } from "../core/text.ts";
import { shortRef } from "../git/refs.ts";
import { stateDir } from "../git/repository.ts";
import { showProposal } from "../proposals.ts";
import { readPullRequestNote } from "../publish/pull-request-notes.ts";
import { readUserSkills } from "../user-skills.ts";
import { isJson, openPlace } from "./open-place.ts";
import { printEvidence, printFindings, printReason, repositoryFlag, row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { pullRequestWords } from "./pull-request-view.ts";
import { paintDiff, type Terminal } from "./terminal.ts";

export async function runShow(call: Call, terminal: Terminal): Promise<number> {
  const place = await openPlace(call, terminal);
  const { branch, diff, findings, proposal, operations } = await showProposal(
    place,
    call.positionals[0] ?? "",
    readUserSkills(process.env),
  );
  const name = shortRef(branch.ref);
  const evidence = proposal?.evidence ?? [];
  const pullRequest = await readPullRequestNote(stateDir(place.repository), branch.skill);
  if (isJson(call)) {
    const { skill, tip, folderTree } = branch;
    const { session = null, usage = null, why = null, signals = null } = proposal ?? {};
    const shown = { skill, branch: name, commit: tip, tree: folderTree, why, diff, findings };
    const words = operations.length === 0 ? {} : { words: operations };
    terminal.json({ ...shown, ...words, signals, evidence, session, usage, pullRequest });
    return 0;
  }
  row(
    terminal,
    "proposal",
    `${terminal.paint.bold(branch.skill)} on ${name} · ${shortCommit(branch.tip)}`,
  );
  const words = pullRequest === null ? null : pullRequestWords(pullRequest);
  if (words !== null) row(terminal, "on GitHub", words);
  for (const [at, line] of operations.entries())
    row(terminal, at === 0 ? "operations" : "", line.replace(/^- /, ""));
  if (proposal === null) {
    row(terminal, "evidence", "not known here: this was proposed in another clone");
  } else {
    const { session, usage } = proposal;
    printReason(proposal, terminal);
    row(
      terminal,
      "session",
      `${safeLine(session.id)} · ${safeLine(session.agent)} · reviewer ${safeLine(usage.reviewer)}`,
    );
    printEvidence(evidence, terminal);
  }
  if (branch.foreign !== null) {
    const { author, id } = branch.foreign;
    row(terminal, "note", `a commit by ${safeLine(author.name)} is on it (${shortCommit(id)})`);
  }
  if (findings.length === 0) row(terminal, "findings", "none");
  printFindings(findings, terminal);
  terminal.line();
  terminal.line(paintDiff(diff, terminal.paint));
  const where = repositoryFlag(call);
  terminal.note(`skillpr accept ${branch.skill}${where}`);
  terminal.note(`skillpr reject ${branch.skill}${where} --reason "…"`);
  return 0;
}
