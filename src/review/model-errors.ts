/**
 * What can go wrong between us and a model's server, whether another try may help, and the error
 * that says which setting to look at.
 */
import { SkillprError } from "../core/errors.ts";
import { QUOTE_MAX_CHARS } from "../core/limits.ts";
import { count, cut, safeLine } from "../core/text.ts";
import { isRecord } from "../skills/skill-file.ts";

export type ModelFailure =
  /** The server answered with an error; also one inside an answer with status 200. */
  | {
      readonly kind: "status";
      readonly status: number;
      /** The server's words. */
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  /** No answer came: refused, unknown host, dropped, TLS. `code` is Node's, or BAD_PORT. */
  | { readonly kind: "connection"; readonly code: string | null; readonly message: string }
  | { readonly kind: "timeout"; readonly seconds: number }
  /** Status 200 with something that is no chat completion, or more than one may hold. */
  | { readonly kind: "answer"; readonly message: string };

/** Whom the errors speak of. */
export interface ModelServer {
  readonly model: string;
  /** Shown in errors: origin and path. */
  readonly baseUrl: string;
  /** Takes the key out of a text that the server wrote. */
  readonly hide: (text: string) => string;
}

const KEY = "OPENAI_API_KEY";
const ADDRESS = "OPENAI_BASE_URL or --base-url";
const MODEL = "OPENAI_MODEL or --model";

const NO_TOOLS =
  /(?:tool|function)[\s-]?(?:use|call\w*|choice)?\b[^.]{0,60}(?:not support|unsupported|isn't supported|requires?\b|not enabled|not available)|(?:not support|unsupported|support)\w*[^.]{0,40}\b(?:tools?\b|function)|tools param requires/i;
const TOO_LONG =
  /context[\s_-]?(?:length|window|size)|maximum context|too many tokens|prompt is too long|input (?:is )?too long|(?:range of )?input length/i;
const NO_QUOTA = /insufficient[\s_]?(?:quota|balance|credits?|funds)|exceeded your current quota/i;
const NO_SUCH_MODEL = /model/i;
/** The `code` of a connection that was never tried: no HTTP client opens one to this port. */
export const BAD_PORT = "BAD_PORT";
/** A certificate that Node doesn't trust: the same at every try. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ALTNAME/;

/** True when the same request may succeed a moment later. */
export function isTransient(failure: ModelFailure): boolean {
  switch (failure.kind) {
    case "timeout":
      return true;
    case "connection":
      if (failure.code === "ENOTFOUND" || failure.code === BAD_PORT) return false;
      return !UNTRUSTED.test(failure.code ?? "");
    case "answer":
      return false;
    case "status": {
      const { status, message } = failure;
      // Some servers call a quota what is a limit for the minute: every 429 may pass.
      if (status === 408 || status === 425 || status === 429) return true;
      return status >= 500 && status !== 501 && status !== 505 && !NO_TOOLS.test(message);
    }
  }
}

/** What happened, as half a sentence: `answered 429 (slow down)`. */
export function describeFailure(failure: ModelFailure, server: ModelServer): string {
  const said = "message" in failure ? server.hide(failure.message).trim() : "";
  const quoted = said === "" ? "" : ` (${safeLine(cut(said, QUOTE_MAX_CHARS))})`;
  switch (failure.kind) {
    case "timeout":
      return `did not answer within ${count(failure.seconds, "second")}`;
    case "connection":
      if (failure.code === BAD_PORT) return "has a port that HTTP clients refuse to open";
      return `could not be reached${quoted}`;
    case "answer":
      return `sent no chat completion${quoted}`;
    case "status":
      return `answered ${failure.status}${quoted}`;
  }
}

/** @param tries how often it was asked */
export function modelError(
  failure: ModelFailure,
  server: ModelServer,
  tries: number,
): SkillprError {
  const after = tries > 1 ? ` after ${tries} tries` : "";
  const what = `the model's server at ${safeLine(server.baseUrl)} ${describeFailure(failure, server)}${after}`;
  return new SkillprError("model", what, hintFor(failure, server));
}

function hintFor(failure: ModelFailure, server: ModelServer): string {
  const model = safeLine(server.model);
  switch (failure.kind) {
    case "timeout":
      return `run it again later, or look at ${ADDRESS}`;
    case "answer":
      return `look at ${ADDRESS}: it is the address before /chat/completions, and usually ends in /v1`;
    case "connection":
      if (UNTRUSTED.test(failure.code ?? ""))
        return "let Node trust the server's certificate with NODE_EXTRA_CA_CERTS";
      if (failure.code === BAD_PORT)
        return `let the server listen on another port, and change ${ADDRESS}`;
      return `is the server running? Look at ${ADDRESS}`;
    case "status":
      return hintForStatus(failure.status, failure.message, model);
  }
}

function hintForStatus(status: number, message: string, model: string): string {
  if (status < 400) return `the server sends us elsewhere: look at ${ADDRESS}`;
  if (status !== 401 && status !== 403 && NO_TOOLS.test(message)) return toolSupportHint(model);
  if (TOO_LONG.test(message) || status === 413)
    return `the session is too long for ${model}: choose a model with a larger context with ${MODEL}`;
  if (status === 402 || (status === 429 && NO_QUOTA.test(message)))
    return `the account behind ${KEY} has no credit left, or used up its limit`;
  if (status === 401) return `look at ${KEY}: it must be a valid key of the server in ${ADDRESS}`;
  if (status === 403) return `may the key in ${KEY} use ${model}? Look at ${MODEL} too`;
  if (status === 404 && NO_SUCH_MODEL.test(message))
    return `the server has no model ${model}: look at ${MODEL}`;
  if (status === 404) return `look at ${ADDRESS}: it usually ends in /v1; then at ${MODEL}`;
  if (status === 429) return "the server limits how often it is asked: run it again later";
  if (status >= 500) return `the server is in trouble: run it again later, or look at ${ADDRESS}`;
  return `the server does not take this request: look at ${MODEL} and ${ADDRESS}`;
}

/** What to do when tool calls don't come through. */
export function toolSupportHint(model: string): string {
  return (
    `the review needs tool calls: choose a model that makes them with ${MODEL}, or turn them on in the server` +
    ` (vLLM: --enable-auto-tool-choice and --tool-call-parser; llama.cpp: --jinja); now it is ${model}`
  );
}

/** The server's words in an error body, whichever of the common places holds them. */
export function errorMessageOf(body: unknown): string {
  if (typeof body === "string") return body;
  if (!isRecord(body)) return "";
  for (const key of ["error", "message", "detail", "msg", "code"]) {
    const value = body[key];
    if (typeof value === "string" && value !== "") return withCode(value, body);
    if (isRecord(value)) {
      const inner = errorMessageOf(value);
      if (inner !== "") return inner;
    }
    if (Array.isArray(value) && value.length > 0) return JSON.stringify(value);
  }
  return "";
}

/** A machine's word for it (`insufficient_quota`) beside the sentence: some servers say it only there. */
function withCode(message: string, body: Readonly<Record<string, unknown>>): string {
  const { code } = body;
  const isWord = typeof code === "string" && /\D/.test(code) && code !== message;
  return isWord ? `${message}; ${code}` : message;
}
