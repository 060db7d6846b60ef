import { exitCodeInObject, exitCodeInText, isFailingExit } from "../exit-codes.ts";
import { asRecord, asText, type JsonRecord } from "../json-values.ts";
import { saysNeverRun } from "../refusals.ts";
import type { ToolOutcome } from "../session.ts";
import type { CallDraft, ResultFacts } from "../session-drafts.ts";

/**
 * What a Qwen Code result says of its call.
 * @param response the `functionResponse` part
 * @param outcome the record's `toolCallResult`, which some files lack
 */
export function qwenResult(
  response: JsonRecord,
  outcome: JsonRecord | null,
  call: CallDraft,
): ResultFacts {
  const answer = asRecord(response["response"]);
  const error = asText(answer?.["error"]);
  const text = error ?? textOf(answer?.["output"]) ?? textOf(outcome?.["resultDisplay"]);
  const exitCode =
    call.kind === "shell"
      ? (exitCodeInObject(outcome?.["resultDisplay"]) ?? exitCodeInText(text ?? ""))
      : null;
  return { text, exitCode, outcome: qwenOutcome(outcome, error, text ?? "", exitCode, call) };
}

/**
 * Up to 0.15 a command that fails is recorded as a success whose text tells the exit code; later
 * it is an error, but for commands such as `grep` whose exit code 1 is an answer.
 */
function qwenOutcome(
  outcome: JsonRecord | null,
  error: string | null,
  text: string,
  exitCode: number | null,
  call: CallDraft,
): ToolOutcome {
  const status = asText(outcome?.["status"]);
  if (status === "cancelled" || saysNeverRun(text)) return "cancelled";
  if (asText(outcome?.["errorType"]) === "execution_denied") return "cancelled";
  if (status === "error" || error !== null) return "failure";
  if (exitCode !== null && isFailingExit(exitCode, call.command)) return "failure";
  return "success";
}

function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return null;
  const inner = asText(asRecord(value)?.["text"]) ?? asText(asRecord(value)?.["output"]);
  return inner ?? JSON.stringify(value);
}
