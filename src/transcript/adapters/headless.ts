/**
 * Headless output (`--output-format json` or `stream-json`) of Qwen Code and Claude Code: one
 * list, or a record a line, in the same shape. Qwen Code's names `qwen_code_version`.
 *
 * A message is often spread over several `assistant` records, a block each; the ones before the
 * last have no stop reason. `stream_event` records repeat what follows and are not read.
 */
import type { TranscriptAdapter, TranscriptFormat, TranscriptSample } from "../adapter.ts";
import { userWords } from "../injected-text.ts";
import { asId, asRecord, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { TurnDraft } from "../session-drafts.ts";
import { headlessResult } from "./claude-result.ts";
import { addAgentBlocks, addResultBlocks, userTexts } from "./content-blocks.ts";

export const qwenHeadless: TranscriptFormat = {
  name: "qwen-headless",
  agent: "qwen-code",
  label: "Qwen Code headless output (--output-format json or stream-json)",
  matches: (sample) => firstOf(sample)?.["qwen_code_version"] !== undefined,
  open: (builder) => new HeadlessAdapter(builder),
};

export const claudeHeadless: TranscriptFormat = {
  name: "claude-headless",
  agent: "claude-code",
  label: "Claude Code headless output (--output-format json or stream-json)",
  matches: (sample) => firstOf(sample) !== null,
  open: (builder) => new HeadlessAdapter(builder),
};

/** The record that starts a run: `init`, in older versions `session_start`. */
function firstOf(sample: TranscriptSample): JsonRecord | null {
  const isStart = (record: JsonRecord) =>
    record["type"] === "system" &&
    (record["subtype"] === "init" || record["subtype"] === "session_start") &&
    asText(record["session_id"]) !== null &&
    record["sessionId"] === undefined;
  return sample.records.find(isStart) ?? null;
}

class HeadlessAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  /** The message that the next `assistant` record of this thread continues. */
  #open: { turn: TurnDraft; parent: string | null } | null = null;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    this.#readFacts(record);
    if (record["type"] === "assistant") this.#agentMessage(record);
    else if (record["type"] === "user") this.#userMessage(record);
  }

  end(): void {}

  #readFacts(record: JsonRecord): void {
    const facts = this.#builder.facts;
    facts.id ??= asId(record["session_id"]);
    this.#builder.sawTime(record["timestamp"]);
    if (record["type"] !== "system") return;
    facts.cwd ??= asId(record["cwd"]);
    facts.model ??= asId(record["model"]);
    facts.agentVersion ??= asId(record["qwen_code_version"]) ?? asId(record["claude_code_version"]);
  }

  #agentMessage(record: JsonRecord): void {
    const message = asRecord(record["message"]);
    const parent = asId(record["parent_tool_use_id"]);
    const at = record["timestamp"];
    const continued = this.#open !== null && this.#open.parent === parent ? this.#open.turn : null;
    const key = `${parent ?? ""} ${asId(message?.["id"]) ?? asId(record["uuid"]) ?? ""}`;
    const turn =
      continued ??
      this.#builder.turn(key.trim() === "" ? null : key, {
        role: "agent",
        subagent: this.#subagent(parent),
        at,
      });
    addAgentBlocks(this.#builder, turn, message, { at });
    const goesOn = message !== null && "stop_reason" in message && message["stop_reason"] === null;
    this.#open = goesOn ? { turn, parent } : null;
  }

  #userMessage(record: JsonRecord): void {
    this.#open = null;
    addResultBlocks(this.#builder, record["message"], headlessResult);
    if (record["isSynthetic"] === true || record["isMeta"] === true) return;
    const parent = asId(record["parent_tool_use_id"]);
    const words = userTexts(record["message"]).map(userWords).join("\n").trim();
    if (words === "") return;
    const facts = {
      role: "user",
      subagent: this.#subagent(parent),
      at: record["timestamp"],
    } as const;
    this.#builder.say(this.#builder.turn(asId(record["uuid"]), facts), words);
  }

  /** A sub-agent is known by the call that started it, which may name its kind. */
  #subagent(parent: string | null): string | null {
    if (parent === null) return null;
    const args = this.#builder.findCall(parent)?.args;
    return asText(args?.["subagent_type"]) ?? asText(args?.["subagentName"]) ?? parent;
  }
}
