/** What every command of the action works with, and what it answers. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Flags } from "../core/config.ts";
import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { readRef } from "../git/refs.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import type { ProposalResult } from "../outcome.ts";
import { type ResolvedPlace, resolvePlace } from "../resolve-place.ts";
import type { Finding } from "../verify/finding.ts";
import type { Credentials } from "./credentials.ts";
import type { WorkflowEvent } from "./event.ts";
import type { Inputs } from "./inputs.ts";
import type { OutcomeRow } from "./outcome-rows.ts";
import { warn } from "./runner.ts";

export interface ActionRun {
  readonly inputs: Inputs;
  readonly event: WorkflowEvent;
  readonly credentials: Credentials;
  /** Values that must appear nowhere. */
  readonly secrets: readonly string[];
  /** Absolute folder that paths in inputs start from. */
  readonly workspace: string;
  /** Absolute folder for files of this run; the runner empties it after the job. */
  readonly temp: string;
  /** Without the credentials; `CI` is set. */
  readonly env: NodeJS.ProcessEnv;
}

export interface ActionResult {
  /** The most serious of all: `failed`, `refused`, `proposed`, `nothing_to_save`, `skipped`; `ok` for a check or a plan. */
  readonly outcome: string;
  readonly rows: readonly OutcomeRow[];
  readonly proposals: readonly ProposalResult[];
  readonly findings: readonly Finding[];
  /** What a person should do, one sentence each. */
  readonly advice: readonly string[];
  readonly exitCode: number;
  /** Outputs beside those that every command has. */
  readonly outputs: Readonly<Record<string, string>>;
}

const NOTHING: ActionResult = {
  outcome: "skipped",
  rows: [],
  proposals: [],
  findings: [],
  advice: [],
  exitCode: 0,
  outputs: {},
};

/** A result with what differs from "nothing was done". */
export function actionResult(parts: Partial<ActionResult>): ActionResult {
  return { ...NOTHING, ...parts };
}

/**
 * Opens the checkout, whoever owns it, with the Config as the base commit has it.
 * @param configAt where .skillpr.yml is read instead
 * @throws SkillprError `input` when there is no checkout, or it doesn't have the base
 */
export async function openCheckout(
  run: ActionRun,
  flags: Flags,
  configAt?: string,
): Promise<ResolvedPlace> {
  const dir = resolve(run.workspace, run.inputs.path);
  if (!existsSync(dir)) throw noCheckout(run.inputs.path);
  const repository = await openRepository(dir, { isTrusted: true });
  const base = flags.base ?? (configAt === undefined ? await baseIn(repository, run) : undefined);
  const place = await resolvePlace({
    dir,
    flags: { ...flags, base },
    env: run.env,
    home: homedir(),
    isTrusted: true,
    configAt,
  });
  for (const warning of place.warnings) warn(warning);
  return place;
}

/**
 * The branch that the event is about, as this checkout has it: `actions/checkout` writes no `origin/HEAD`, and
 * leaves HEAD detached for pull requests and tags.
 * @returns undefined when the event names none
 */
async function baseIn(
  { git, isShallow }: Repository,
  { event, env }: ActionRun,
): Promise<string | undefined> {
  const branch = event.baseBranch;
  if (branch === null) return undefined;
  for (const ref of [`refs/remotes/origin/${branch}`, `refs/heads/${branch}`])
    if ((await readRef(git, ref)) !== null) return ref;
  if (env["GITHUB_REF"] === `refs/heads/${branch}`) return "HEAD";
  throw new SkillprError(
    "input",
    `the checkout doesn't have the branch ${safeLine(branch)}, which skills are proposed against`,
    isShallow
      ? "give actions/checkout `fetch-depth: 0`, so that it fetches all branches"
      : `check out that branch, or name another base with the input \`base\``,
  );
}

function noCheckout(path: string): SkillprError {
  return new SkillprError(
    "input",
    `there is no folder ${safeLine(path)} in the workspace`,
    "run actions/checkout before this step, and give its `path` here too",
  );
}
