/**
 * Sessions of pi and of OpenClaw, which is built on it: `~/.pi/agent/sessions/<folder>/*.jsonl`,
 * `~/.openclaw/agents/<agent>/sessions/*.jsonl`; also pi's `--mode json`.
 *
 * Entries form a tree by `parentId`: what the user went back over stays in the file. Files of
 * old have neither ids nor a version.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { exitCodeInObject, exitCodeInText, isFailingExit } from "../exit-codes.ts";
import { userWords } from "../injected-text.ts";
import { asId, asRecord, asRecords, asText, type JsonRecord } from "../json-values.ts";
import { saysNeverRun } from "../refusals.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, ResultFacts, TurnDraft } from "../session-drafts.ts";
import { textOfBlocks } from "./content-blocks.ts";
import { ParentChain } from "./parent-chain.ts";

export const pi: TranscriptFormat = {
  name: "pi",
  agent: "pi",
  label: "pi sessions (.pi/agent/sessions/*/*.jsonl)",
  matches: ({ shape, records }) => shape !== "list" && records.some(isHeader),
  open: (builder) => new PiAdapter(builder),
};

export const openclaw: TranscriptFormat = {
  name: "openclaw",
  agent: "openclaw",
  label: "OpenClaw sessions (.openclaw/agents/*/sessions/*.jsonl)",
  matches: (sample) => pi.matches(sample) && sample.records.some(isOpenclaw),
  open: (builder) => new PiAdapter(builder),
};

/** Another program's header looks alike, but says when the session was created. */
function isHeader(record: JsonRecord): boolean {
  return (
    record["type"] === "session" &&
    asText(record["id"]) !== null &&
    asText(record["cwd"]) !== null &&
    record["createdAt"] === undefined
  );
}

/** What only OpenClaw adds: messages that it sends itself, and its notes between the entries. */
function isOpenclaw(record: JsonRecord): boolean {
  const note = asText(record["customType"]) ?? "";
  return (
    asRecord(record["message"])?.["provider"] === "openclaw" ||
    note.startsWith("openclaw") ||
    note === "model-snapshot"
  );
}

class PiAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  readonly #chain = new ParentChain();
  /** Why the agent's last message ended. */
  #stopReason: string | null = null;
  #lastId: string | null = null;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    const { type } = record;
    this.#builder.sawTime(record["timestamp"]);
    if (type === "session") {
      this.#header(record);
      return;
    }
    const id = asId(record["id"]);
    const parent = asId(record["parentId"]);
    this.#chain.add(id, parent);
    // Going back is not speaking up while the agent works.
    if (parent !== null && parent !== this.#lastId) this.#stopReason = null;
    this.#lastId = id;
    const message = asRecord(record["message"]);
    const isMessage = type === "message" || type === "message_end";
    if (isMessage && message !== null) this.#message(id, message, record["timestamp"]);
    else if (type === "model_change")
      this.#builder.facts.model = asId(record["modelId"]) ?? this.#builder.facts.model;
  }

  end(): void {
    this.#chain.markRewound();
  }

  #header(record: JsonRecord): void {
    const facts = this.#builder.facts;
    facts.id ??= asId(record["id"]);
    facts.cwd ??= asId(record["cwd"]);
  }

  #message(id: string | null, message: JsonRecord, recorded: unknown): void {
    const at = recorded ?? message["timestamp"];
    const { role } = message;
    if (role === "assistant") this.#agentMessage(id, message, at);
    else if (role === "user") this.#say(id, userWords(textOfBlocks(message["content"]) ?? ""), at);
    else if (role === "toolResult") {
      const name = asText(message["toolName"]);
      this.#builder.answer(message["toolCallId"], (call) => resultOf(message, call), name);
    } else if (role === "bashExecution") {
      // A command that the user ran, not the agent.
      this.#say(id, `! ${asText(message["command"]) ?? ""}`, at);
    }
  }

  #say(id: string | null, words: string, at: unknown): void {
    if (words.trim() === "") return;
    const turn = this.#turn(id, "user", at);
    turn.midTurn = this.#stopReason === "toolUse" || this.#stopReason === "aborted";
    this.#stopReason = null;
    this.#builder.say(turn, words);
  }

  #agentMessage(id: string | null, message: JsonRecord, at: unknown): void {
    // What the program says to the user's chat in the agent's name.
    if (message["model"] === "delivery-mirror") return;
    this.#builder.facts.model = asId(message["model"]) ?? this.#builder.facts.model;
    this.#stopReason = asText(message["stopReason"]);
    const turn = this.#turn(id, "agent", at);
    for (const block of contentOf(message)) {
      if (block["type"] === "text") this.#builder.say(turn, asText(block["text"]) ?? "");
      else if (block["type"] === "toolCall") {
        const { name, arguments: args } = block;
        this.#builder.call(turn, { id: block["id"], name, args, at });
      }
    }
  }

  #turn(id: string | null, role: "user" | "agent", at: unknown): TurnDraft {
    const turn = this.#builder.turn(id, { role, at });
    this.#chain.belongs(id, turn);
    return turn;
  }
}

function contentOf(message: JsonRecord): JsonRecord[] {
  const { content } = message;
  return typeof content === "string" ? [{ type: "text", text: content }] : asRecords(content);
}

/** OpenClaw keeps status and exit code beside the text; pi writes the exit code below it. */
function resultOf(message: JsonRecord, call: CallDraft): ResultFacts {
  const text = textOfBlocks(message["content"]);
  const details = asRecord(message["details"]);
  const isError = message["isError"] === true || details?.["status"] === "error";
  if (
    isError &&
    (saysNeverRun(text ?? "") || /(?:^|\n)(?:Command|Operation) aborted\s*$/.test(text ?? ""))
  )
    return { text, outcome: "cancelled", exitCode: null };
  const exitCode =
    call.kind === "shell" ? (exitCodeInObject(details) ?? exitCodeInText(text ?? "")) : null;
  const failed = exitCode === null ? isError : isFailingExit(exitCode, call.command);
  return { text, outcome: failed ? "failure" : "success", exitCode };
}
