/**
 * The model that the user gave to Qwen Code: `settings.json` and `.env` of the user-level folder,
 * never the project's. Its own order: `.env` over `env` of the settings over `security.auth`.
 */
import { join } from "node:path";
import { readIfThere } from "./config-file.ts";
import { SkillprError } from "./errors.ts";
import { fieldOf, parseJsonWithComments } from "./json-with-comments.ts";

/** Safe to print: the key is behind a function. */
export interface QwenModel {
  readonly name: string | null;
  readonly baseUrl: string | null;
  readonly apiKey: () => string | null;
  /** One sentence for each file that wasn't understood; nothing of its content. */
  readonly warnings: readonly string[];
}

type Variables = Readonly<Record<string, string>>;

export function readQwenModel(env: NodeJS.ProcessEnv, home: string): QwenModel {
  const dir = env["QWEN_HOME"] || join(home, ".qwen");
  const warnings: string[] = [];
  const text = (name: string) => {
    try {
      return readIfThere(join(dir, name)) ?? "";
    } catch (error) {
      if (!(error instanceof SkillprError)) throw error;
      warnings.push(`${error.message}; the model set up in it is not used`);
      return "";
    }
  };
  const settings = parsedSettings(text("settings.json"));
  if (settings === null)
    warnings.push(
      `${join(dir, "settings.json")} is not valid JSON; the model set up in it is not used`,
    );
  const variables = { ...textFields(fieldOf(settings, "env")), ...parseEnvFile(text(".env")) };
  const { name, baseUrl, apiKey } = chosen(settings, variables);
  return { name, baseUrl, apiKey: () => apiKey, warnings };
}

function chosen(settings: unknown, variables: Variables) {
  const auth = textFields(fieldOf(fieldOf(settings, "security"), "auth"));
  const model = textFields(fieldOf(settings, "model"));
  const name = variables["OPENAI_MODEL"] ?? resolved(model["name"], variables);
  const provider = providerOf(settings, name);
  const key = variables[provider["envKey"] ?? "OPENAI_API_KEY"];
  return {
    name,
    baseUrl:
      resolved(provider["baseUrl"], variables) ??
      variables["OPENAI_BASE_URL"] ??
      resolved(auth["baseUrl"], variables),
    apiKey: key ?? resolved(auth["apiKey"], variables),
  };
}

/** The entry of `modelProviders.openai` that the model's name chooses: `{ id, baseUrl, envKey }`. */
function providerOf(settings: unknown, name: string | null): Variables {
  const list = fieldOf(fieldOf(settings, "modelProviders"), "openai");
  const entries = Array.isArray(list) ? list.map(textFields) : [];
  return entries.find(({ id }) => id !== undefined && id === name) ?? {};
}

/** A value may name a variable (`$KEY`, `${KEY}`): one of these files, not of the environment. */
function resolved(value: string | undefined, variables: Variables): string | null {
  if (value === undefined) return null;
  const variable = /^\$(?:\{(\w+)\}|(\w+))$/.exec(value);
  if (variable === null) return value;
  return variables[variable[1] ?? variable[2] ?? ""] ?? null;
}

/** Null when it is no JSON; the parser's words are not told, since they quote the file. */
function parsedSettings(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return parseJsonWithComments(text) ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Lines `NAME=value`, with or without `export` and quotes; a `#` after a blank begins a comment. */
export function parseEnvFile(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line);
    const [, name = "", rest = ""] = match ?? [];
    const quoted = /^(["'`])(.*?)\1/.exec(rest)?.[2];
    const value = quoted ?? rest.replace(/(?:^|\s)#.*$/, "").trim();
    if (name !== "" && value !== "") variables[name] = value;
  }
  return variables;
}

/** The fields of an object that are texts and not blank. */
function textFields(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).flatMap(([key, text]) =>
    typeof text === "string" && text.trim() !== "" ? [[key, text.trim()] as const] : [],
  );
  return Object.fromEntries(entries);
}
