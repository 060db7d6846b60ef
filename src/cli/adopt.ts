/** `skillpr adopt`: from skills in place to proposals. */
import { type AdoptRun, adopt } from "../adopt.ts";
import type { Adoption } from "../adoption.ts";
import { chooseFolders } from "../choose-folders.ts";
import { SkillprError } from "../core/errors.ts";
import { count, safeLine } from "../core/text.ts";
import { exitCodeOf } from "../outcome.ts";
import { credentialsOf } from "../secrets/credentials.ts";
import { readTemplate } from "../templates.ts";
import { interruption } from "./interruption.ts";
import { isJson, openPlace } from "./open-place.ts";
import { INDENT, printFindings, printNext, printProposal, row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

export async function runAdopt(call: Call, terminal: Terminal): Promise<number> {
  const { repository, config } = await openPlace(call, terminal);
  const dryRun = call.flags["dryRun"] === true;
  if (config.publish === "none" && !dryRun) {
    throw new SkillprError(
      "config",
      "publishing is switched off here (`publish: none`)",
      "use --dry-run to see what would be proposed, or change that setting",
    );
  }
  const run: AdoptRun = {
    repository,
    config,
    credentials: credentialsOf(process.env),
    messageTemplate: readTemplate("adopt-commit-message.txt"),
    dryRun,
    ...interruption(terminal),
  };
  const { skillsRoot } = config;
  const chosen = await chooseFolders(repository, skillsRoot, call.positionals, process.cwd());
  for (const note of chosen.notes) terminal.note(`warning: ${note}`);
  const results = [...(await adopt(chosen.wanted, run)), ...chosen.failures];
  if (isJson(call)) terminal.json({ dryRun, results });
  else print(results, call, terminal);
  return Math.max(0, ...results.map(exitCodeOf));
}

function print(results: readonly Adoption[], call: Call, terminal: Terminal): void {
  if (results.length === 0) {
    terminal.line("There is no skill in place that git doesn't track.");
    return;
  }
  for (const [index, result] of results.entries()) {
    if (index > 0) terminal.line();
    row(terminal, "folder", safeLine(result.folder));
    row(terminal, "verdict", verdictOf(result, terminal));
    for (const proposal of result.proposals) printProposal(proposal, terminal);
    printFindings(result.findings, terminal);
  }
  const isDry = call.flags["dryRun"] === true;
  const proposed = results.filter(({ status }) => status === "proposed").length;
  terminal.line();
  row(
    terminal,
    "adopted",
    `${count(proposed, "folder")} of ${results.length}; all of them are where they were`,
  );
  if (isDry) row(terminal, "dry run", "nothing was written");
  printNext(
    results.flatMap(({ proposals }) => proposals),
    call,
    terminal,
  );
}

function verdictOf({ status, skippedReason, detail, error }: Adoption, terminal: Terminal): string {
  const { paint } = terminal;
  switch (status) {
    case "proposed":
      return paint.green("verified");
    case "skipped":
      return `${paint.yellow(`skipped: ${skippedReason}`)} ${paint.dim(`(${safeLine(detail ?? "")})`)}`;
    case "refused":
      return paint.red("refused; nothing was committed");
    case "failed":
      return `${paint.red(`failed: ${safeLine(error?.message ?? "")}`)}\n${INDENT}${safeLine(error?.hint ?? "")}`;
  }
}
