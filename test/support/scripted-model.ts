/**
 * A model that says what a test wrote down: a real HTTP server on loopback that speaks chat
 * completions from a script, one entry for each request.
 *
 *     await using model = await scriptedModel([
 *       calls(["write_file", { file_path: ".qwen/skills/a/SKILL.md", content: "…" }]),
 *       "Done.",
 *     ]);
 *     // model.url is the base URL; model.requests what was asked
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface ScriptedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  /** Settles when the connection is gone, or the answer is sent. */
  readonly closed: Promise<void>;
  /** The body's bytes as text. */
  readonly text: string;
  readonly body: {
    readonly model: string;
    readonly messages: readonly {
      readonly role: string;
      readonly content: string | null;
      readonly tool_calls?: readonly { id: string; function: { name: string } }[];
      readonly tool_call_id?: string;
      readonly [field: string]: unknown;
    }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly [field: string]: unknown;
  };
}

/** A whole response: `body` is sent as JSON, or as it is when it is a text. */
export interface RawTurn {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Before the answer; the request may be given up meanwhile. */
  readonly delayMs?: number;
  /** The connection is cut after the body, whatever its `content-length` promised. */
  readonly cutAfterBody?: boolean;
}

export type Turn =
  /** The model says this, and stops. */
  | string
  | RawTurn
  /** The connection is cut without an answer. */
  | "DROP"
  | ((request: ScriptedRequest) => Turn | Promise<Turn>);

export interface ScriptedModel extends AsyncDisposable {
  /** The base URL: OPENAI_BASE_URL or --base-url. */
  readonly url: string;
  readonly requests: readonly ScriptedRequest[];
  /** Entries of the script that were not asked for yet. */
  readonly left: () => number;
  /** Stops the server. @throws when more was asked than the script has, or an entry threw */
  close(): Promise<void>;
}

/** A tool call of an answer: name, arguments (an object, or the text that stands on the wire), id. */
export type ScriptedCall = readonly [name: string, args: unknown, id?: string];

/** An answer that calls tools, several at once if need be. */
export function calls(...list: readonly ScriptedCall[]): RawTurn {
  return completion({ toolCalls: list });
}

export interface Completion {
  readonly text?: string | null;
  readonly toolCalls?: readonly ScriptedCall[];
  readonly finish?: string;
  /** Fields of the message besides these (`refusal`, `reasoning_content`, `function_call`). */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly usage?: Readonly<Record<string, unknown>> | null;
}

/** An answer as OpenAI's server sends it. */
export function completion(parts: Completion): RawTurn {
  const { text = null, toolCalls = [], extra = {} } = parts;
  const { usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } } = parts;
  const tool_calls = toolCalls.map(([name, args, id], index) => ({
    id: id ?? `call_${name}_${index + 1}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
  const message = {
    role: "assistant",
    content: text,
    refusal: null,
    ...(tool_calls.length > 0 ? { tool_calls } : {}),
    ...extra,
  };
  const finish_reason = parts.finish ?? (tool_calls.length > 0 ? "tool_calls" : "stop");
  return {
    body: {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1750000000,
      model: "scripted",
      choices: [{ index: 0, message, logprobs: null, finish_reason }],
      ...(usage === null ? {} : { usage }),
    },
  };
}

/** An error as OpenAI's server sends it. */
export function failing(
  status: number,
  message = "scripted failure",
  headers: Readonly<Record<string, string>> = {},
): RawTurn {
  return { status, headers, body: { error: { message, type: "error", code: null } } };
}

/** The same answer, later. */
export function delayed(delayMs: number, turn: string | RawTurn): RawTurn {
  const raw = typeof turn === "string" ? completion({ text: turn }) : turn;
  return { ...raw, delayMs };
}

/** @param script one entry for each request, in their order (a retry is a request); or one answer for all */
export async function scriptedModel(
  script: readonly Turn[] | ((request: ScriptedRequest) => Turn),
): Promise<ScriptedModel> {
  const turnOf = (request: ScriptedRequest) =>
    typeof script === "function" ? script(request) : script[requests.length - 1];
  const requests: ScriptedRequest[] = [];
  const problems: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (incoming, response) => {
    const text = await bodyOf(incoming);
    if (text === null) return;
    const closed = new Promise<void>((resolve) => response.on("close", resolve));
    const { url: path = "", headers } = incoming;
    const request = { headers, path, text, closed, body: JSON.parse(text || "{}") };
    requests.push(request);
    const number = requests.length;
    try {
      await respond(
        response,
        await answerOf(turnOf(request), request),
        request.body["stream"] === true,
      );
    } catch (error) {
      problems.push(`request ${number}: ${String(error)}`);
      // A status that nobody tries again.
      send(response, failing(400, `scripted model: ${String(error)}`));
    }
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= new Promise<void>((resolve, reject) => {
      server.close(() =>
        problems.length > 0 ? reject(new Error(problems.join("; "))) : resolve(),
      );
      for (const socket of sockets) socket.destroy();
    });
    return closing;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    left: () => (typeof script === "function" ? 0 : Math.max(0, script.length - requests.length)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Null when the client went away while it sent. */
async function bodyOf(incoming: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function answerOf(turn: Turn | undefined, request: ScriptedRequest): Promise<Turn> {
  if (turn === undefined) throw new Error("the script has no answer left");
  if (!request.path.startsWith("/v1/chat/completions")) return failing(404, "no such address");
  return typeof turn === "function" ? answerOf(await turn(request), request) : turn;
}

async function respond(response: ServerResponse, turn: Turn, isStream: boolean): Promise<void> {
  if (turn === "DROP") {
    response.destroy();
    return;
  }
  const raw = typeof turn === "string" ? completion({ text: turn }) : (turn as RawTurn);
  // Unreferenced: a test that is done doesn't wait for it.
  if (raw.delayMs !== undefined) await pause(raw.delayMs, undefined, { ref: false });
  send(response, isStream && raw.status === undefined ? streamed(raw) : raw);
}

/** The same answer as server-sent events, for a client that asked for a stream. */
function streamed(turn: RawTurn): RawTurn {
  const { choices, usage, ...rest } = turn.body as {
    choices: { index: number; message: Record<string, unknown>; finish_reason: string }[];
    usage: unknown;
  };
  const [first] = choices;
  const { message = {} as Record<string, unknown>, finish_reason = "stop" } = first ?? {};
  const calls = (message["tool_calls"] ?? []) as readonly object[];
  const delta = { ...message, tool_calls: calls.map((call, index) => ({ index, ...call })) };
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ ...rest, object: "chat.completion.chunk", ...fields })}\n\n`;
  const body =
    chunk({ choices: [{ index: 0, delta, finish_reason: null }] }) +
    chunk({ choices: [{ index: 0, delta: {}, finish_reason }], usage }) +
    "data: [DONE]\n\n";
  return { ...turn, headers: { ...turn.headers, "content-type": "text/event-stream" }, body };
}

function send(response: ServerResponse, turn: RawTurn): void {
  if (response.destroyed) return;
  const { status = 200, headers = {}, body } = turn;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  if (turn.cutAfterBody) response.write(text, () => response.destroy());
  else response.end(text);
}
