/**
 * OpenHands: a list of events, its store as lines (what the conversation is first, then its events), and the
 * output of an evaluation (a line an instance, its events under `history`). Events of version 1 are read
 * in a file of their own.
 *
 * An action of the agent is a call; the observation that names it as its cause is the result. Old
 * events have no ids: there an observation follows its action. The model's whole response, which
 * newer events carry, repeats the call.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { isFailingExit } from "../exit-codes.ts";
import { parseObject } from "../json-objects.ts";
import {
  asId,
  asInteger,
  asList,
  asRecord,
  asRecords,
  asText,
  type JsonRecord,
} from "../json-values.ts";
import { saysNeverRun } from "../refusals.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, ResultFacts } from "../session-drafts.ts";
import { isSdkEvent, readSdkEvent } from "./openhands-sdk.ts";

/** What the agent does that is no call of a tool. */
const NO_CALLS = new Set([
  "message",
  "system",
  "change_agent_state",
  "recall",
  "null",
  "condensation",
  "condensation_request",
  "push",
  "send_pr",
]);
/** Arguments that tell of the program, not of what the call does. */
const OWN_ARGUMENTS = new Set(
  "action args source id timestamp cause message thought timeout tool_call_metadata model_response kernel_init_code keep_prompt is_confirmed confirmation_state action_risk security_risk is_input blocking hidden impl_source translated_ipython_code llm_metrics".split(
    " ",
  ),
);

export const openhands: TranscriptFormat = {
  name: "openhands",
  agent: "openhands",
  label: "OpenHands events and evaluation output",
  matches: ({ records }) =>
    records.some((record) => isEvent(record) || isInstance(record) || isSdkEvent(record)),
  open: (builder) => new OpenhandsAdapter(builder),
};

function isEvent(record: JsonRecord): boolean {
  const what = asText(record["action"]) ?? asText(record["observation"]);
  return what !== null && /^(?:agent|user|environment)$/.test(asText(record["source"]) ?? "");
}

function isInstance(record: JsonRecord): boolean {
  return Array.isArray(record["history"]) && typeof record["instruction"] === "string";
}

class OpenhandsAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  /** Calls by the id of their event, until they are answered. */
  #calls = new Map<number, CallDraft>();
  /** The last action, while nothing answers it. */
  #last: CallDraft | null = null;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    if (isInstance(record)) this.#instance(record);
    else if (asText(record["conversation_id"]) !== null) this.#conversation(record);
    else if (isSdkEvent(record)) readSdkEvent(record, this.#builder);
    else this.#event(record);
  }

  end(): void {}

  /** What the store knows beside the events. */
  #conversation(record: JsonRecord): void {
    const facts = this.#builder.facts;
    facts.id = asId(record["conversation_id"]);
    facts.cwd = asId(record["working_dir"]);
    facts.branch = asId(record["selected_branch"]);
    facts.model = asId(record["model"]);
  }

  #instance(record: JsonRecord): void {
    this.#calls = new Map();
    this.#last = null;
    // Older versions pair each action with its observation.
    for (const event of asRecords(asList(record["history"]).flat())) {
      if (isSdkEvent(event)) readSdkEvent(event, this.#builder);
      else this.#event(event);
    }
  }

  #event(event: JsonRecord): void {
    this.#builder.sawTime(event["timestamp"]);
    const action = asText(event["action"]);
    const observation = asText(event["observation"]);
    if (observation !== null) this.#observe(event, observation);
    else if (action === "message") this.#say(event);
    else if (action !== null && !NO_CALLS.has(action) && event["source"] !== "environment") {
      this.#act(event, action);
    }
  }

  /** Old events don't name their source: the first message is the task. */
  #say(event: JsonRecord): void {
    const args = asRecord(event["args"]) ?? event;
    const text = asText(args["content"]) ?? "";
    const isUser = (asText(event["source"]) ?? "user") === "user";
    const role = isUser ? "user" : "agent";
    const midTurn = isUser && this.#last !== null;
    this.#builder.say(this.#builder.turn(null, { role, at: event["timestamp"], midTurn }), text);
  }

  #act(event: JsonRecord, action: string): void {
    const at = event["timestamp"];
    const args = asRecord(event["args"]) ?? event;
    const called = calledIn(asRecord(event["tool_call_metadata"]));
    const turn = this.#builder.turn(null, { role: "agent", at });
    this.#builder.say(turn, asText(args["thought"]) ?? "");
    if (called !== null) this.#builder.facts.model = called.model ?? this.#builder.facts.model;
    const given = called?.args ?? ownArguments(args);
    const call = this.#builder.call(turn, {
      id: called?.id ?? null,
      name: called?.name ?? action,
      // The editor tool reads too; only the action says so for certain.
      args: action === "read" ? { ...given, command: "view" } : given,
      at,
    });
    const id = asInteger(event["id"]);
    if (id !== null) this.#calls.set(id, call);
    this.#last = action === "finish" ? null : call;
  }

  #observe(event: JsonRecord, observation: string): void {
    const cause = asInteger(event["cause"]);
    const known = cause === null ? undefined : this.#calls.get(cause);
    // Without ids the observation belongs to the action before it.
    const call = known ?? (event["id"] === undefined ? this.#last : null);
    if (call === undefined || call === null) return;
    if (cause !== null) this.#calls.delete(cause);
    if (call === this.#last) this.#last = null;
    this.#builder.settle(call, observed(event, observation, call));
  }
}

interface Called {
  readonly id: string | null;
  readonly name: string | null;
  readonly args: JsonRecord | null;
  readonly model: string | null;
}

/** The model's own call behind an action, where the event carries it. */
function calledIn(metadata: JsonRecord | null): Called | null {
  if (metadata === null) return null;
  const response = asRecord(metadata["model_response"]);
  const id = asId(metadata["tool_call_id"]);
  const calls = asRecords(response?.["choices"]).flatMap((choice) =>
    asRecords(asRecord(choice["message"])?.["tool_calls"]),
  );
  const own = asRecord(calls.find((call) => id !== null && call["id"] === id)?.["function"]);
  return {
    id,
    name: asText(metadata["function_name"]),
    args: asRecord(own?.["arguments"]) ?? parseObject(asText(own?.["arguments"]) ?? ""),
    model: asId(response?.["model"]),
  };
}

function ownArguments(args: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(args).filter(([key]) => !OWN_ARGUMENTS.has(key)));
}

function observed(event: JsonRecord, observation: string, call: CallDraft): ResultFacts {
  const extras = asRecord(event["extras"]) ?? event;
  const text = asText(event["content"]) ?? asText(extras["formatted_output_and_error"]) ?? "";
  const code =
    asInteger(asRecord(extras["metadata"])?.["exit_code"]) ?? asInteger(extras["exit_code"]);
  // -1: the command still ran when the screen was read.
  const exitCode = code === -1 ? null : code;
  if (observation === "user_rejected" || saysNeverRun(text)) {
    return { text, outcome: "cancelled", exitCode: null };
  }
  const failed =
    observation === "error" ||
    (event["success"] === false && code !== -1) ||
    (exitCode !== null && isFailingExit(exitCode, call.command));
  return { text, outcome: failed ? "failure" : "success", exitCode };
}
