/**
 * One answer of a chat-completions server in normal form. Servers differ in what they leave out
 * and where they put things; everything that a review can go on with is read, and what the next
 * request will carry is made valid: every call has an id of its own and arguments that are JSON.
 */
import { JSON_DEPTH_MAX, QUOTE_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";
import { isDeeperThan } from "../skills/json-depth.ts";
import { isRecord } from "../skills/skill-file.ts";
import type { AssistantMessage, WireToolCall } from "./chat-message.ts";
import { readUsage, type TokenUse } from "./model-usage.ts";

type Fields = Readonly<Record<string, unknown>>;

export type ParsedArguments =
  | { readonly ok: true; readonly value: Fields }
  | { readonly ok: false; readonly reason: string };

export interface RequestedCall {
  /** Unique in the review; null for a legacy function call, which has none. */
  readonly id: string | null;
  readonly name: string;
  readonly arguments: ParsedArguments;
}

export interface Answer extends TokenUse {
  /** As the next request carries it. */
  readonly message: AssistantMessage;
  /** What the model said, without its thoughts. */
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  /** Ended by the output limit: the last call, or the text, may be half. */
  readonly isCut: boolean;
  /** The model, or a filter around it, would not answer; its words. */
  readonly refusal: string | null;
}

/** A body that is no answer: the server's own error in it, or null when it is something else altogether. */
export interface NoAnswer {
  readonly error: unknown;
}

/**
 * @param body the parsed response
 * @param taken ids of earlier calls of the review
 */
export function readAnswer(body: unknown, taken: ReadonlySet<string>): Answer | NoAnswer {
  if (!isRecord(body)) return { error: null };
  const choice = Array.isArray(body["choices"]) ? body["choices"][0] : undefined;
  // Routers report a failure of the server behind them with status 200, for all or for the choice.
  if (!isRecord(choice)) return { error: body["error"] ?? null };
  const { message, finish_reason: finish } = choice;
  if (finish === "error") return { error: choice["error"] ?? "unknown" };
  if (!isRecord(message)) return { error: choice["error"] ?? null };

  const content = textOf(message["content"]);
  const text = withoutThoughts(content);
  const found = readCalls(message, taken);
  const hasNoContent = message["content"] === null || message["content"] === undefined;
  return {
    message: {
      role: "assistant",
      content: hasNoContent ? null : content,
      ...found.echo,
      ...(found.calls.length > 0 ? thoughtsOf(message) : {}),
    },
    text,
    calls: found.calls,
    isCut: finish === "length" || finish === "max_tokens",
    refusal: refusalOf(message, finish, text),
    ...readUsage(body),
  };
}

function refusalOf(message: Fields, finish: unknown, text: string): string | null {
  const said = textOf(message["refusal"]);
  if (said !== "") return said;
  return finish === "content_filter" ? text || "a content filter" : null;
}

/** Plain text, or the text parts of a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}

/** Servers without a reasoning parser leave thoughts in the text; the opening tag may stand in the prompt template. */
function withoutThoughts(text: string): string {
  const closed = text.lastIndexOf("</think>");
  const said = closed < 0 ? text : text.slice(closed + "</think>".length);
  return said.replace(/^\s*<think>[\s\S]*$/, "").trim();
}

function thoughtsOf(message: Fields): Pick<AssistantMessage, "reasoning_content"> {
  const { reasoning_content: text, reasoning_details: details } = message;
  return {
    ...(typeof text === "string" && text !== "" ? { reasoning_content: text } : {}),
    ...(Array.isArray(details) && details.length > 0 ? { reasoning_details: details } : {}),
  };
}

interface FoundCalls {
  readonly calls: readonly RequestedCall[];
  readonly echo: Pick<AssistantMessage, "tool_calls" | "function_call">;
}

function readCalls(message: Fields, taken: ReadonlySet<string>): FoundCalls {
  const listed = Array.isArray(message["tool_calls"]) ? message["tool_calls"].filter(isRecord) : [];
  if (listed.length === 0) return readLegacyCall(message["function_call"]);
  const used = new Set(taken);
  const pairs = listed.map((raw) => {
    const id = uniqueId(raw["id"], used);
    const { call, wire } = readFunction(raw["function"], id);
    return { call, wire: { ...raw, id, type: "function", function: wire } as WireToolCall };
  });
  return {
    calls: pairs.map(({ call }) => call),
    echo: { tool_calls: pairs.map(({ wire }) => wire) },
  };
}

function readLegacyCall(raw: unknown): FoundCalls {
  if (!isRecord(raw)) return { calls: [], echo: {} };
  const { call, wire } = readFunction(raw, null);
  return { calls: [call], echo: { function_call: wire } };
}

/** The id as it came, or a new one where it is missing or names another call. Nine letters and digits: all servers take it. */
function uniqueId(raw: unknown, used: Set<string>): string {
  let id = typeof raw === "string" ? raw : "";
  for (let n = used.size + 1; id === "" || used.has(id); n++)
    id = `call${String(n).padStart(5, "0")}`;
  used.add(id);
  return id;
}

function readFunction(raw: unknown, id: string | null) {
  const fields = isRecord(raw) ? raw : {};
  const name = typeof fields["name"] === "string" ? fields["name"] : "";
  const given = fields["arguments"];
  const parsed = parseArguments(given);
  // Chat templates parse the arguments again, and fail on what is no JSON object.
  const isValidText = typeof given === "string" && given.trim() !== "" && parsed.ok;
  const echoed = parsed.ok ? JSON.stringify(parsed.value) : "{}";
  const wire = { ...fields, name, arguments: isValidText && !isQuoted(given) ? given : echoed };
  return { call: { id, name, arguments: parsed }, wire };
}

function isQuoted(text: string): boolean {
  return text.trimStart().startsWith('"');
}

/** JSON text of an object, an object already, JSON text in JSON text, or nothing at all for a tool without arguments. */
function parseArguments(given: unknown): ParsedArguments {
  if (isRecord(given)) return { ok: true, value: given };
  if (given === undefined || given === null || given === "") return { ok: true, value: {} };
  if (typeof given !== "string") return notAnObject(JSON.stringify(given));
  if (given.trim() === "") return { ok: true, value: {} };
  let value: unknown;
  try {
    value = JSON.parse(given);
    if (typeof value === "string") value = JSON.parse(value);
  } catch {
    return {
      ok: false,
      reason: `the arguments are not valid JSON (they begin with ${quote(given)}); send them again as one JSON object`,
    };
  }
  if (isDeeperThan(value, JSON_DEPTH_MAX))
    return {
      ok: false,
      reason: "the arguments are nested too deeply; send them as one flat object",
    };
  return isRecord(value) ? { ok: true, value } : notAnObject(given);
}

function notAnObject(text: string): ParsedArguments {
  return { ok: false, reason: `the arguments must be one JSON object, not ${quote(text)}` };
}

function quote(text: string): string {
  return safeLine(cut(text, QUOTE_MAX_CHARS));
}
