import { EXIT_REFUSED } from "../core/errors.ts";
import { safeLine, shortCommit } from "../core/text.ts";
import { shortRef } from "../git/refs.ts";
import { accept } from "../proposals.ts";
import { branchRef } from "../publish/open-proposals.ts";
import { isJson, openPlace } from "./open-place.ts";
import { printFindings, row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { leavePullRequest } from "./pull-request-view.ts";
import type { Terminal } from "./terminal.ts";

export async function runAccept(call: Call, terminal: Terminal): Promise<number> {
  const place = await openPlace(call, terminal);
  const skill = call.positionals[0] ?? "";
  const result = await accept(place, skill);
  if (isJson(call)) terminal.json({ skill, ...result });
  if (result.status === "refused") {
    if (!isJson(call)) {
      terminal.line(`${skill} was refused by the verifier; nothing was merged.`);
      printFindings(result.findings, terminal);
    }
    return EXIT_REFUSED;
  }
  const stillOpen = await leavePullRequest(place.repository, skill);
  if (isJson(call)) return 0;
  if (stillOpen !== null)
    row(terminal, "on GitHub", `${stillOpen}; push the branch, or merge it there instead`);
  const target = shortRef(result.ref);
  row(
    terminal,
    "accepted",
    `${terminal.paint.bold(skill)} into ${target} · ${shortCommit(result.commit)}`,
  );
  if (result.madeAgain !== undefined) {
    const what = `the Skillbook of ${target} had changed: the operations were applied again to it, and verified`;
    row(terminal, "made again", what);
    for (const each of result.madeAgain.dropped) row(terminal, "note", safeLine(each));
  }
  const folder = `${place.config.skillsRoot}/${skill}`;
  if (result.checkedOutAt !== null)
    row(terminal, "changed", `${folder} in ${safeLine(result.checkedOutAt)}, nothing else`);
  else
    row(
      terminal,
      "changed",
      `the branch ${target} only: it is not checked out, your files are as they were`,
    );
  const branch = shortRef(branchRef(skill));
  row(
    terminal,
    "branch",
    result.isBranchRemoved ? `${branch} was removed` : `${branch} stays: it is checked out`,
  );
  return 0;
}
