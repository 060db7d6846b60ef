/** `command: review`: transcripts in, sealed proposals out; reads untrusted text, holds no token. */
import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import { chooseReviewer } from "../choose-reviewer.ts";
import { interruption } from "../cli/interruption.ts";
import { SkillprError } from "../core/errors.ts";
import { makeFolders } from "../core/make-folders.ts";
import { count } from "../core/text.ts";
import { resolveAcceptedBase } from "../git/accepted-base.ts";
import { stateDir } from "../git/repository.ts";
import { exitCodeOf, failed, type Outcome } from "../outcome.ts";
import { review } from "../pipeline.ts";
import { followRemoteBranches } from "../publish/remote-branches.ts";
import { recallReviewed } from "../recall-reviewed.ts";
import { modelByHand } from "../resolve-model.ts";
import type { ResolvedPlace } from "../resolve-place.ts";
import { applyContext, readContext } from "../review-context.ts";
import type { Run } from "../run.ts";
import { readTemplate } from "../templates.ts";
import { expandInputs } from "../transcript/expand-inputs.ts";
import { nameOf, type TranscriptSource } from "../transcript/read-transcript.ts";
import { type ActionResult, type ActionRun, actionResult, openCheckout } from "./action-run.ts";
import { type OutcomeRow, rowOf, writeOutcomes } from "./outcome-rows.ts";
import { group, log, notice, warn } from "./runner.ts";

export async function runReview(run: ActionRun): Promise<ActionResult> {
  const { inputs, workspace } = run;
  const proposalDir = resolve(workspace, inputs.proposalDir);
  const place = await openCheckout(run, { ...inputs.flags, publish: "none" });
  await recall(place);
  const said = await saidIn(run, place);
  const sources = await sourcesOf(run);
  makeFolders(proposalDir);
  // One folder for each transcript: two may have taught the same skill.
  const outDirOf = (index: number) => join(proposalDir, String(index + 1).padStart(4, "0"));
  const outcomes = await reviewEach(sources, run, place, { outDirOf, said });
  const rows = rowsOf(sources, outcomes, workspace);
  await writeOutcomes(proposalDir, rows);
  return reviewResult(rows, outcomes);
}

/** What a clone that was made for this job can't remember by itself. */
export async function recall({ repository, config }: ResolvedPlace): Promise<void> {
  const followed = await followRemoteBranches(repository);
  const base = await resolveAcceptedBase(repository, config.base, config.skillsRoot);
  const reviewed = await recallReviewed(repository, base);
  log(
    `${count(followed.length, "open or merged proposal")} and ${count(reviewed, "reviewed session")} known from the repository`,
  );
  if (repository.isShallow)
    notice(
      "The checkout is shallow, so that proposals and sessions beyond it are unknown here: give actions/checkout `fetch-depth: 0`.",
    );
}

/** What the planning job saw and this one can't: what was declined is remembered, what was said is told. */
async function saidIn({ inputs, workspace }: ActionRun, { repository }: ResolvedPlace) {
  if (inputs.context === null) return new Map<string, readonly string[]>();
  const context = await readContext(resolve(workspace, inputs.context));
  log(`${count(context.declined.length, "declined proposal")} known from ${inputs.context}`);
  return applyContext(stateDir(repository), context);
}

/** @throws SkillprError when a pattern matches nothing and the workflow calls that an error */
export async function sourcesOf({ inputs, workspace }: ActionRun): Promise<TranscriptSource[]> {
  const { transcripts, whenEmpty } = inputs;
  if (transcripts.length === 0)
    throw new SkillprError(
      "usage",
      "the input transcripts is not set",
      "name files, folders, globs or archives, one a line",
    );
  return expandInputs(transcripts, {
    cwd: workspace,
    // A `-` means nothing here: a step has no standard input.
    stdin: async () => Buffer.alloc(0),
    onNothing: (error) => {
      if (whenEmpty === "error") throw error;
      if (whenEmpty === "warn") warn(`${error.message}. ${error.hint}`);
    },
  });
}

export async function reviewEach(
  sources: readonly TranscriptSource[],
  run: ActionRun,
  place: ResolvedPlace,
  going: {
    /** Where the proposals of a transcript are written; null: nowhere. */
    readonly outDirOf: ((index: number) => string) | null;
    readonly pullRequests?: Run["pullRequests"];
    readonly said?: NonNullable<Run["said"]>;
  },
): Promise<Outcome[]> {
  const { inputs, workspace } = run;
  const { outDirOf, ...more } = going;
  const each = { ...(await reviewRun(run, place)), ...more };
  const outcomes: Outcome[] = [];
  let used = 0;
  for (const [index, source] of sources.entries()) {
    const name = shownName(source, workspace);
    const outDir = outDirOf?.(index) ?? null;
    const outcome = isOverBudget(inputs, used)
      ? overBudget(inputs.tokenBudget, "the transcripts that are left")
      : await group(`Transcript ${name}`, () => review(source, { ...each, outDir }));
    const row = rowOf(name, outcome);
    used += row.tokens;
    log(`${name}: ${row.status}${row.reason === null ? "" : ` (${row.reason})`}`);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** What a review is given in a workflow, but for where its proposals go. */
export async function reviewRun(run: ActionRun, { repository, config, user }: ResolvedPlace) {
  const { inputs, secrets } = run;
  const env = { ...run.env, OPENAI_API_KEY: run.credentials.modelKey ?? undefined };
  const model = modelByHand({ user: user.model, env, home: homedir(), flags: inputs.model });
  const options: Omit<Run, "outDir"> = {
    repository,
    config,
    reviewer: chooseReviewer(config.reviewer, { model }),
    credentials: secrets,
    messageTemplate: readTemplate("commit-message.txt"),
    force: inputs.force,
    dryRun: false,
    ...interruption({ step: log, note: (text) => log(text) }),
  };
  return options;
}

/** @param used tokens so far, in and out */
export function isOverBudget({ tokenBudget }: ActionRun["inputs"], used: number): boolean {
  return tokenBudget > 0 && used >= tokenBudget;
}

/** What is said of something that this run had no tokens left for. */
export function overBudget(budget: number, left: string): Outcome {
  return failed(
    new SkillprError(
      "model",
      `not reviewed: the ${budget} tokens of this run (token-budget) are used up`,
      `run the workflow again with ${left}, or raise token-budget`,
    ),
  );
}

export function rowsOf(
  sources: readonly TranscriptSource[],
  outcomes: readonly Outcome[],
  workspace: string,
): OutcomeRow[] {
  return sources.flatMap((source, index) => {
    const outcome = outcomes[index];
    return outcome === undefined ? [] : [rowOf(shownName(source, workspace), outcome)];
  });
}

/** What the step answers for its transcripts. */
export function reviewResult(
  rows: readonly OutcomeRow[],
  outcomes: readonly Outcome[],
): ActionResult {
  return actionResult({
    outcome: gravest(outcomes),
    rows,
    proposals: outcomes.flatMap(({ proposals }) => proposals),
    findings: outcomes.flatMap(({ findings }) => findings),
    advice: [...new Set(outcomes.flatMap(adviceOf))],
    exitCode: Math.max(0, ...outcomes.map(exitCodeOf)),
  });
}

const GRAVITY = ["failed", "refused", "proposed", "nothing_to_save"] as const;

export function gravest(outcomes: readonly Pick<Outcome, "status">[]): string {
  return GRAVITY.find((one) => outcomes.some(({ status }) => status === one)) ?? "skipped";
}

export function adviceOf({ status, error, findings, proposals }: Outcome): string[] {
  const refusals = status === "refused" ? findings.filter(({ level }) => level === "error") : [];
  return [
    ...(error === undefined ? [] : [`${error.message}: ${error.hint}`]),
    ...refusals.map(({ message, hint }) => `${message} ${hint}`),
    ...proposals
      .flatMap(({ skill, reason, hint, pullRequest }) => [
        { skill, reason, hint },
        { skill, reason: pullRequest?.reason, hint: pullRequest?.hint },
      ])
      .flatMap(({ skill, reason, hint }) =>
        reason === undefined ? [] : [`${skill}: ${reason}; ${hint ?? ""}`],
      ),
  ];
}

/** Relative to the workspace, where it lies in it. */
function shownName(source: TranscriptSource, workspace: string): string {
  if (source.kind !== "file") return nameOf(source);
  const near = relative(workspace, source.path);
  return near === "" || near.startsWith("..") ? nameOf(source) : near;
}
