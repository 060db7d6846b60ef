/**
 * One request and its response on the wire. It stands between the client library and the network,
 * so that nothing is sent but what is written here (the library adds headers from its own
 * environment variables, which a project's `.env` may have set), a response has a bound, and what
 * came back is known also where the library only throws.
 */
import { MODEL_RESPONSE_MAX_BYTES } from "../core/limits.ts";

export interface WireResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** More came than MODEL_RESPONSE_MAX_BYTES; the rest was not read. */
  readonly isCut: boolean;
}

/** The parts of RequestInit that are passed on. */
interface WireRequest {
  readonly method?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

export class ModelExchange {
  readonly #apiKey: string;
  #response: WireResponse | null = null;
  #error: unknown = null;

  /** @param apiKey empty: no Authorization header is sent */
  constructor(apiKey: string) {
    this.#apiKey = apiKey;
  }

  /** What came back; null while or when nothing did. */
  get response(): WireResponse | null {
    return this.#response;
  }

  /** Why nothing came back. */
  get error(): unknown {
    return this.#error;
  }

  /** Stands in for the global fetch. Redirects are not followed: a POST would arrive as a GET, or elsewhere. */
  readonly fetch = async (url: unknown, init?: WireRequest): Promise<Response> => {
    try {
      return await this.#send(url, init);
    } catch (error) {
      this.#error = error;
      throw error;
    }
  };

  async #send(url: unknown, init?: WireRequest): Promise<Response> {
    const response = await fetch(String(url), {
      method: init?.method ?? "POST",
      body: String(init?.body ?? ""),
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        "user-agent": "skillpr",
        ...(this.#apiKey === "" ? {} : { authorization: `Bearer ${this.#apiKey}` }),
      },
      redirect: "manual",
      ...(init?.signal ? { signal: init.signal } : {}),
    });
    const { status, headers } = response;
    this.#response = { status, headers, ...(await boundedText(response)) };
    // A copy that the library may judge; its text is already read. Statuses without a body forbid one.
    const isEmpty = this.#response.text === "" || status === 204 || status === 304;
    return new Response(isEmpty ? null : this.#response.text, { status, headers });
  }
}

async function boundedText(response: Response): Promise<{ text: string; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (size > MODEL_RESPONSE_MAX_BYTES) return { text: "", isCut: true };
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString("utf8"), isCut: false };
}
