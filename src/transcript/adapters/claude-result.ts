import { exitCodeInText, isFailingExit } from "../exit-codes.ts";
import { asRecord, asText, type JsonRecord } from "../json-values.ts";
import { saysNeverRun } from "../refusals.ts";
import type { ToolOutcome } from "../session.ts";
import type { CallDraft, ResultFacts } from "../session-drafts.ts";

/**
 * What a `tool_result` block says of its call.
 * @param record the line that holds it: it may carry a structured copy (`toolUseResult`)
 */
export function claudeResult(
  record: JsonRecord,
  block: JsonRecord,
  text: string | null,
  call: CallDraft,
): ResultFacts {
  const outcome = claudeOutcome(record, block, text ?? "");
  return {
    text,
    outcome,
    exitCode: call.kind === "shell" ? exitCode(record, text, outcome) : null,
  };
}

function claudeOutcome(record: JsonRecord, block: JsonRecord, text: string): ToolOutcome {
  if (asText(record["toolDenialKind"]) !== null) return "cancelled";
  const isError = block["is_error"] === true || text.startsWith("<tool_use_error>");
  if (!isError) return "success";
  return saysNeverRun(text) ? "cancelled" : "failure";
}

/** A failure's text begins with the exit code; of a success only the structured copy says that it ended. */
function exitCode(record: JsonRecord, text: string | null, outcome: ToolOutcome): number | null {
  if (outcome === "cancelled") return null;
  if (outcome === "failure") return exitCodeInText((text ?? "").split("\n", 1)[0] ?? "");
  const copy = asRecord(record["toolUseResult"]);
  if (typeof copy?.["stdout"] !== "string" || copy["interrupted"] === true) return null;
  const isHandedOff = copy["backgroundTaskId"] !== undefined || copy["shellId"] !== undefined;
  return isHandedOff || asText(copy["returnCodeInterpretation"]) !== null ? null : 0;
}

/** The same for headless output, where a Qwen Code shell result tells its exit code in the text. */
export function headlessResult(
  block: JsonRecord,
  text: string | null,
  call: CallDraft,
): ResultFacts {
  const exit = call.kind === "shell" ? exitCodeInText(text ?? "") : null;
  const outcome = claudeOutcome({}, block, text ?? "");
  const failed = exit !== null && isFailingExit(exit, call.command);
  return { text, exitCode: exit, outcome: outcome === "success" && failed ? "failure" : outcome };
}
