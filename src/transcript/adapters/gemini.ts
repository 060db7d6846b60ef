/**
 * Gemini CLI's chats: `~/.gemini/tmp/<project>/chats/session-*.json` (one document), from 0.40 on
 * `.jsonl`.
 *
 * A call stands in the message that made it, its result beside it. In the JSONL form a message is
 * written again whenever it changes (the last one counts), `$set` replaces what it names, and
 * `$rewindTo` takes back a message and all behind it. The folder stands nowhere: only its hash.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { exitCodeInText, isFailingExit } from "../exit-codes.ts";
import { userWords } from "../injected-text.ts";
import { asId, asList, asRecord, asRecords, asText, type JsonRecord } from "../json-values.ts";
import { saysNeverRun } from "../refusals.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, ResultFacts, TurnDraft } from "../session-drafts.ts";
import { textOfBlocks } from "./content-blocks.ts";

export const gemini: TranscriptFormat = {
  name: "gemini",
  agent: "gemini-cli",
  label: "Gemini CLI chats (.gemini/tmp/*/chats/session-*.json and .jsonl)",
  matches: ({ shape, records }) => shape !== "list" && records.some(isGeminiRecord),
  open: (builder) => new GeminiAdapter(builder),
};

function isGeminiRecord(record: JsonRecord): boolean {
  const isHeader = asText(record["sessionId"]) !== null && asText(record["projectHash"]) !== null;
  const isAnswer = record["type"] === "gemini" && asText(record["id"]) !== null;
  const isUpdate = asRecord(record["$set"]) !== null && Object.keys(record).length === 1;
  return isHeader || isAnswer || isUpdate || asText(record["$rewindTo"]) !== null;
}

class GeminiAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  /** The live conversation in order, and where each message stands in it. */
  readonly #live: { readonly id: string | null; readonly turn: TurnDraft }[] = [];
  readonly #places = new Map<string, number>();
  #subagent: string | null = null;
  #wasInterrupted = false;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    const rewindTo = asText(record["$rewindTo"]);
    if (rewindTo !== null) this.#rewind(rewindTo);
    else if (asText(record["id"]) !== null) this.#message(record);
    else this.#conversation(asRecord(record["$set"]) ?? record);
  }

  end(): void {}

  /** The head of a chat, a whole one, or what changed of it. */
  #conversation(chat: JsonRecord): void {
    this.#builder.facts.id = asId(chat["sessionId"]) ?? this.#builder.facts.id;
    this.#builder.sawTime(chat["startTime"]);
    this.#builder.sawTime(chat["lastUpdated"]);
    if (chat["kind"] === "subagent") this.#subagent = "sub-agent";
    for (const message of asRecords(chat["messages"])) this.#message(message);
  }

  #message(message: JsonRecord): void {
    const { type } = message;
    this.#builder.sawTime(message["timestamp"]);
    if (type === "info" && textOf(message)?.startsWith("Request cancelled")) {
      this.#wasInterrupted = true;
    } else if (type === "user") this.#userMessage(message);
    else if (type === "gemini") this.#agentMessage(message);
  }

  #userMessage(message: JsonRecord): void {
    const words = wordsOf(message);
    if (words === "") return;
    const turn = this.#turn(message, "user");
    if (this.#subagent === null && this.#wasInterrupted) turn.midTurn = true;
    this.#wasInterrupted = false;
    this.#builder.say(turn, words);
  }

  #agentMessage(message: JsonRecord): void {
    const model = asId(message["model"]);
    if (this.#subagent === null && model !== null) this.#builder.facts.model = model;
    const turn = this.#turn(message, "agent");
    this.#builder.say(turn, textOf(message) ?? "");
    for (const [index, call] of asRecords(message["toolCalls"]).entries()) {
      // The message may be written again, and its calls with it, with other arguments even.
      const known = turn.toolCalls[index];
      const isKnown = known !== undefined && known.id === asId(call["id"]);
      this.#result(isKnown ? known : this.#call(turn, call), call);
    }
  }

  #call(turn: TurnDraft, call: JsonRecord): CallDraft {
    const { id, name, args, timestamp } = call;
    return this.#builder.call(turn, { id, name, args, at: timestamp });
  }

  #result(draft: CallDraft, call: JsonRecord): void {
    const result = resultOf(call, draft);
    if (result !== null) this.#builder.settle(draft, result);
  }

  /** The turn of a message, empty again when the message was known: what it says now counts. */
  #turn(message: JsonRecord, role: "user" | "agent"): TurnDraft {
    const id = asId(message["id"]);
    const facts = { role, subagent: this.#subagent, at: message["timestamp"] } as const;
    const turn = this.#builder.turn(id, facts);
    this.#builder.unsay(turn);
    turn.rewound = false;
    if (id === null || this.#placeOf(id) === null) {
      if (id !== null) this.#places.set(id, this.#live.length);
      this.#live.push({ id, turn });
    }
    return turn;
  }

  /** Where a message stands in the live conversation; null when it isn't part of it (any more). */
  #placeOf(id: string): number | null {
    const place = this.#places.get(id);
    return place !== undefined && this.#live[place]?.id === id ? place : null;
  }

  /** Takes back the message and all behind it; an id that isn't known takes back everything. */
  #rewind(to: string): void {
    for (const { turn } of this.#live.splice(this.#placeOf(to) ?? 0)) turn.rewound = true;
  }
}

/** The text of a message: a string or a list of parts; thoughts are left out. */
function textOf(message: JsonRecord): string | null {
  const { content } = message;
  if (!Array.isArray(content)) return textOfBlocks(content);
  return textOfBlocks(content.filter((part) => asRecord(part)?.["thought"] !== true));
}

/** What the user typed: newer versions keep it beside what the model was given. */
function wordsOf(message: JsonRecord): string {
  const shown = message["displayContent"] ?? message["content"];
  const words: string[] = [];
  for (const part of Array.isArray(shown) ? asList(shown) : [shown]) {
    const text = asText(part) ?? asText(asRecord(part)?.["text"]) ?? "";
    if (/^\s*-{2,} Content from referenced files -{2,}/.test(text)) break;
    words.push(userWords(text));
  }
  const all = words.join("\n").trim();
  // The program says so itself when the model stopped too early.
  return all === "System: Please continue." ? "" : all;
}

/** How a call ended; null while it hasn't. */
function resultOf(call: JsonRecord, draft: CallDraft): ResultFacts | null {
  const status = asText(call["status"]);
  if (status !== "success" && status !== "error" && status !== "cancelled") return null;
  const text = resultText(call);
  const exitCode =
    draft.kind === "shell" && status !== "cancelled" ? exitCodeInText(text ?? "") : null;
  if (status === "cancelled" || saysNeverRun(text ?? ""))
    return { text, outcome: "cancelled", exitCode: null };
  // A command that fails is a success of the tool; the text tells.
  const failed = exitCode !== null && isFailingExit(exitCode, draft.command);
  return { text, outcome: status === "error" || failed ? "failure" : "success", exitCode };
}

function resultText(call: JsonRecord): string | null {
  const { result } = call;
  if (typeof result === "string") return result;
  const texts = asRecords(result).flatMap((part) => {
    const response = asRecord(asRecord(part["functionResponse"])?.["response"]);
    const text =
      asText(response?.["error"]) ?? asText(response?.["output"]) ?? asText(part["text"]);
    return text === null ? [] : [text];
  });
  return texts.length > 0 ? texts.join("\n") : asText(call["resultDisplay"]);
}
