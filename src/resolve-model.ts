/** Which sources may say where the model is and what its key is: more of them by hand than in the background. */
import { readIfThere } from "./core/config-file.ts";
import { SkillprError } from "./core/errors.ts";
import { readQwenModel } from "./core/qwen-model.ts";
import { safeLine, trimmed } from "./core/text.ts";
import { userConfigPath } from "./core/user-config-path.ts";
import { keyFilePath, type UserModel } from "./core/user-sections.ts";
import {
  type ModelFlags,
  type ModelSettings,
  orElse,
  readModelSettings,
} from "./review/model-settings.ts";
import { credentialsOf } from "./secrets/credentials.ts";

interface Sources {
  /** The `model:` section of the user's config. */
  readonly user: UserModel;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

/** A person typed the command: flags over the environment over the user's config. */
export function modelByHand(sources: Sources & { readonly flags?: ModelFlags }): ModelSettings {
  const { flags, user, env, home } = sources;
  const isTyped = trimmed(flags?.baseUrl) !== null;
  return orElse(readModelSettings(env, flags), ownModel(user, home), isTyped);
}

/**
 * Nobody typed anything, and the environment may hold what a repository's `.env` says: user-level
 * files alone count (invariant 6), unless the user opted in. `env` and `home` are those of
 * hook/confined.ts.
 * @returns the settings, and a sentence for each of Qwen Code's files that wasn't understood
 */
export function modelInBackground(sources: Sources): {
  model: ModelSettings;
  warnings: readonly string[];
} {
  const { user, env, home } = sources;
  const own = ownModel(user, home);
  const mine = user.fromEnvironment ? orElse(readModelSettings(env), own) : own;
  const hint =
    `put \`model:\` with name, base-url and api-key (or api-key-file) into ${userConfigPath(env, home)}, ` +
    "then `skillpr retry --all`; in the background the environment counts only with `from-environment: true` there";
  // Address and key belong together: Qwen Code's are taken when skillpr's config has neither.
  if (mine.baseUrl !== null || mine.apiKey() !== null)
    return { model: { ...mine, hint }, warnings: [] };
  const { name, baseUrl, apiKey, warnings } = readQwenModel(env, home);
  return { model: { model: mine.model ?? name, baseUrl, apiKey, hint }, warnings };
}

function ownModel(user: UserModel, home: string): ModelSettings {
  const key = user.apiKey() ?? keyInFile(user.apiKeyFile, home);
  return { model: user.name, baseUrl: user.baseUrl, apiKey: () => key };
}

function keyInFile(written: string | null, home: string): string | null {
  if (written === null) return null;
  const path = keyFilePath(written, home);
  const key = trimmed(readIfThere(path)?.split("\n")[0]);
  if (key !== null) return key;
  throw new SkillprError(
    "config",
    `${safeLine(path)}, the "model.api-key-file" of your skillpr config, is not there or holds no key`,
    "write the key into its first line, or correct the path",
  );
}

/** The key as a value that must appear nowhere; none when it is no secret (`none`, `ollama`). */
export function keyOf(model: ModelSettings): string[] {
  return credentialsOf({ OPENAI_API_KEY: model.apiKey() ?? undefined });
}
