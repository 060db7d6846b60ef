/** `--reviewer auto-skill` on the built program, with a scripted model behind it. */
import { type CliResult, DEMO_SESSION, runCli } from "./built-cli.ts";
import type { ScriptedModel, ScriptedRequest } from "./scripted-model.ts";
import type { TemporaryRepository } from "./temp-repository.ts";

/** Stands in for a secret: it must be in the header of a request and nowhere else. */
export const KEY = "sk-example-4f1d7c2b9a60";
/** Where the demo's session says that its project is. */
export const PROJECT = "/home/user/parcels";

type Place = Pick<TemporaryRepository, "dir" | "env" | "tempRoot">;

export function modelEnvironment(model: Pick<ScriptedModel, "url">): NodeJS.ProcessEnv {
  return { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted" };
}

/** `skillpr review <transcript> --json` with the model's settings in the environment. */
export function reviewBy(
  model: Pick<ScriptedModel, "url">,
  repository: Place,
  flags: readonly string[] = [],
  options: { readonly transcript?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<CliResult> {
  const { transcript = DEMO_SESSION, env = {} } = options;
  return runCli(repository, ["review", transcript, "--json", ...flags], {
    env: { ...modelEnvironment(model), ...env },
  });
}

export function skillText(name: string, more: { marker?: boolean; body?: string } = {}): string {
  const { marker = true, body = "# Labels\n\nRun `npm test`, then `npm test -- --seed 7`.\n" } =
    more;
  const source = marker ? "  source: auto-skill\n" : "";
  return (
    `---\nname: ${name}\ndescription: How to test the labels of shipments.\nversion: 1.0.0\n` +
    `metadata:\n${source}  extracted_at: '2026-03-09T14:03:12.000Z'\n---\n\n${body}`
  );
}

/** What the tools answered to the calls of the model's last message, in their order. */
export function results(request: ScriptedRequest | undefined): string[] {
  const { messages } = request?.body ?? { messages: [] };
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(last + 1).map(({ content }) => content ?? "");
}
