/** Behind the action's door: from inputs and event to the one command, and from its result to what the runner reads. */
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { annotation } from "../cli/annotations.ts";
import { EXIT_BUG, SkillprError, systemFailure } from "../core/errors.ts";
import { ANNOTATIONS_MAX, OUTPUT_MAX_CHARS } from "../core/limits.ts";
import type { ProposalResult } from "../outcome.ts";
import type { ActionResult, ActionRun } from "./action-run.ts";
import { actionResult } from "./action-run.ts";
import { credentialValues, takeCredentials, valuesToMask } from "./credentials.ts";
import { readEvent } from "./event.ts";
import { type ActionCommand, parseInputs } from "./inputs.ts";
import {
  annotate,
  fail,
  log,
  mask,
  notice,
  readInput,
  setOutput,
  warn,
  writeSummary,
} from "./runner.ts";
import { whyNotHere } from "./safe-subset.ts";
import { summaryOf } from "./summary.ts";

type Command = (run: ActionRun) => Promise<ActionResult>;

/** Loaded when they run: the check needs neither the model's client nor GitHub's. */
const COMMANDS: Readonly<Record<ActionCommand, () => Promise<Command>>> = {
  review: async () => (await import("./review.ts")).runReview,
  publish: async () => (await import("./publish.ts")).runPublish,
  verify: async () => (await import("./verify.ts")).runVerify,
  run: async () => (await import("./run.ts")).runBoth,
  plan: async () => (await import("./plan.ts")).runPlan,
  revise: async () => (await import("./revise.ts")).runRevise,
};

/** Never throws: what goes wrong ends the step as failed, in words. */
export async function runAction(): Promise<void> {
  const secrets = credentialValues(process.env);
  // First of all: whatever is logged from here on shows none of them.
  for (const value of valuesToMask(secrets)) mask(value);
  try {
    const run = await prepare(secrets);
    const { command } = run.inputs;
    const reason = whyNotHere(command, run.event);
    if (reason !== null) notice(reason);
    const result =
      reason === null
        ? await (await COMMANDS[command]())(run)
        : actionResult({ outcome: "skipped", advice: [reason] });
    await report(command, run, result);
  } catch (error) {
    await reportFailure(error);
  }
}

async function prepare(secrets: readonly string[]): Promise<ActionRun> {
  const inputs = parseInputs(readInput);
  const event = await readEvent(process.env);
  const credentials = takeCredentials(inputs.command, readInput, process.env);
  const temp = process.env["RUNNER_TEMP"] || tmpdir();
  return {
    inputs,
    event,
    credentials,
    secrets,
    workspace: resolve(process.env["GITHUB_WORKSPACE"] || "."),
    temp,
    env: { ...process.env, CI: "true" },
  };
}

async function report(command: ActionCommand, run: ActionRun, result: ActionResult): Promise<void> {
  for (const finding of result.findings.slice(0, ANNOTATIONS_MAX)) annotate(annotation(finding));
  const { outcome, rows, proposals, findings, advice, exitCode } = result;
  proposals.forEach(tell);
  const dir = join(run.temp, "skillpr-report");
  await mkdir(dir, { recursive: true });
  const path = join(dir, `${command}.json`);
  const whole = { command, outcome, transcripts: rows, proposals, findings, advice };
  await writeFile(path, `${JSON.stringify(whole, null, 2)}\n`);
  setOutput("outcome", outcome);
  setOutput("proposals", bounded(proposals));
  const pulls = proposals.flatMap(({ pullRequest }) =>
    pullRequest?.number == null || pullRequest.operation === "blocked" ? [] : [pullRequest],
  );
  setOutput("pull-request-numbers", JSON.stringify(pulls.map(({ number }) => number)));
  setOutput("pull-request-urls", JSON.stringify(pulls.map(({ url }) => url)));
  setOutput("findings", bounded(findings));
  setOutput("report-path", path);
  const { writeHtmlReport } = await import("./html-report.ts");
  setOutput("html-report-path", (await writeHtmlReport(run, result, dir)) ?? "");
  for (const [name, value] of Object.entries(result.outputs)) setOutput(name, value);
  await writeSummary(summaryOf(command, result));
  if (exitCode !== 0) fail(advice[0] ?? `${command}: ${outcome}`, exitCode);
}

function tell({ skill, pullRequest, ...local }: ProposalResult): void {
  const { operation, reason, hint } = pullRequest ?? local;
  if (operation === "blocked") warn(`${skill} is blocked: ${reason ?? ""}; ${hint ?? ""}`);
  else log(`${skill}: ${operation}, ${pullRequest?.url ?? local.branch}`);
}

/** A JSON list that an output can hold; what is left out is in the report. */
function bounded(list: readonly unknown[]): string {
  let size = 2;
  const kept = list.filter((item) => {
    size += JSON.stringify(item).length + 1;
    return size <= OUTPUT_MAX_CHARS;
  });
  return JSON.stringify(kept);
}

async function reportFailure(thrown: unknown): Promise<void> {
  const error = systemFailure(thrown) ?? thrown;
  setOutput("outcome", "failed");
  if (error instanceof SkillprError) {
    const { message, hint, exitCode } = error;
    const result = actionResult({ outcome: "failed", advice: [`${message}: ${hint}`] });
    await writeSummary(summaryOf(parsedCommand(), result));
    fail(`${message}. ${hint}`, exitCode);
    return;
  }
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  fail("This is a bug in skillpr. Please report it to the project with the lines above.", EXIT_BUG);
}

/** For the heading, also when the inputs could not be read. */
function parsedCommand(): ActionCommand {
  return readInput("command") as ActionCommand;
}
