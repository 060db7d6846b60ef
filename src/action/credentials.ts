/** Which half of a split run may hold which credential, and keeping all of them out of the log. */
import { credentialForms, credentialsOf } from "../secrets/credentials.ts";
import { MODEL_KEY_VARIABLE, mustNotHold, TOKEN_VARIABLES } from "../split-run.ts";
import type { ActionCommand, ReadInput } from "./inputs.ts";

export interface Credentials {
  readonly githubToken: string | null;
  readonly modelKey: string | null;
}

/** Where the runner puts the inputs that hold one. */
const INPUTS = ["INPUT_GITHUB-TOKEN", "INPUT_OPENAI-API-KEY"] as const;

/** The commands that read untrusted text, or act on it, and so may hold one kind of credential alone. */
const MAY_HOLD: Readonly<Record<ActionCommand, { token: boolean; modelKey: boolean }>> = {
  review: { token: false, modelKey: true },
  publish: { token: true, modelKey: false },
  plan: { token: true, modelKey: false },
  verify: { token: true, modelKey: true },
  run: { token: true, modelKey: true },
  revise: { token: true, modelKey: true },
};

/**
 * Takes the credentials from inputs and environment, and out of the environment: nothing that is started
 * from here inherits one.
 * @throws SkillprError `usage` when the command must not hold one of them
 */
export function takeCredentials(
  command: ActionCommand,
  read: ReadInput,
  env: NodeJS.ProcessEnv,
): Credentials {
  const token = firstOf([
    ["the input github-token", read("github-token")],
    ...fromEnv(env, TOKEN_VARIABLES),
  ]);
  const modelKey = firstOf([
    ["the input openai-api-key", read("openai-api-key")],
    ...fromEnv(env, [MODEL_KEY_VARIABLE]),
  ]);
  const may = MAY_HOLD[command];
  const who = `\`${command}\``;
  if (token !== null && !may.token) throw mustNotHold(token.name, who, "token");
  if (modelKey !== null && !may.modelKey) throw mustNotHold(modelKey.name, who, "model key");
  for (const name of [...TOKEN_VARIABLES, MODEL_KEY_VARIABLE, ...INPUTS]) delete env[name];
  return { githubToken: token?.value ?? null, modelKey: modelKey?.value ?? null };
}

function fromEnv(env: NodeJS.ProcessEnv, names: readonly string[]): [string, string][] {
  return names.map((name) => [name, env[name] ?? ""]);
}

function firstOf(sources: readonly (readonly [name: string, value: string])[]) {
  const [name, value = ""] = sources.find(([, given]) => given !== "") ?? [];
  return name === undefined ? null : { name, value };
}

/** The values of all credentials that the process was given, also as inputs: none may come out again. */
export function credentialValues(env: Readonly<NodeJS.ProcessEnv>): string[] {
  // The runner names an input after itself, with its hyphens.
  const named = Object.entries(env).map(([name, value]) => [name.replaceAll("-", "_"), value]);
  return credentialsOf(Object.fromEntries(named));
}

/** Those values in each spelling in which they could come back; the runner masks one line at a time. */
export function valuesToMask(values: readonly string[]): string[] {
  // What git and the API send; a base64 form of the value alone begins elsewhere.
  const headers = values.map((value) =>
    Buffer.from(`x-access-token:${value}`, "utf8").toString("base64"),
  );
  const forms = [...values.flatMap(credentialForms), ...headers];
  return [...new Set(forms.flatMap((form) => form.split("\n")))].filter((form) => form !== "");
}
