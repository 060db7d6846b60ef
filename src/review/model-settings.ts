/** Where the model is, by what name, and with which key: from flags, the environment and the user's own files. */
import { SkillprError } from "../core/errors.ts";
import { trimmed } from "../core/text.ts";

/** Safe to print: the key is behind a function. */
export interface ModelSettings {
  readonly model: string | null;
  /** Null: the address that the client has by default. */
  readonly baseUrl: string | null;
  readonly apiKey: () => string | null;
  /** What to do when something of it is missing; absent: set the environment's variables. */
  readonly hint?: string;
}

export interface ModelFlags {
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/**
 * Flags over `OPENAI_MODEL`, `OPENAI_BASE_URL`, `OPENAI_API_KEY`; an empty value counts as absent.
 * Nothing is ever read from a file of the repository.
 */
export function readModelSettings(env: NodeJS.ProcessEnv, flags: ModelFlags = {}): ModelSettings {
  const key = trimmed(env["OPENAI_API_KEY"]);
  return {
    model: trimmed(flags.model) ?? trimmed(env["OPENAI_MODEL"]),
    baseUrl: trimmed(flags.baseUrl) ?? trimmed(env["OPENAI_BASE_URL"]),
    apiKey: () => key,
  };
}

/**
 * What `first` leaves open is taken from `second`, with one exception: the key of `second` is not
 * sent to an address that `first` names, unless that was typed (`isTyped`): the environment may
 * hold what a file of a project says.
 */
export function orElse(
  first: ModelSettings,
  second: ModelSettings,
  isTyped = false,
): ModelSettings {
  const own = first.apiKey();
  const mayLend = first.baseUrl === null || isTyped;
  return {
    model: first.model ?? second.model,
    baseUrl: first.baseUrl ?? second.baseUrl,
    apiKey: () => own ?? (mayLend ? second.apiKey() : null),
  };
}

export interface UsableModel {
  readonly model: string;
  readonly baseUrl: string | null;
  readonly apiKey: string;
}

/** @throws SkillprError `config` naming what is not set */
export function requireModel(settings: ModelSettings): UsableModel {
  const { model, baseUrl } = settings;
  const apiKey = settings.apiKey();
  if (model !== null && apiKey !== null) return { model, baseUrl, apiKey };
  // Who has another hint can't set it by flags and variables.
  const by = (way: string) => (settings.hint === undefined ? ` (${way})` : "");
  const missing = [
    ...(model === null ? [`no model is named${by("OPENAI_MODEL or --model")}`] : []),
    ...(apiKey === null ? [`there is no key${by("OPENAI_API_KEY")}`] : []),
  ];
  throw new SkillprError(
    "config",
    `the reviewer needs a model: ${missing.join(", ")}`,
    settings.hint ??
      "set OPENAI_API_KEY and OPENAI_MODEL, and OPENAI_BASE_URL for anything but OpenAI (a local server takes any key); --reviewer offline needs no model",
  );
}
