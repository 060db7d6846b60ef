/**
 * Claude Code's session files: `~/.claude/projects/<folder>/<session>.jsonl`, and the web's
 * `{"loglines": […]}`.
 *
 * One line a content block: lines of one message share `message.id`. Sub-agents stand in the same
 * file (`isSidechain`), in a file of their own, or mirrored in `progress` records. Much of what
 * stands under `user` was put there by the program.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { saysInterrupted, userWords } from "../injected-text.ts";
import { asId, asRecord, asRecords, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import { AbandonedTurns } from "./abandoned-turns.ts";
import { claudeResult } from "./claude-result.ts";
import { addAgentBlocks, addResultBlocks, textOfBlocks, userTexts } from "./content-blocks.ts";
import { readRecordFacts } from "./record-facts.ts";

export const claudeCode: TranscriptFormat = {
  name: "claude-code",
  agent: "claude-code",
  label: "Claude Code sessions (.claude/projects/*/*.jsonl)",
  matches: ({ shape, records, isWhole }) =>
    shape !== "list" && (records.some(isClaudeRecord) || (isWhole && records.some(isWebSession))),
  open: (builder) => new ClaudeCodeAdapter(builder),
};

function isClaudeRecord(record: JsonRecord): boolean {
  if (record["type"] !== "user" && record["type"] !== "assistant") return false;
  const isPlaced = asText(record["uuid"]) !== null && asText(record["sessionId"]) !== null;
  return isPlaced && asRecord(record["message"])?.["content"] !== undefined;
}

function isWebSession(record: JsonRecord): boolean {
  return Array.isArray(record["loglines"]);
}

class ClaudeCodeAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  /** What the user typed while the agent worked, until it is delivered. */
  readonly #queued = new Set<string>();
  readonly #abandoned = new AbandonedTurns();
  #wasInterrupted = false;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    for (const line of asRecords(record["loglines"])) this.#line(line);
    this.#line(record);
  }

  end(): void {}

  #line(record: JsonRecord): void {
    // The agent that sums up a conversation is no part of it.
    if (asText(record["agentId"])?.startsWith("acompact-") === true) return;
    readRecordFacts(this.#builder, record);
    if (record["isSidechain"] !== true) this.#abandoned.add(asId(record["uuid"]), null);
    const type = record["type"];
    if (type === "assistant") this.#agentMessage(record, subagentOf(record), false);
    else if (type === "user") this.#userMessage(record, subagentOf(record));
    else if (type === "progress") this.#progress(record);
    else if (type === "attachment") this.#attachment(record);
    else if (type === "queue-operation" && record["operation"] === "enqueue") {
      this.#queued.add(asText(record["content"])?.trim() ?? "");
    }
  }

  #agentMessage(record: JsonRecord, subagent: string | null, isLoggedOnly: boolean): void {
    const message = asRecord(record["message"]);
    const model = asId(message?.["model"]);
    if (subagent === null && model !== null) this.#builder.facts.model = model;
    // What the program says in the agent's name (an API error) is not the agent's message.
    if (record["isApiErrorMessage"] === true) return;
    const id = asId(message?.["id"]) ?? asId(record["uuid"]);
    const at = record["timestamp"];
    const key = id === null ? null : `${subagent ?? ""} ${id}`;
    const turn = this.#builder.turn(key, { role: "agent", subagent, at });
    if (subagent === null) this.#abandoned.add(asId(record["uuid"]), turn);
    addAgentBlocks(this.#builder, turn, message, { cwd: asId(record["cwd"]), at, isLoggedOnly });
  }

  #userMessage(record: JsonRecord, subagent: string | null): void {
    addResultBlocks(this.#builder, record["message"], (block, text, call) =>
      claudeResult(record, block, text, call),
    );
    if (record["isMeta"] === true || record["isCompactSummary"] === true) return;
    const texts = userTexts(record["message"]);
    if (texts.some(saysInterrupted)) this.#wasInterrupted = true;
    this.#userTurn(record, texts.map(userWords).join("\n"), subagent);
  }

  #userTurn(record: JsonRecord, text: string, subagent: string | null, isQueued = false): void {
    const words = text.trim();
    if (words === "" || words === "Warmup") return;
    const at = record["timestamp"];
    const id = asId(record["uuid"]);
    const turn = this.#builder.turn(id, { role: "user", subagent, at });
    if (subagent === null) {
      if (!isQueued) this.#abandoned.speaksAfter(asId(record["parentUuid"]));
      this.#abandoned.add(id, turn);
      turn.midTurn = isQueued || this.#queued.delete(words) || this.#wasInterrupted;
      this.#wasInterrupted = false;
    }
    this.#builder.say(turn, words);
  }

  /** What was typed while the agent worked and handed to it between two calls. */
  #attachment(record: JsonRecord): void {
    const attachment = asRecord(record["attachment"]);
    if (attachment?.["type"] !== "queued_command") return;
    const mode = asText(attachment["commandMode"]);
    if (mode !== null && mode !== "prompt") return;
    const text = userWords(textOfBlocks(attachment["prompt"]) ?? "");
    this.#queued.delete(text.trim());
    this.#userTurn(record, text, subagentOf(record), true);
  }

  /** Some versions mirror a sub-agent's messages here, and in a file of its own. */
  #progress(record: JsonRecord): void {
    const data = asRecord(record["data"]);
    const inner = asRecord(data?.["message"]);
    if (data?.["type"] !== "agent_progress" || inner === null) return;
    const subagent = asId(data["agentId"]) ?? "sub-agent";
    const mirrored = {
      ...record,
      message: inner["message"],
      uuid: inner["uuid"],
      isApiErrorMessage: false,
    };
    if (inner["type"] === "assistant") this.#agentMessage(mirrored, subagent, true);
    else if (inner["type"] === "user") {
      addResultBlocks(this.#builder, inner["message"], (block, text, call) =>
        claudeResult(inner, block, text, call),
      );
    }
  }
}

/** The sub-agent that a line belongs to, or null for the main thread. */
function subagentOf(record: JsonRecord): string | null {
  if (record["isSidechain"] !== true) return null;
  return asId(record["attributionAgent"]) ?? asId(record["agentId"]) ?? "sub-agent";
}
