/**
 * `--model-log DIR`: what went to the model and what came back, one JSON file each, for the person
 * who wants to know why a review ended as it did. Headers and the key are never part of it, and
 * every string passes redaction.
 */
import { mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import { CREDENTIAL_MIN_CHARS, JSON_DEPTH_MAX } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { isRecord } from "../skills/skill-file.ts";

export interface LoggedResponse {
  /** HTTP status; null when no response came. */
  readonly status: number | null;
  readonly durationMs: number;
  /** What came, or, without a response, why not. */
  readonly text: string;
}

export interface ModelLog {
  /**
   * Writes `0001-request.json`; the answer writes `0001-response.json` beside it.
   * @param body the request's JSON text
   * @throws SkillprError code `model` when the folder can't be written
   */
  request(body: string): Promise<(response: LoggedResponse) => Promise<void>>;
}

export interface ModelLogOptions {
  readonly dir: string;
  /** Replaces every secret in a text. */
  readonly redact: (text: string) => Promise<string>;
}

/**
 * Opens the folder, making it when it is missing; files of earlier runs stay, and numbers go on.
 * @throws SkillprError code `usage` when the folder can't be made or read
 */
export async function openModelLog(options: ModelLogOptions): Promise<ModelLog> {
  const { dir } = options;
  let names: string[];
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    names = await readdir(dir);
  } catch (error) {
    throw new SkillprError(
      "usage",
      `could not open the folder ${safeLine(dir)} for --model-log: ${codeOf(error)}`,
      "name a folder that can be written",
      { cause: error },
    );
  }
  const numbers = names.map((name) => Number(/^(\d{4,9})-/.exec(name)?.[1] ?? 0));
  return new FolderLog(options, Math.max(0, ...numbers));
}

class FolderLog implements ModelLog {
  readonly #dir: string;
  readonly #redact: (text: string) => Promise<string>;
  /** Messages come again in each request: a text is redacted once. */
  readonly #clean = new Map<string, string>();
  #last: number;

  constructor(options: ModelLogOptions, last: number) {
    this.#dir = options.dir;
    this.#redact = options.redact;
    this.#last = last;
  }

  async request(body: string): Promise<(response: LoggedResponse) => Promise<void>> {
    const entry = { at: new Date().toISOString(), ...(await this.#content(body)) };
    const number = await this.#writeNext(entry);
    return async ({ status, durationMs, text }) => {
      const at = new Date().toISOString();
      const answer = { at, status, durationMs, ...(await this.#content(text)) };
      await this.#write(`${number}-response.json`, answer);
    };
  }

  /** Another process may write into the same folder: the next free number is ours. */
  async #writeNext(entry: unknown): Promise<string> {
    for (;;) {
      const number = String(++this.#last).padStart(4, "0");
      if (await this.#write(`${number}-request.json`, entry)) return number;
    }
  }

  /** False when a file of this name is there already. */
  async #write(name: string, entry: unknown): Promise<boolean> {
    const file = join(this.#dir, name);
    try {
      const handle = await open(file, "wx", 0o600);
      try {
        await handle.writeFile(JSON.stringify(entry, null, 2) + "\n");
      } finally {
        await handle.close();
      }
      return true;
    } catch (error) {
      if (hasCode(error, "EEXIST")) return false;
      throw new SkillprError(
        "model",
        `could not write ${safeLine(file)} for --model-log: ${codeOf(error)}`,
        "make room there, or name another folder",
        { cause: error },
      );
    }
  }

  async #content(text: string): Promise<{ body: unknown } | { text: string }> {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return { text: await this.#redactText(text) };
    }
    return { body: await this.#redactValue(body, 0) };
  }

  async #redactValue(value: unknown, depth: number): Promise<unknown> {
    if (typeof value === "string") return this.#redactText(value);
    if (depth > JSON_DEPTH_MAX) return "[nested too deeply]";
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(await this.#redactValue(item, depth + 1));
      return items;
    }
    if (!isRecord(value)) return value;
    const fields: [string, unknown][] = [];
    for (const [key, field] of Object.entries(value))
      fields.push([await this.#redactText(key), await this.#redactValue(field, depth + 1)]);
    return Object.fromEntries(fields);
  }

  async #redactText(text: string): Promise<string> {
    if (text.length < CREDENTIAL_MIN_CHARS) return text;
    const known = this.#clean.get(text);
    if (known !== undefined) return known;
    const clean = await this.#redact(text);
    this.#clean.set(text, clean);
    return clean;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
