/**
 * Hermes Agent: the gateway's `<id>.jsonl` (a message a line), `session_<id>.json`, the archive's
 * export, and `request_dump_*.json`, which it writes when the model's server fails.
 *
 * Messages are OpenAI-style. Compression rewrites the history: summaries stand under both roles,
 * and results are replaced by a line that says so. Folder and branch stand in the export only.
 */
import type { TranscriptAdapter, TranscriptFormat, TranscriptSample } from "../adapter.ts";
import { userWords } from "../injected-text.ts";
import { parseObject } from "../json-objects.ts";
import { asId, asRecord, asRecords, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, ResultFacts, TurnDraft } from "../session-drafts.ts";
import { textOfBlocks } from "./content-blocks.ts";
import { plainResult } from "./plain-result.ts";

export const hermes: TranscriptFormat = {
  name: "hermes",
  agent: "hermes",
  label: "Hermes sessions (.hermes/sessions/*.jsonl, session_*.json, request dumps)",
  matches: (sample) => isDocument(sample) || sample.records.some(isHermesMessage),
  open: (builder) => new HermesAdapter(builder),
};

function isDocument({ records, isWhole }: TranscriptSample): boolean {
  const [only] = records;
  if (!isWhole || records.length !== 1 || asText(only?.["session_id"]) === null) return false;
  if (Array.isArray(only?.["messages"])) {
    return only["platform"] !== undefined || only["profile_id"] !== undefined;
  }
  return only?.["reason"] !== undefined && dumpedBody(only) !== null;
}

function isHermesMessage(record: JsonRecord): boolean {
  if (record["role"] === "session_meta") return true;
  const calls = asRecords(record["tool_calls"]);
  return (
    record["role"] === "assistant" && calls.some((call) => call["response_item_id"] !== undefined)
  );
}

/** The body of the request that a dump holds, or null. */
function dumpedBody(record: JsonRecord): JsonRecord | null {
  const body = asRecord(asRecord(record["request"])?.["body"]);
  return Array.isArray(body?.["messages"]) ? body : null;
}

class HermesAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  /** The user's last message while nothing followed it: compression may repeat it. */
  #lastWords: string | null = null;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    const body = dumpedBody(record);
    this.#readFacts(record, body);
    const messages = body?.["messages"] ?? record["messages"];
    if (!Array.isArray(messages)) this.#message(record);
    else for (const message of asRecords(messages)) this.#message(message);
  }

  end(): void {}

  #readFacts(record: JsonRecord, body: JsonRecord | null): void {
    const facts = this.#builder.facts;
    facts.id ??= asId(record["session_id"]);
    facts.model ??= asId(body?.["model"]) ?? asId(record["model"]);
    facts.cwd ??= asId(record["repository_cwd"]) ?? asId(asRecord(record["model_config"])?.["cwd"]);
    facts.branch ??= asId(record["git_branch"]);
    for (const key of ["session_start", "created_at", "last_updated", "ended_at", "timestamp"]) {
      this.#builder.sawTime(record[key]);
    }
  }

  #message(message: JsonRecord): void {
    const role = message["role"];
    if (role === "user") this.#userMessage(message);
    else if (role === "assistant") this.#agentMessage(message);
    else if (role === "tool") this.#results(message);
  }

  #userMessage(message: JsonRecord): void {
    const words = userWords(wordsOf(message));
    if (words === "" || words === this.#lastWords) return;
    this.#lastWords = words;
    this.#builder.say(this.#turn(message, "user"), words);
  }

  #agentMessage(message: JsonRecord): void {
    this.#lastWords = null;
    const turn = this.#turn(message, "agent");
    this.#builder.say(turn, wordsOf(message));
    for (const call of asRecords(message["tool_calls"])) {
      const called = asRecord(call["function"]);
      const name = called?.["name"] ?? call["tool_name"];
      const args = called?.["arguments"] ?? call["arguments_json"];
      const id = call["id"] ?? call["action_id"];
      const at = message["timestamp"];
      this.#builder.call(turn, { id, name, args, at, writes: skillFiles(name, args) });
    }
  }

  #turn(message: JsonRecord, role: "user" | "agent"): TurnDraft {
    const turn = this.#builder.turn(null, { role, at: message["timestamp"] });
    turn.rewound = message["state"] === "rewound";
    return turn;
  }

  #results(message: JsonRecord): void {
    this.#lastWords = null;
    for (const result of asRecords(message["tool_results"])) {
      const text = asText(result["output_preview"]);
      this.#builder.answer(result["action_id"], (call) => {
        const facts = hermesResult(result, text, call);
        return result["is_error"] === true ? { ...facts, outcome: "failure" } : facts;
      });
    }
    if (message["content"] === undefined) return;
    const text = textOfBlocks(message["content"]);
    this.#builder.answer(
      message["tool_call_id"],
      (call) => hermesResult(message, text, call),
      asText(message["tool_name"]) ?? asText(message["name"]),
    );
  }
}

/** What a message says; a summary that compression put in its place is nobody's words. */
function wordsOf(message: JsonRecord): string {
  const text = textOfBlocks(message["content"]) ?? asText(message["text"]) ?? "";
  return /^\s*\[CONTEXT COMPACTION\b/.test(text) ? "" : text;
}

/** A command that the user didn't approve is answered like a failed one, and says `blocked`. */
function hermesResult(message: JsonRecord, text: string | null, call: CallDraft): ResultFacts {
  const facts = plainResult(message, text, call);
  const mayBlock = facts.outcome === "failure" && text !== null && text.includes('"blocked"');
  if (!mayBlock || parseObject(text)?.["status"] !== "blocked") return facts;
  return { ...facts, outcome: "cancelled", exitCode: null };
}

/** `skill_manage` writes a file of a skill, and names the skill instead of a path. */
function skillFiles(name: unknown, args: unknown): string[] {
  if (name !== "skill_manage") return [];
  const given = typeof args === "string" ? parseObject(args) : asRecord(args);
  const skill = asText(given?.["name"]);
  if (skill === null) return [];
  return [`skills/${skill}/${asText(given?.["file_path"]) ?? "SKILL.md"}`];
}
