import { JSON_DEPTH_MAX } from "../core/limits.ts";
import { isDeeperThan } from "../skills/json-depth.ts";
import { BAD_PORT, errorMessageOf, type ModelFailure } from "./model-errors.ts";
import type { ModelExchange } from "./model-exchange.ts";
import { retryAfter } from "./retry-pause.ts";

/** What one exchange came to. */
export type Judged =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly failure: ModelFailure };

/** Failures before a byte of the request was sent. */
const NEVER_SENT =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UNREACH|CONNECT_TIMEOUT|CERT|TLS|UNABLE_TO|ALTNAME|BAD_PORT/;

/**
 * The response decides where there is one, else the error of the network.
 * @param timeoutMs the time that the request had
 */
export function judgeExchange(exchange: ModelExchange, timeoutMs: number): Judged {
  const { response } = exchange;
  if (response === null)
    return { ok: false, failure: connectionFailure(exchange.error, timeoutMs) };
  const { status, text, isCut } = response;
  const body = parsed(text);
  if (status < 200 || status >= 300) {
    const retryAfterMs = retryAfter(response.headers, Date.now());
    const message = errorMessageOf(body ?? text);
    return { ok: false, failure: { kind: "status", status, message, retryAfterMs } };
  }
  if (body !== undefined) return { ok: true, body };
  const message = isCut ? "the response is far too large" : text;
  return { ok: false, failure: { kind: "answer", message } };
}

/** True when the request's body went out, whatever came of it. */
export function wasSent(judged: Judged): boolean {
  if (judged.ok || judged.failure.kind !== "connection") return true;
  return !NEVER_SENT.test(judged.failure.code ?? "");
}

/**
 * A server's error inside a response with status 200, as routers send it; or no answer at all.
 * @param error what readAnswer() found
 */
export function failureInside(body: unknown, error: unknown): ModelFailure {
  if (error === null || error === undefined) {
    const message = errorMessageOf(body) || (JSON.stringify(body) ?? "");
    return { kind: "answer", message };
  }
  const code = typeof error === "object" && "code" in error ? Number(error.code) : Number.NaN;
  const status = Number.isInteger(code) && code >= 400 && code < 600 ? code : 502;
  return { kind: "status", status, message: errorMessageOf(error), retryAfterMs: null };
}

/** Undefined for what is no JSON, or too deep to be written again: a stack ends there. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(value, JSON_DEPTH_MAX) ? undefined : value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function connectionFailure(error: unknown, timeoutMs: number): ModelFailure {
  // fetch's error holds the socket's: the innermost knows best.
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  const code = isBadPort(inner) ? BAD_PORT : codeOf(inner);
  const isLate =
    (error instanceof Error && error.name === "AbortError") ||
    code === "UND_ERR_HEADERS_TIMEOUT" ||
    code === "UND_ERR_BODY_TIMEOUT";
  if (isLate) return { kind: "timeout", seconds: timeoutMs / 1000 };
  const message = code ?? (inner instanceof Error ? inner.message : String(inner));
  return { kind: "connection", code, message };
}

/** A port that fetch never connects to, because other protocols own it: the standard has a list. */
function isBadPort(error: unknown): boolean {
  return error instanceof Error && error.message === "bad port";
}

function codeOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}
