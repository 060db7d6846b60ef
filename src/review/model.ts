/**
 * The model: any server that speaks OpenAI's chat completions. This is the only file that knows
 * the client library, which is loaded when a model is first needed.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { OpenAI } from "openai";
import { SkillprError } from "../core/errors.ts";
import { CREDENTIAL_MIN_CHARS, MODEL_REQUEST_TIMEOUT_MS, MODEL_TRIES } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { credentialForms } from "../secrets/credentials.ts";
import type { ChatMessage } from "./chat-message.ts";
import { stopError } from "./deadline.ts";
import { failureInside, type Judged, judgeExchange, wasSent } from "./judge-exchange.ts";
import { modelAddress } from "./model-address.ts";
import { type Answer, readAnswer } from "./model-answer.ts";
import {
  describeFailure,
  isTransient,
  type ModelFailure,
  type ModelServer,
  modelError,
} from "./model-errors.ts";
import { ModelExchange } from "./model-exchange.ts";
import type { ModelLog } from "./model-log.ts";
import { retryPause } from "./retry-pause.ts";
import type { Tool } from "./tool.ts";

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly Tool[];
  /** Aborts the running request and the pauses between two. */
  readonly signal: AbortSignal;
  /** How often to ask at most when the server is busy; default MODEL_TRIES. */
  readonly tries?: number;
}

export interface ModelAnswer extends Answer {
  /** Bytes of the request bodies that were sent for it, those of failed tries included. */
  readonly requestBytes: number;
}

/** Safe to print: the key is not among its fields. */
export interface ModelClient {
  readonly name: string;
  /**
   * One answer. Busy or unreachable servers are asked again, with growing pauses; it ends as soon
   * as the signal aborts.
   * @throws SkillprError code `model` with the setting to look at, or what stopError() says
   */
  complete(request: ModelRequest): Promise<ModelAnswer>;
}

export interface ModelClientOptions {
  readonly model: string;
  /** Null: OpenAI's own server. */
  readonly baseUrl: string | null;
  /** Empty for servers that want none. */
  readonly apiKey: string;
  readonly log: ModelLog | null;
  /** The pause after the first failed try, and the time of one request; the defaults are in core/limits.ts. */
  readonly timing?: { readonly pauseMs?: number; readonly requestMs?: number };
}

/** Loads what a client is made of before one is needed: the library, and Node's own of `fetch`, both at their first use. */
export async function loadModelClient(): Promise<void> {
  await import("openai");
  new Headers();
}

/** @throws SkillprError code `config` for an address that is none */
export async function createModelClient(options: ModelClientOptions): Promise<ModelClient> {
  const { model, apiKey, log, timing = {} } = options;
  const address = modelAddress(options.baseUrl);
  const { OpenAI } = await import("openai");
  const library = new OpenAI({
    // Everything that the library would else take from environment variables is said here.
    apiKey: "unused: the exchange sends the key",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    baseURL: address.baseUrl,
    defaultQuery: address.query,
    maxRetries: 0,
    timeout: timing.requestMs ?? MODEL_REQUEST_TIMEOUT_MS,
  });
  const server = { model, baseUrl: address.baseUrl, hide: hiding(apiKey) };
  const ask = (body: string, signal: AbortSignal) =>
    askOnce({ library, apiKey, log, server }, body, signal);
  return {
    name: model,
    complete: (request) => askUntilAnswered(ask, { ...request, server, pauseMs: timing.pauseMs }),
  };
}

interface Asking extends ModelRequest {
  readonly server: ModelServer;
  readonly pauseMs: number | undefined;
}

async function askUntilAnswered(
  ask: (body: string, signal: AbortSignal) => Promise<Asked>,
  request: Asking,
): Promise<ModelAnswer> {
  const { signal, server, tries: most = MODEL_TRIES } = request;
  const body = requestBody(server.model, request);
  const taken = new Set(request.messages.flatMap(callIds));
  let requestBytes = 0;
  for (let tries = 1; ; tries++) {
    const asked = await ask(body, signal);
    requestBytes += asked.bytes;
    const answer = asked.ok ? readAnswer(asked.body, taken) : null;
    if (answer !== null && "message" in answer) return { ...answer, requestBytes };

    const failure = asked.ok ? failureInside(asked.body, answer?.error) : asked.failure;
    const wished = failure.kind === "status" ? failure.retryAfterMs : null;
    const wait = retryPause(tries, wished, request.pauseMs);
    if (!isTransient(failure) || tries >= most || wait === null)
      throw modelError(failure, server, tries);
    await pauseFor(wait, signal, failure, server);
  }
}

/** The same text for every try: what was sent before stands at the beginning, byte for byte. */
function requestBody(model: string, { messages, tools }: ModelRequest): string {
  const offered = tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  // No parallel_tool_calls, tool_choice or temperature: some servers refuse what they don't know.
  return JSON.stringify({ model, messages, ...(offered.length > 0 ? { tools: offered } : {}) });
}

function callIds(message: ChatMessage): string[] {
  return message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : [];
}

/** A pause that the deadline ends; then the error says also what the server had answered last. */
async function pauseFor(
  ms: number,
  signal: AbortSignal,
  failure: ModelFailure,
  server: ModelServer,
): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw stoppedWhile(signal, `at last the model's server ${describeFailure(failure, server)}`);
  }
}

/** What stopError() says, and where the time went when it was up. */
function stoppedWhile(signal: AbortSignal, where: string): SkillprError {
  const stopped = stopError(signal);
  if (stopped.code !== "model") return stopped;
  return new SkillprError("model", `${stopped.message}; ${where}`, stopped.hint);
}

interface Line {
  readonly library: OpenAI;
  readonly apiKey: string;
  readonly log: ModelLog | null;
  readonly server: ModelServer;
}

type Asked = Judged & { readonly bytes: number };

async function askOnce(line: Line, body: string, signal: AbortSignal): Promise<Asked> {
  if (signal.aborted) throw stopError(signal);
  const logResponse = await line.log?.request(body);
  const startedAt = performance.now();
  const exchange = new ModelExchange(line.apiKey);
  const library = line.library.withOptions({ fetch: exchange.fetch });
  try {
    // With its content type named, a text is sent as it is.
    const headers = { "content-type": "application/json" };
    await library.post("/chat/completions", { body, signal, headers }).asResponse();
  } catch (error) {
    // The exchange knows what happened; an error without one comes from the library itself.
    const isKnown = exchange.response !== null || exchange.error !== null || signal.aborted;
    if (!isKnown) throw error;
  }
  const judged = judgeExchange(exchange, library.timeout);
  const why = judged.ok ? "" : describeFailure(judged.failure, line.server);
  await logResponse?.({
    status: exchange.response?.status ?? null,
    durationMs: Math.round(performance.now() - startedAt),
    text: exchange.response?.text || (signal.aborted ? "stopped before an answer came" : why),
  });
  if (signal.aborted) {
    const { baseUrl } = line.server;
    throw stoppedWhile(
      signal,
      `the model's server at ${safeLine(baseUrl)} had not answered by then`,
    );
  }
  return { ...judged, bytes: wasSent(judged) ? Buffer.byteLength(body) : 0 };
}

/** Takes the key out of texts that a server wrote, also where it shows the ends of it (`sk-ab***yz`). */
function hiding(apiKey: string): (text: string) => string {
  const forms = apiKey.length >= CREDENTIAL_MIN_CHARS ? credentialForms(apiKey) : [];
  return (text) =>
    forms
      .reduce((rest, form) => rest.replaceAll(form, "[key]"), text)
      .replace(/\bsk-[\w*.-]{4,}/g, "[key]");
}
