import { exitCodeInObject, exitCodeInText, isFailingExit } from "../exit-codes.ts";
import { parseObject } from "../json-objects.ts";
import { asRecord, asText, type JsonRecord } from "../json-values.ts";
import { saysNeverRun } from "../refusals.ts";
import type { ToolOutcome } from "../session.ts";
import type { CallDraft, ResultFacts } from "../session-drafts.ts";
import { textOfBlocks } from "./content-blocks.ts";

/** How Codex begins the output of a call that it could not run or whose run failed. */
const FAILED =
  /^\s*(?:apply_patch verification failed|execution error|failed in sandbox|exec_command failed|tool call error|command timed out|failed to parse (?:function )?arguments|unsupported (?:custom tool )?call|<error>|error(?: executing[^:\n]{0,80})?:\s)/i;

/** What stands in place of the output of a call that the user stopped. */
const ABORTED = /^\s*aborted(?: by user(?: after [\d.]+ ?s)?)?\s*$/i;

/** What an output item says of its call. The format has no flag for a failure. */
export function responseResult(item: JsonRecord, call: CallDraft): ResultFacts {
  const { text, exitCode, isError } = outputOf(item, call);
  const outcome = outcomeOf(text ?? "", exitCode, isError, call);
  const tells = call.kind === "shell" && outcome !== "cancelled";
  return { text, exitCode: tells ? exitCode : null, outcome };
}

interface Output {
  readonly text: string | null;
  readonly exitCode: number | null;
  readonly isError: boolean;
}

/** The output is a text, a JSON text with the exit code beside it, one block or a list of them. */
function outputOf(item: JsonRecord, call: CallDraft): Output {
  const value = item["output"] ?? item["result"] ?? item["tools"];
  const parsed =
    typeof value === "string" && value.startsWith("{") ? parseObject(value) : asRecord(value);
  const isWrapped = typeof parsed?.["output"] === "string" && asRecord(parsed["metadata"]) !== null;
  if (parsed !== null && isWrapped) {
    const text = String(parsed["output"]);
    return { text, exitCode: exitCodeInObject(parsed), isError: false };
  }
  return { ...withoutHeader(textOf(value), call), isError: isFailed(value) };
}

function textOf(value: unknown): string | null {
  const block = asRecord(value);
  if (block !== null) return asText(block["text"]) ?? textOfBlocks(block["content"]);
  const text = textOfBlocks(value);
  return text ?? (Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : null);
}

/** Older versions wrap an output with a flag for the model's server. */
function isFailed(value: unknown): boolean {
  return asRecord(value)?.["success"] === false;
}

/** Codex writes `Exit code: 1` or `Process exited with code 1` and more above a line `Output:`. */
function withoutHeader(text: string | null, call: CallDraft): Omit<Output, "isError"> {
  const mark = /^Output:[ \t]*\n?/m.exec(text ?? "");
  if (text === null || mark === null) {
    const isShell = call.kind === "shell" && text !== null;
    return { text, exitCode: isShell ? exitCodeInText(text) : null };
  }
  const exitCode = exitCodeInText(text.slice(0, mark.index));
  // A header without an exit code tells of something else: that the command is still running.
  return { text: exitCode === null ? text : text.slice(mark.index + mark[0].length), exitCode };
}

function outcomeOf(
  text: string,
  exitCode: number | null,
  isError: boolean,
  call: CallDraft,
): ToolOutcome {
  if (ABORTED.test(text) || saysNeverRun(text)) return "cancelled";
  if (exitCode !== null) return isFailingExit(exitCode, call.command) ? "failure" : "success";
  // What a file holds says nothing of how reading it went.
  const isContent = call.kind === "read" || call.kind === "search";
  return isError || (!isContent && FAILED.test(text)) ? "failure" : "success";
}
