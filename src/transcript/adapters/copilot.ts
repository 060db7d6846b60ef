/**
 * GitHub Copilot CLI's events: `~/.copilot/session-state/<session>/events.jsonl`.
 *
 * One event a line, each with the id of the one before it. A call shows up several times: in the
 * message that asked for it, when it starts, when it is complete, and in hooks.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { exitCodeInText, isFailingExit } from "../exit-codes.ts";
import { userWords } from "../injected-text.ts";
import { asId, asRecord, asRecords, asText, type JsonRecord } from "../json-values.ts";
import { saysNeverRun } from "../refusals.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, ResultFacts, TurnDraft } from "../session-drafts.ts";
import { textOfBlocks } from "./content-blocks.ts";
import { ParentChain } from "./parent-chain.ts";

const EVENT =
  /^(?:session\.start|tool\.execution_(?:start|complete)|assistant\.message|user\.message)$/;

export const copilot: TranscriptFormat = {
  name: "copilot",
  agent: "copilot",
  label: "GitHub Copilot CLI sessions (.copilot/session-state/*/events.jsonl)",
  matches: ({ shape, records }) =>
    shape !== "list" &&
    records.some((record) => EVENT.test(asText(record["type"]) ?? "") && dataOf(record) !== null),
  open: (builder) => new CopilotAdapter(builder),
};

function dataOf(record: JsonRecord): JsonRecord | null {
  return asRecord(record["data"]);
}

class CopilotAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  readonly #chain = new ParentChain();
  /** Names of sub-agents by the call that started each. */
  readonly #agents = new Map<string, string>();
  /** Calls that the user made, not the agent. */
  readonly #byUser = new Set<string>();
  #cwd: string | null = null;
  #wasInterrupted = false;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    const data = dataOf(record) ?? {};
    const type = asText(record["type"]) ?? "";
    this.#builder.sawTime(record["timestamp"]);
    this.#chain.add(asId(record["id"]), asId(record["parentId"]));
    if (type.startsWith("session.")) this.#sessionEvent(type, data);
    else if (type === "user.message") this.#userMessage(record, data);
    else if (type === "assistant.message") this.#agentMessage(record, data);
    else if (type === "tool.user_requested") this.#byUser.add(asText(data["toolCallId"]) ?? "");
    else if (type === "tool.execution_start") this.#callStarted(record, data);
    else if (type === "tool.execution_complete") this.#callComplete(data);
    else if (type === "subagent.started") this.#noteAgent(data);
    else if (type === "abort") this.#wasInterrupted = true;
  }

  end(): void {
    this.#chain.markRewound();
  }

  #sessionEvent(type: string, data: JsonRecord): void {
    const facts = this.#builder.facts;
    const context = asRecord(data["context"]) ?? (type === "session.context_changed" ? data : null);
    this.#cwd = asId(context?.["cwd"]) ?? this.#cwd;
    facts.cwd ??= this.#cwd;
    facts.branch = asId(context?.["branch"]) ?? facts.branch;
    if (type === "session.start") {
      facts.id ??= asId(data["sessionId"]);
      facts.agentVersion ??= asId(data["copilotVersion"]);
      facts.model ??= asId(data["selectedModel"]);
    } else if (type === "session.model_change") {
      facts.model = asId(data["newModel"]) ?? facts.model;
    }
  }

  /** `content` is what was typed; what the model was given of it stands elsewhere. */
  #userMessage(record: JsonRecord, data: JsonRecord): void {
    const source = asText(data["source"]);
    if (source !== null && source !== "user") return;
    const words = userWords(textOfBlocks(data["content"]) ?? "");
    if (words === "") return;
    const turn = this.#turn(record, data, "user");
    if (turn.subagent === null) {
      turn.midTurn = this.#wasInterrupted || data["delivery"] === "steering";
      this.#wasInterrupted = false;
    }
    this.#builder.say(turn, words);
  }

  #agentMessage(record: JsonRecord, data: JsonRecord): void {
    const turn = this.#turn(record, data, "agent");
    const model = asId(data["model"]);
    if (turn.subagent === null && model !== null) this.#builder.facts.model = model;
    this.#builder.say(turn, textOfBlocks(data["content"]) ?? "");
    for (const call of asRecords(data["toolRequests"])) {
      this.#call(turn, call, call["name"], record);
    }
  }

  /** Of use for a call that no message asked for. Without an id it can't be told which one it is. */
  #callStarted(record: JsonRecord, data: JsonRecord): void {
    const id = asId(data["toolCallId"]);
    if (id === null || this.#builder.hasCall(id) || this.#byUser.has(id)) return;
    this.#call(this.#turn(record, data, "agent"), data, data["toolName"], record);
  }

  #callComplete(data: JsonRecord): void {
    const id = asId(data["toolCallId"]);
    if (id === null || !this.#byUser.has(id))
      this.#builder.answer(id, (call) => resultOf(data, call));
  }

  #call(turn: TurnDraft, call: JsonRecord, name: unknown, record: JsonRecord): void {
    const { toolCallId: id, arguments: args } = call;
    this.#builder.call(turn, { id, name, args, cwd: this.#cwd, at: record["timestamp"] });
  }

  #noteAgent(data: JsonRecord): void {
    const id = asId(data["toolCallId"]);
    const name = asId(data["agentName"]) ?? asId(data["agentDisplayName"]);
    if (id !== null && name !== null) this.#agents.set(id, name);
  }

  #turn(record: JsonRecord, data: JsonRecord, role: "user" | "agent"): TurnDraft {
    const id = asId(record["id"]);
    const parent = asId(data["parentToolCallId"]);
    const subagent = parent === null ? null : (this.#agents.get(parent) ?? parent);
    const turn = this.#builder.turn(asId(data["messageId"]) ?? id, {
      role,
      subagent,
      at: record["timestamp"],
    });
    if (subagent === null) this.#chain.belongs(id, turn);
    return turn;
  }
}

/** Codes of the error of a call that was never run. */
const NEVER_RUN = /^(?:denied|rejected|cancell?ed|aborted)$/;

function resultOf(data: JsonRecord, call: CallDraft): ResultFacts {
  const error = asRecord(data["error"]);
  const result = asRecord(data["result"]);
  const text =
    asText(error?.["message"]) ?? asText(data["error"]) ?? textOfBlocks(result?.["content"]);
  const isError = data["success"] === false;
  const code = asText(error?.["code"]) ?? "";
  if (isError && (NEVER_RUN.test(code) || saysNeverRun(text ?? "")))
    return { text, outcome: "cancelled", exitCode: null };
  const exitCode = call.kind === "shell" ? exitCodeInText(text ?? "") : null;
  const failed = isError || (exitCode !== null && isFailingExit(exitCode, call.command));
  return { text, outcome: failed ? "failure" : "success", exitCode };
}
