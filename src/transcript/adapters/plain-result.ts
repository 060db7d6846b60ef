import { exitCodeInObject, exitCodeInText, isFailingExit } from "../exit-codes.ts";
import { parseObject } from "../json-objects.ts";
import { asRecord, asText, type JsonRecord } from "../json-values.ts";
import { saysNeverRun } from "../refusals.ts";
import type { ToolOutcome } from "../session.ts";
import type { CallDraft, ResultFacts } from "../session-drafts.ts";

/**
 * What a result says of its call in a format that has no flag for it: an exit code, a JSON object
 * with `error` or `success: false`, or a text that begins as an error.
 */
export function plainResult(
  message: JsonRecord,
  text: string | null,
  call: CallDraft,
): ResultFacts {
  // What a file holds says nothing of how reading it went.
  const isContent = call.kind === "read" || call.kind === "search";
  const isObject = !isContent && text?.trimStart().startsWith("{") === true;
  const answer = isObject ? parseObject(text) : null;
  const exitCode =
    exitCodeInObject(message) ?? exitCodeInObject(answer) ?? exitCodeOfShell(text, call);
  return { text, exitCode, outcome: plainOutcome(answer, text ?? "", exitCode, call) };
}

function exitCodeOfShell(text: string | null, call: CallDraft): number | null {
  return call.kind === "shell" ? exitCodeInText(text ?? "") : null;
}

function plainOutcome(
  answer: JsonRecord | null,
  text: string,
  exitCode: number | null,
  call: CallDraft,
): ToolOutcome {
  if (saysNeverRun(text)) return "cancelled";
  if (exitCode !== null) return isFailingExit(exitCode, call.command) ? "failure" : "success";
  const error = answer?.["error"];
  const tellsError = asText(error) !== null || asRecord(error) !== null || error === true;
  if (tellsError || answer?.["success"] === false) return "failure";
  return /^\s*(?:<error>|error(?: executing[^:\n]{0,80})?:\s)/i.test(text) ? "failure" : "success";
}
