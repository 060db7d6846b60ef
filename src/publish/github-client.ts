/**
 * GitHub's API client: the only file that uses the library. Limits are waited for as GitHub asks; outages
 * and objects that its replicas don't know yet are tried again; everything else fails at once,
 * because asking twice doesn't change it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import { SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import type { Schema } from "../core/schema.ts";
import type { GithubServer } from "./github-address.ts";
import { checkedAnswer } from "./github-answers.ts";
import { type ApiFailure, githubFailure, isReadAfterWrite } from "./github-errors.ts";

export interface GithubOptions {
  readonly server: GithubServer;
  readonly token: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; default: what GitHub asks of its clients. */
  readonly pauses?: { readonly retry: number; readonly write: number; readonly notify: number };
}

/**
 * One request, and as many tries as it is worth.
 * @param what what is being done, for the message: `opening the pull request`
 * @param route `POST /repos/{owner}/{repo}/pulls`, or with a whole address
 * @throws SkillprError `github`, with the ApiFailure as its cause
 */
export type GithubCall = <T>(
  what: string,
  schema: Schema<T>,
  route: string,
  parameters: Readonly<Record<string, unknown>>,
  onHeaders?: (headers: Readonly<Record<string, unknown>>) => void,
) => Promise<T>;

/** Parameters of a request that must not happen twice: an outage may hide that it worked. */
export const ONCE = { request: { retries: 0 } } as const;

export function openGithubClient(options: GithubOptions): GithubCall {
  const client = openClient(options);
  return async (what, schema, route, parameters, onHeaders) => {
    const { data, headers } = await tried(what, options, () => client.request(route, parameters));
    onHeaders?.(headers);
    return checkedAnswer(schema, data, what);
  };
}

const Client = Octokit.plugin(throttling, retry);

function openClient({ server, token, signal, pauses }: GithubOptions) {
  const wait = (seconds: number, tries: number) =>
    seconds <= limits.GITHUB_WAIT_MAX_SECONDS && tries < limits.GITHUB_WAITS_MAX;
  const quiet = () => {};
  return new Client({
    auth: token,
    baseUrl: server.apiUrl,
    userAgent: "skillpr",
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    request: {
      fetch: (url: string, init: RequestInit) => {
        const timeout = AbortSignal.timeout(limits.GITHUB_ANSWER_MAX_MS);
        const ends = signal === undefined ? [timeout] : [timeout, signal];
        return fetch(url, { ...init, signal: AbortSignal.any(ends) });
      },
    },
    throttle: {
      onRateLimit: (seconds, _options, _client, tries) => wait(seconds, tries),
      onSecondaryRateLimit: (seconds, _options, _client, tries) => wait(seconds, tries),
      ...(pauses !== undefined && {
        write: paced(pauses.write),
        notifications: paced(pauses.notify),
      }),
    },
    retry: {
      retries: limits.GITHUB_TRIES - 1,
      retryAfterBaseValue: pauses?.retry ?? limits.GITHUB_RETRY_PAUSE_MS,
      // Outages alone: every answer below 500 is one that stays the same.
      doNotRetry: Array.from({ length: 100 }, (_, index) => 400 + index),
    },
  });
}

/** Spaces what goes through it, one after the other, as the throttling plugin's own queues do. */
function paced(ms: number) {
  let free = Promise.resolve();
  const schedule = (
    _options: unknown,
    job: (...args: unknown[]) => unknown,
    ...args: unknown[]
  ) => {
    const turn = free;
    free = turn.then(() => pause(ms, undefined));
    return turn.then(() => job(...args));
  };
  // biome-ignore lint/suspicious/noExplicitAny: the plugin takes any object of this shape, its types don't
  return { key: () => ({ schedule }) } as any;
}

/** The request, again while GitHub's replicas lag behind what was just written. */
async function tried<T>(
  what: string,
  options: GithubOptions,
  request: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await request();
    } catch (error) {
      if (options.signal?.aborted === true)
        throw new SkillprError("interrupted", `stopped while ${what}`, "Run it again.");
      const failure = failureOf(error);
      if (failure === null) throw error;
      const isWorthIt = isReadAfterWrite(failure) && tries < limits.GITHUB_TRIES;
      if (!isWorthIt) throw githubFailure(what, failure, failure);
      await pause((options.pauses?.retry ?? limits.GITHUB_RETRY_PAUSE_MS) * tries ** 2);
    }
  }
}

/** What the client's error says; null when it isn't the client's. Never its request: that holds the token. */
function failureOf(error: unknown): ApiFailure | null {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number")
    return null;
  const response = "response" in error ? (error.response as Partial<AnsweredError>) : undefined;
  if (response === undefined) return { status: 0, message: error.message, headers: {} };
  const { message = error.message, errors = [] } = response.data ?? {};
  const details = Array.isArray(errors) ? errors.map(detailOf) : [];
  return {
    status: error.status,
    message: [message, ...details].filter((text) => text !== "").join("; "),
    headers: response.headers ?? {},
  };
}

interface AnsweredError {
  readonly data: { readonly message?: string; readonly errors?: unknown };
  readonly headers: Readonly<Record<string, string | undefined>>;
}

function detailOf(detail: unknown): string {
  if (typeof detail === "string") return detail;
  if (typeof detail !== "object" || detail === null) return "";
  const { message, field, code } = detail as Record<string, unknown>;
  if (typeof message === "string") return message;
  return [field, code].filter((part) => typeof part === "string").join(" ");
}
