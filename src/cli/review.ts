/** `skillpr review`: from flags to runs of the pipeline, one per transcript. */

import { mkdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { relative, resolve } from "node:path";
import { chooseReviewer } from "../choose-reviewer.ts";
import { hasCode, SkillprError } from "../core/errors.ts";
import { findSession } from "../find-session.ts";
import { exitCodeOf, type Outcome } from "../outcome.ts";
import { review } from "../pipeline.ts";
import { tokenOf } from "../resolve-github.ts";
import { keyOf, modelByHand } from "../resolve-model.ts";
import type { ModelSettings } from "../review/model-settings.ts";
import type { Run } from "../run.ts";
import { credentialsOf } from "../secrets/credentials.ts";
import type { SkillbookOutcome } from "../skillbook-outcome.ts";
import { reviewForSkillbook } from "../skillbook-review.ts";
import { mustNotHold, TOKEN_VARIABLES } from "../split-run.ts";
import { readTemplate } from "../templates.ts";
import { expandInputs } from "../transcript/expand-inputs.ts";
import type { TranscriptSource } from "../transcript/read-transcript.ts";
import { readUserSkills } from "../user-skills.ts";
import { printOperations } from "./apply.ts";
import { interruption } from "./interruption.ts";
import { isJson, type OpenPlace, openPlace, text } from "./open-place.ts";
import { printOutcome } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { pullRequestsOf } from "./pull-requests-of.ts";
import { readStdin } from "./read-stdin.ts";
import type { Terminal } from "./terminal.ts";

export async function runReview(call: Call, terminal: Terminal): Promise<number> {
  const place = await openPlace(call, terminal);
  const { repository, config } = place;
  refuseTokenInCi(place);
  const sources = await sourcesOf(call, place);
  const model = modelOf(call, place);
  const told = interruption(terminal);
  const run: Run = {
    pullRequests: await pullRequestsOf(place, told),
    repository,
    config,
    reviewer: reviewerOf(call, place, model),
    credentials: [...credentialsOf(process.env), ...keyOf(model), ...tokenOf(place.user.github)],
    messageTemplate: readTemplate("commit-message.txt"),
    force: call.flags["force"] === true,
    dryRun: call.flags["dryRun"] === true,
    outDir: await outDirOf(call),
    userSkills: readUserSkills(process.env),
    ...told,
  };
  const outcomes: (Outcome | SkillbookOutcome)[] = [];
  for await (const [outcome, source] of outcomesOf(sources, run)) {
    outcomes.push(outcome);
    if (!isJson(call)) {
      if (outcomes.length > 1) terminal.line();
      printOutcome(outcome, { name: nameOf(source), call }, terminal);
      if ("warnings" in outcome) printOperations(outcome, terminal);
    }
  }
  if (isJson(call)) terminal.json(outcomes.length === 1 ? outcomes[0] : { results: outcomes });
  return Math.max(...outcomes.map(exitCodeOf));
}

/** One after the other; for the Skillbook, sessions are reflected on together. */
async function* outcomesOf(
  sources: readonly TranscriptSource[],
  run: Run,
): AsyncGenerator<readonly [Outcome | SkillbookOutcome, TranscriptSource]> {
  const { reviewer } = run;
  const together =
    "learn" in reviewer ? await reviewForSkillbook(sources, { ...run, reviewer }) : null;
  for (const [at, source] of sources.entries())
    yield [together?.[at] ?? (await review(source, run)), source];
}

/**
 * The half of a split run that reads untrusted text holds no token: in CI, with `--publish none`,
 * one in the environment is a mistake in the workflow.
 */
export function refuseTokenInCi({ config }: OpenPlace): void {
  if (!process.env["CI"] || config.publish !== "none") return;
  const names = [...TOKEN_VARIABLES, "INPUT_GITHUB-TOKEN"];
  const found = names.find((name) => process.env[name]);
  if (found !== undefined) throw mustNotHold(found, "a review with --publish none in CI", "token");
}

/** The folder of --out, made now: a wrong one is found before the review, not after. */
export async function outDirOf(call: Call): Promise<string | null> {
  const out = text(call, "out");
  if (out === undefined) return null;
  const dir = resolve(out);
  try {
    // One level at a time where it must be: Node never returns from a recursive one in some places.
    await mkdir(dir).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error;
    });
    if ((await stat(dir)).isDirectory()) return dir;
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS", "ENOSPC", "ELOOP"))
      throw error;
  }
  throw new SkillprError(
    "usage",
    `--out ${out} is not a folder that can be written`,
    "name a folder that exists, or a new one in a folder that exists",
  );
}

/** Flags over the environment over the user's config. */
export function modelOf(call: Call, { user }: OpenPlace): ModelSettings {
  const flags = { model: text(call, "model"), baseUrl: text(call, "baseUrl") };
  return modelByHand({ flags, user: user.model, env: process.env, home: homedir() });
}

export function reviewerOf(
  call: Call,
  { config }: OpenPlace,
  model: ModelSettings,
): Run["reviewer"] {
  const modelLog = text(call, "modelLog");
  return chooseReviewer(config.reviewer, {
    model,
    modelLogDir: modelLog === undefined ? null : resolve(modelLog),
  });
}

async function sourcesOf(call: Call, { repository }: OpenPlace): Promise<TranscriptSource[]> {
  const sessionId = text(call, "session");
  const isLatest = call.flags["latest"] === true;
  const ways = [call.positionals.length > 0, sessionId !== undefined, isLatest].filter(Boolean);
  if (ways.length !== 1) {
    throw new SkillprError(
      "usage",
      ways.length === 0
        ? "no transcript was named"
        : "name transcripts, or one of --session and --latest",
      "name a file, or use --latest for the newest session of this repository",
    );
  }
  if (call.positionals.length > 0)
    return expandInputs(call.positionals, { cwd: process.cwd(), stdin: readStdin });
  return [await findSession(repository, sessionId)];
}

/** A transcript as people would name it from where they stand. */
function nameOf(source: TranscriptSource): string {
  if (source.kind !== "file") return source.name;
  const near = relative(process.cwd(), source.path);
  return near === "" || near.startsWith("..") ? source.path : near;
}
