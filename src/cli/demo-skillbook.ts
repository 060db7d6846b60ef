/** `skillpr demo --skillbook`: batches going into the Skillbook of a repository made for it, and one that is refused. */

import { readFile } from "node:fs/promises";
import { type ApplyRun, applyBatch } from "../apply-batch.ts";
import { DEFAULTS } from "../core/config.ts";
import { DEFAULT_RULE_LEVELS } from "../core/rule-levels.ts";
import { safeBlock, shortCommit } from "../core/text.ts";
import { diffText } from "../git/diff-text.ts";
import type { Repository } from "../git/repository.ts";
import { accept } from "../proposals.ts";
import type { SkillbookOutcome } from "../skillbook-outcome.ts";
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import { readTemplate, templateFolder } from "../templates.ts";
import { printSkillbookOutcome } from "./apply.ts";
import { interruption } from "./interruption.ts";
import { isJson } from "./open-place.ts";
import { row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { paintDiff, type Terminal } from "./terminal.ts";

const CONFIG = {
  base: null,
  publish: "branch",
  rules: DEFAULT_RULE_LEVELS,
  skillsRoot: DEFAULTS.skillsRoot,
} as const;

export async function tellSkillbook(
  repository: Repository,
  call: Call,
  terminal: Terminal,
): Promise<number> {
  const { line, paint } = terminal;
  const run: ApplyRun = {
    repository,
    config: CONFIG,
    credentials: [],
    messageTemplate: readTemplate("skillbook-commit-message.txt"),
    dryRun: false,
    outDir: null,
    ...interruption(terminal),
  };
  const isSilent = isJson(call);
  const outcomes: SkillbookOutcome[] = [];
  const tell = async (title: string, file: string) => {
    const { text, outcome } = await applyDemo(file, run);
    outcomes.push(outcome);
    if (isSilent) return outcome;
    line(paint.bold(title));
    line(`\n${safeBlock(text.trimEnd()).replace(/^/gm, "  ")}\n`);
    printSkillbookOutcome(outcome, call, terminal);
    line();
    return outcome;
  };
  const first = await tell("A batch of update operations goes in:", "batch.json");
  if (!isSilent) await showDiff(repository, first, terminal, "What it makes of both files:");
  const accepted = await accept({ repository, config: CONFIG }, SKILLBOOK_FOLDER);
  if (accepted.status !== "accepted") throw new Error("the demo's own Skillbook was refused");
  if (!isSilent) {
    row(terminal, "accepted", `${SKILLBOOK_FOLDER} into main · ${shortCommit(accepted.commit)}`);
    line();
  }
  const next = await tell("The next one changes what is there:", "next-batch.json");
  if (!isSilent) await showDiff(repository, next, terminal, "The difference to what was accepted:");
  await tell("One bad operation, and nothing of the batch is applied:", "bad-batch.json");
  if (isSilent) terminal.json({ results: outcomes });
  return 0;
}

async function applyDemo(
  file: string,
  run: ApplyRun,
): Promise<{ text: string; outcome: SkillbookOutcome }> {
  const text = await readFile(templateFolder(`demo/skillbook/${file}`), "utf8");
  return { text, outcome: await applyBatch({ name: file, text }, run) };
}

async function showDiff(
  repository: Repository,
  { proposals: [proposal] }: SkillbookOutcome,
  { line, paint }: Terminal,
  title: string,
): Promise<void> {
  if (proposal?.commit == null) throw new Error("the demo's own batch was refused");
  line(paint.bold(title));
  line();
  line(paintDiff(await diffText(repository.git, proposal.parent, proposal.commit), paint));
  line();
}
