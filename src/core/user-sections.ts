/** The sections of the user's config that a repository's file doesn't have: the model, GitHub, the worker. */
import { isAbsolute, join } from "node:path";
import { SkillprError } from "./errors.ts";
import * as limits from "./limits.ts";
import { type InferSchema, wholeNumber, z } from "./schema.ts";
import { safeLine, trimmed } from "./text.ts";

export const ModelSection = z.strictObject({
  name: z.optional(z.string()),
  "base-url": z.optional(z.string()),
  "api-key": z.optional(z.string()),
  "api-key-file": z.optional(z.string()),
  "from-environment": z.optional(z.boolean()),
});

export const GithubSection = z.strictObject({
  token: z.optional(z.string()),
  "token-file": z.optional(z.string()),
  "from-environment": z.optional(z.boolean()),
  "server-url": z.optional(z.string()),
  "api-url": z.optional(z.string()),
});

export const WorkerSection = z.strictObject({
  "reviews-per-day": z.optional(wholeNumber(0, limits.REVIEWS_PER_DAY_MAX)),
  "tokens-per-day": z.optional(wholeNumber(0, limits.TOKENS_PER_DAY_MAX)),
  "quiet-minutes": z.optional(wholeNumber(0, limits.QUIET_MAX_MINUTES)),
});

/** Safe to print: the key is behind a function. */
export interface UserModel {
  readonly name: string | null;
  readonly baseUrl: string | null;
  readonly apiKey: () => string | null;
  /** As written; its first line is the key. */
  readonly apiKeyFile: string | null;
  /** `OPENAI_*` of the environment count in the background too. */
  readonly fromEnvironment: boolean;
}

/** Safe to print: the token is behind a function. */
export interface UserGithub {
  readonly token: () => string | null;
  /** As written; its first line is the token. */
  readonly tokenFile: string | null;
  /** `GITHUB_TOKEN` or `GH_TOKEN` of the environment count in the background too. */
  readonly fromEnvironment: boolean;
  readonly serverUrl: string | null;
  readonly apiUrl: string | null;
}

export interface WorkerSettings {
  readonly reviewsPerDay: number;
  readonly tokensPerDay: number;
  readonly quietMinutes: number;
}

export function userModel(section: InferSchema<typeof ModelSection> = {}): UserModel {
  const key = trimmed(section["api-key"]);
  return {
    name: trimmed(section.name),
    baseUrl: trimmed(section["base-url"]),
    apiKey: () => key,
    apiKeyFile: trimmed(section["api-key-file"]),
    fromEnvironment: section["from-environment"] ?? false,
  };
}

export function userGithub(section: InferSchema<typeof GithubSection> = {}): UserGithub {
  const token = trimmed(section.token);
  return {
    token: () => token,
    tokenFile: trimmed(section["token-file"]),
    fromEnvironment: section["from-environment"] ?? false,
    serverUrl: trimmed(section["server-url"]),
    apiUrl: trimmed(section["api-url"]),
  };
}

export function workerSettings(section: InferSchema<typeof WorkerSection> = {}): WorkerSettings {
  return {
    reviewsPerDay: section["reviews-per-day"] ?? limits.REVIEWS_PER_DAY,
    tokensPerDay: section["tokens-per-day"] ?? limits.TOKENS_PER_DAY,
    quietMinutes: section["quiet-minutes"] ?? limits.QUIET_MINUTES,
  };
}

/**
 * The file of `api-key-file` or `token-file`: absolute, or from the home folder.
 * @throws SkillprError `config` for a relative one: it would depend on where skillpr is started
 */
export function keyFilePath(written: string, home: string, field = "model.api-key-file"): string {
  if (written.startsWith("~/")) return join(home, written.slice(2));
  if (isAbsolute(written)) return written;
  throw new SkillprError(
    "config",
    `"${field}" in your skillpr config is a relative path: ${safeLine(written)}`,
    "write an absolute path, or one that begins with ~/",
  );
}
