/** `skillpr apply`: from a file of update operations to a proposal. */
import { mkdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type ApplyRun, applyBatch, type NamedText } from "../apply-batch.ts";
import { SkillprError } from "../core/errors.ts";
import { UPDATE_BATCH_MAX_BYTES } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { exitCodeOf } from "../outcome.ts";
import { tokenOf } from "../resolve-github.ts";
import { credentialsOf } from "../secrets/credentials.ts";
import type { SkillbookOutcome } from "../skillbook-outcome.ts";
import { readTemplate } from "../templates.ts";
import { interruption } from "./interruption.ts";
import { isJson, openPlace, text } from "./open-place.ts";
import { below, printFindings, printNext, printProposal, row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { pullRequestsOf } from "./pull-requests-of.ts";
import { readStdin } from "./read-stdin.ts";
import type { Terminal } from "./terminal.ts";

export async function runApply(call: Call, terminal: Terminal): Promise<number> {
  const run = await applyRunOf(call, terminal);
  const outcome = await applyBatch(await readNamed(call.positionals[0] ?? "-"), run);
  if (isJson(call)) terminal.json(outcome);
  else printSkillbookOutcome(outcome, call, terminal);
  return exitCodeOf(outcome);
}

/** @throws SkillprError `config` where a pull request is wanted, and there is no token */
export async function applyRunOf(call: Call, terminal: Terminal): Promise<ApplyRun> {
  const place = await openPlace(call, terminal);
  const { repository, config, user } = place;
  const out = text(call, "out");
  const told = interruption(terminal);
  if (out !== undefined) await mkdir(resolve(out), { recursive: true });
  return {
    repository,
    config,
    pullRequests: await pullRequestsOf(place, told),
    credentials: [...credentialsOf(process.env), ...tokenOf(user.github)],
    messageTemplate: readTemplate("skillbook-commit-message.txt"),
    dryRun: call.flags["dryRun"] === true,
    outDir: out === undefined ? null : resolve(out),
    ...told,
  };
}

/** A file, or stdin for `-`. @throws SkillprError `input` when it is too large */
export async function readNamed(path: string): Promise<NamedText> {
  const bytes = path === "-" ? await readStdin() : await readFile(path);
  const name = path === "-" ? "stdin" : path;
  if (bytes.length <= UPDATE_BATCH_MAX_BYTES)
    return { name, text: Buffer.from(bytes).toString("utf8") };
  throw new SkillprError(
    "input",
    `${safeLine(name)} has more than ${UPDATE_BATCH_MAX_BYTES} bytes`,
    "split it into several files",
  );
}

/** What was done to which strategy, and what a person should know of it. */
export function printOperations(
  { operations, warnings }: Pick<SkillbookOutcome, "operations" | "warnings">,
  terminal: Terminal,
): void {
  for (const [at, { type, skill_id }] of operations.entries())
    row(terminal, at === 0 ? "operations" : "", `${type} ${safeLine(skill_id)}`);
  for (const [at, warning] of warnings.entries())
    row(terminal, at === 0 ? "warnings" : "", terminal.paint.yellow(safeLine(warning)));
}

export function printSkillbookOutcome(
  outcome: SkillbookOutcome,
  call: Call,
  terminal: Terminal,
): void {
  const { paint } = terminal;
  row(terminal, "skillbook", verdictOf(outcome, terminal));
  for (const [at, { message, hint }] of (outcome.problems ?? []).entries()) {
    row(terminal, at === 0 ? "problems" : "", paint.red(safeLine(message)));
    below(terminal, paint.dim(safeLine(hint)));
  }
  printOperations(outcome, terminal);
  for (const proposal of outcome.proposals) printProposal(proposal, terminal);
  printFindings(outcome.findings, terminal);
  if (call.flags["dryRun"] === true) row(terminal, "dry run", "nothing was written");
  if (outcome.error !== undefined && outcome.status !== "failed") {
    row(terminal, "failed", paint.red(safeLine(outcome.error.message)));
    below(terminal, safeLine(outcome.error.hint));
  }
  printNext(outcome.proposals, call, terminal);
}

function verdictOf(
  { status, detail, error, proposals }: SkillbookOutcome,
  { paint }: Terminal,
): string {
  switch (status) {
    case "proposed":
      if (detail !== undefined) return safeLine(detail);
      if (proposals.every(({ operation }) => operation === "blocked"))
        return paint.yellow("valid, but nothing was committed");
      return paint.green("applied and verified");
    case "refused":
      return paint.red("refused by the verifier; nothing was committed");
    case "failed":
      return paint.red(safeLine(error?.message ?? "failed"));
    default:
      return safeLine(detail ?? status);
  }
}
