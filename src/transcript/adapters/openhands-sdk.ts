/**
 * Events of OpenHands' version 1, as its agent SDK writes them: `kind` says what an event is, a call and its
 * result share a `tool_call_id`.
 */
import { isFailingExit } from "../exit-codes.ts";
import { parseObject } from "../json-objects.ts";
import { asInteger, asRecord, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, ResultFacts } from "../session-drafts.ts";
import { textOfBlocks } from "./content-blocks.ts";

const KINDS = new Set([
  "SystemPromptEvent",
  "MessageEvent",
  "ActionEvent",
  "ObservationEvent",
  "UserRejectObservation",
  "AgentErrorEvent",
]);

export function isSdkEvent(record: JsonRecord): boolean {
  return KINDS.has(asText(record["kind"]) ?? "") && asText(record["source"]) !== null;
}

/** Adds an event that `isSdkEvent` accepts; the prompt of the system is no part of the conversation. */
export function readSdkEvent(event: JsonRecord, builder: SessionBuilder): void {
  builder.sawTime(event["timestamp"]);
  const { kind } = event;
  if (kind === "MessageEvent") say(event, builder);
  else if (kind === "ActionEvent") act(event, builder);
  else if (kind !== "SystemPromptEvent") {
    builder.answer(
      event["tool_call_id"],
      (call) => resultOf(event, call),
      asText(event["tool_name"]),
    );
  }
}

function say(event: JsonRecord, builder: SessionBuilder): void {
  // The program's own reminders come from the environment.
  const role = { user: "user", agent: "agent" }[String(event["source"])] as
    | "user"
    | "agent"
    | undefined;
  const text = textOfBlocks(asRecord(event["llm_message"])?.["content"]) ?? "";
  if (role === undefined || text === "") return;
  builder.say(builder.turn(null, { role, at: event["timestamp"] }), text);
}

/** Calls that the model made at once share a response, and so a turn. */
function act(event: JsonRecord, builder: SessionBuilder): void {
  const at = event["timestamp"];
  const call = asRecord(event["tool_call"]);
  const turn = builder.turn(asText(event["llm_response_id"]), { role: "agent", at });
  builder.say(turn, textOfBlocks(event["thought"]) ?? "");
  builder.call(turn, {
    id: event["tool_call_id"],
    name: asText(event["tool_name"]) ?? call?.["name"],
    args: parseObject(asText(call?.["arguments"]) ?? "") ?? argumentsOf(event["action"]),
    at,
  });
}

/** The action as the program understood it; its own type stands among the arguments. */
function argumentsOf(action: unknown): JsonRecord {
  const { kind, ...args } = asRecord(action) ?? {};
  return args;
}

function resultOf(event: JsonRecord, call: CallDraft): ResultFacts {
  if (event["kind"] === "AgentErrorEvent") {
    return { text: asText(event["error"]), outcome: "failure", exitCode: null };
  }
  if (event["kind"] === "UserRejectObservation") {
    return { text: asText(event["rejection_reason"]), outcome: "cancelled", exitCode: null };
  }
  const observation = asRecord(event["observation"]) ?? {};
  const code =
    asInteger(observation["exit_code"]) ??
    asInteger(asRecord(observation["metadata"])?.["exit_code"]);
  // -1: the command still ran when the screen was read.
  const exitCode = code === -1 || call.kind !== "shell" ? null : code;
  const text =
    textOfBlocks(observation["content"]) ??
    textOfBlocks(observation["output"]) ??
    asText(observation["error"]);
  const failed =
    observation["is_error"] === true ||
    asText(observation["error"]) !== null ||
    (exitCode !== null && isFailingExit(exitCode, call.command));
  return { text, outcome: failed ? "failure" : "success", exitCode };
}
