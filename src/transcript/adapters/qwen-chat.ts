/**
 * Qwen Code's chat records: `~/.qwen/projects/<folder>/chats/<session>.jsonl`.
 *
 * One record a line. Calls stand in `assistant` records, each result in a `tool_result` record of
 * its own. Three traps: records that the user went back over stay in the file; several lines may
 * share one uuid and are then one message; calls of sub-agents may exist as telemetry only.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { userWords } from "../injected-text.ts";
import { asId, asRecord, asRecords, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallFacts, TurnDraft } from "../session-drafts.ts";
import { ParentChain } from "./parent-chain.ts";
import { qwenResult } from "./qwen-result.ts";
import { readToolTelemetry } from "./qwen-telemetry.ts";
import { readRecordFacts } from "./record-facts.ts";

const TYPES = new Set(["user", "assistant", "tool_result", "system"]);

export const qwenChat: TranscriptFormat = {
  name: "qwen-chat",
  agent: "qwen-code",
  label: "Qwen Code chat records (.qwen/projects/*/chats/*.jsonl)",
  matches: ({ records }) => records.some(isQwenRecord) && !records.some(isManagedHeader),
  open: (builder) => new QwenChatAdapter(builder),
};

/** Claude Code's records look alike, but hold `message.content`. */
function isQwenRecord(record: JsonRecord): boolean {
  if (!TYPES.has(asText(record["type"]) ?? "")) return false;
  if (asText(record["uuid"]) === null || asText(record["sessionId"]) === null) return false;
  const message = asRecord(record["message"]);
  return Array.isArray(message?.["parts"]) || asRecord(record["systemPayload"]) !== null;
}

/** Sessions of Qwen Code's managed engine hold their conversation in another way. */
export function isManagedHeader(record: JsonRecord): boolean {
  const marker = "managed_session_header_v1";
  return record["subtype"] === marker || record["type"] === marker;
}

class QwenChatAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  readonly #chain = new ParentChain();
  /** Names and ids of sub-agents that have records of their own: their telemetry repeats these. */
  readonly #recordedAgents = new Set<string>();

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    readRecordFacts(this.#builder, record);
    const agent = subagentOf(record);
    const key = asId(record["uuid"]);
    let isNew = true;
    if (agent === null) isNew = this.#chain.add(key, asId(record["parentUuid"]));
    else this.#noteAgent(record, agent);
    const type = record["type"];
    if (type === "assistant") this.#agentMessage(record, agent, key);
    else if (type === "tool_result") this.#results(record);
    else if (type === "user") this.#userMessage(record, agent, key);
    // Calls are told apart by their ids, which telemetry doesn't have.
    else if (type === "system" && isNew)
      readToolTelemetry(this.#builder, record, this.#recordedAgents);
  }

  end(): void {
    this.#chain.markRewound();
  }

  #noteAgent(record: JsonRecord, agent: string): void {
    this.#recordedAgents.add(agent);
    const id = asId(record["agentId"]);
    if (id !== null) this.#recordedAgents.add(id);
  }

  #agentMessage(record: JsonRecord, agent: string | null, key: string | null): void {
    if (agent === null)
      this.#builder.facts.model = asText(record["model"]) ?? this.#builder.facts.model;
    const turn = this.#turn(record, "agent", agent, key);
    for (const part of partsOf(record)) {
      const text = asText(part["text"]);
      if (text !== null && part["thought"] !== true) this.#builder.say(turn, text);
      const call = asRecord(part["functionCall"]);
      if (call !== null) this.#builder.call(turn, callFacts(call, record));
    }
  }

  #userMessage(record: JsonRecord, agent: string | null, key: string | null): void {
    this.#results(record);
    if (!isFromUser(record)) return;
    const text = userText(record);
    if (text === "") return;
    const turn = this.#turn(record, "user", agent, key);
    if (record["subtype"] === "mid_turn_user_message") turn.midTurn = true;
    this.#builder.say(turn, text);
  }

  #turn(
    record: JsonRecord,
    role: "user" | "agent",
    subagent: string | null,
    key: string | null,
  ): TurnDraft {
    const turn = this.#builder.turn(key, { role, subagent, at: record["timestamp"] });
    if (subagent === null) this.#chain.belongs(key, turn);
    return turn;
  }

  #results(record: JsonRecord): void {
    const responses = partsOf(record).flatMap((part) => {
      const response = asRecord(part["functionResponse"]);
      return response === null ? [] : [response];
    });
    const outcome = asRecord(record["toolCallResult"]);
    for (const response of responses) {
      // The call id of the record is the authority, but it names one call only.
      const id = responses.length === 1 ? asId(outcome?.["callId"]) : null;
      this.#builder.answer(
        this.#builder.hasCall(id) ? id : response["id"],
        (call) => qwenResult(response, outcome, call),
        asText(response["name"]),
      );
    }
  }
}

function partsOf(record: JsonRecord): JsonRecord[] {
  return asRecords(asRecord(record["message"])?.["parts"]);
}

function callFacts(call: JsonRecord, record: JsonRecord): CallFacts {
  return {
    id: call["id"],
    name: call["name"],
    args: call["args"],
    cwd: asId(record["cwd"]),
    at: record["timestamp"],
  };
}

/** The sub-agent that wrote a record, or null for the main thread. */
function subagentOf(record: JsonRecord): string | null {
  const name = asId(record["agentName"]) ?? asId(record["agentId"]);
  return name ?? (record["isSidechain"] === true ? "sub-agent" : null);
}

/** Newer versions say where a message comes from; older ones know only the mid-turn subtype. */
function isFromUser(record: JsonRecord): boolean {
  const provenance = asText(record["provenance"]);
  if (provenance !== null) return provenance === "real_user";
  const subtype = asText(record["subtype"]);
  return subtype === null || subtype === "mid_turn_user_message";
}

/** The user's own words: without the text of hooks and without the content of mentioned files. */
function userText(record: JsonRecord): string {
  const payload = asRecord(record["systemPayload"]);
  const shown = asText(payload?.["displayText"]);
  if (shown !== null && typeof payload?.["hookContext"] === "string") return userWords(shown);
  const words: string[] = [];
  for (const part of partsOf(record)) {
    const text = asText(part["text"]);
    if (text === null || part["thought"] === true) continue;
    if (/^\s*-{2,} Content from referenced files -{2,}/.test(text)) break;
    words.push(userWords(text));
  }
  return words.filter((text) => text !== "").join("\n");
}
