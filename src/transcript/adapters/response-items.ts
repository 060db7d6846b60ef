/**
 * The agent's items of OpenAI's Responses API: what it says, its calls, and their outputs, each an
 * item of its own. Codex CLI's rollouts hold them, and so do dumps of requests.
 */
import { asId, asRecord, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, ResultFacts, TurnDraft } from "../session-drafts.ts";
import { textOfBlocks } from "./content-blocks.ts";
import { responseResult } from "./response-result.ts";

/** Calls that the model's own server ran: they tell how they ended themselves, no output follows. */
const RUN_BY_SERVER = new Set([
  "web_search_call",
  "file_search_call",
  "image_generation_call",
  "code_interpreter_call",
  "mcp_call",
]);

/** Where an item stands: known to the caller. */
export interface ItemFacts {
  readonly at: unknown;
  readonly cwd: string | null;
  readonly subagent: string | null;
}

export class ResponseItems {
  readonly #builder: SessionBuilder;
  readonly #amend: (call: CallDraft, result: ResultFacts) => ResultFacts;
  /** The turn that the next item of the same answer belongs to. */
  #open: TurnDraft | null = null;
  #answered = 0;

  /** @param amend adds what else is known of how a call ended */
  constructor(
    builder: SessionBuilder,
    amend: (call: CallDraft, result: ResultFacts) => ResultFacts = (_, result) => result,
  ) {
    this.#builder = builder;
    this.#amend = amend;
  }

  /** Items of the agent so far: tells whether it has done anything since some point. */
  get count(): number {
    return this.#answered;
  }

  /** The next item is of another answer. */
  close(): void {
    this.#open = null;
  }

  /**
   * Reads an item when it is the agent's.
   * @returns the turn that it said something in or called from; null when there is none
   */
  add(item: JsonRecord, facts: ItemFacts): TurnDraft | null {
    const type = asText(item["type"]) ?? "message";
    if (item["role"] === "assistant" && /^message$/i.test(type)) return this.#message(item, facts);
    if (/_(?:output|result)$/.test(type)) this.#output(item);
    else if (type.endsWith("_call")) return this.#call(type, item, facts);
    return null;
  }

  #message(item: JsonRecord, facts: ItemFacts): TurnDraft {
    const turn = this.#turn(facts);
    this.#builder.say(turn, textOfBlocks(item["content"] ?? item["message"]) ?? "");
    return turn;
  }

  #call(type: string, item: JsonRecord, facts: ItemFacts): TurnDraft | null {
    const id = item["call_id"] ?? item["id"];
    const name = nameOf(type, item);
    // Neither is left of it: it can't be told from another one, or from nothing.
    if (asId(id) === null && asId(name) === null) return null;
    const turn = this.#turn(facts);
    const args = item["arguments"] ?? item["input"] ?? item["action"];
    const call = this.#builder.call(turn, { id, name, args, cwd: facts.cwd, at: facts.at });
    if (RUN_BY_SERVER.has(type)) this.#settle(call, item);
    return turn;
  }

  #settle(call: CallDraft, item: JsonRecord): void {
    const text = asText(item["error"]) ?? textOfBlocks(item["output"]);
    const { status } = item;
    if (status === "failed" || status === "incomplete" || asText(item["error"]) !== null)
      this.#builder.settle(call, { text, outcome: "failure", exitCode: null });
    else if (status === "completed" || text !== null)
      this.#builder.settle(call, { text, outcome: "success", exitCode: null });
  }

  #output(item: JsonRecord): void {
    this.#open = null;
    this.#builder.answer(
      item["call_id"],
      (call) => this.#amend(call, responseResult(item, call)),
      asText(item["name"]),
    );
  }

  #turn(facts: ItemFacts): TurnDraft {
    this.#answered += 1;
    this.#open ??= this.#builder.turn(null, {
      role: "agent",
      subagent: facts.subagent,
      at: facts.at,
    });
    return this.#open;
  }
}

/** The tool's name, behind its MCP server's; the kind of the item where it has no other. */
function nameOf(type: string, item: JsonRecord): string {
  const name = asText(item["name"]) ?? asText(asRecord(item["function"])?.["name"]);
  if (name === null) return type.replace(/_call$/, "");
  const server = asId(item["namespace"]) ?? asId(item["server_label"]);
  return server === null ? name : `${server}${server.endsWith("__") ? "" : "__"}${name}`;
}
