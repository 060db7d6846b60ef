/**
 * The runner that started this action: its inputs, and what it reads of us. The only file that
 * uses GitHub's toolkit. Nothing foreign gets past log-text.ts into the log.
 */
import * as core from "@actions/core";
import { STEP_SUMMARY_MAX_BYTES } from "../core/limits.ts";
import { logText } from "./log-text.ts";

/** An input as the workflow gave it, without the blanks around it; empty when it gave none. */
export function readInput(name: string): string {
  return core.getInput(name);
}

/** From now on the runner shows `***` wherever the value stands in the log. */
export function mask(value: string): void {
  core.setSecret(value);
}

/** Several lines are fine: the toolkit delimits them by a random word. */
export function setOutput(name: string, value: string): void {
  core.setOutput(name, value);
}

export function log(text: string): void {
  core.info(logText(text));
}

export function warn(text: string): void {
  core.warning(logText(text));
}

export function notice(text: string): void {
  core.notice(logText(text));
}

/** One workflow command that annotations.ts made: it escapes by itself. */
export function annotate(command: string): void {
  process.stdout.write(`${command}\n`);
}

/** Folds what is logged meanwhile. */
export function group<T>(title: string, work: () => Promise<T>): Promise<T> {
  return core.group(logText(title), work);
}

/** Ends the step as failed, once the process ends; the reason becomes an annotation. */
export function fail(text: string, exitCode: number): void {
  core.error(logText(text));
  process.exitCode = exitCode;
}

/**
 * Adds Markdown to the job's summary. A runner without one (an old server) shows none. What is larger
 * than a runner takes would be thrown away whole, so it is cut at a line.
 */
export async function writeSummary(markdown: string): Promise<void> {
  if (!process.env["GITHUB_STEP_SUMMARY"]) return;
  await core.summary.addRaw(fitting(markdown), true).write();
}

function fitting(markdown: string): string {
  if (Buffer.byteLength(markdown) <= STEP_SUMMARY_MAX_BYTES) return markdown;
  const kept = Buffer.from(markdown).subarray(0, STEP_SUMMARY_MAX_BYTES).toString("utf8");
  return `${kept.slice(0, kept.lastIndexOf("\n"))}\n\n_The rest is in the report (output \`report-path\`)._\n`;
}
