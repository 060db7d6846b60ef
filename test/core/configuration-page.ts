/** docs/configuration.md, made of the schemas of the two config files and the defaults. */
import { toJSONSchema } from "zod/mini";
import { DEFAULTS } from "../../src/core/config.ts";
import { RepositoryFile, UserFile } from "../../src/core/config-file.ts";
import { userConfigPath } from "../../src/core/user-config-path.ts";
import { workerSettings } from "../../src/core/user-sections.ts";

interface Node {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
}

/** One setting: its key in the file (dots for sections), and its words. */
export const WORDS: Readonly<Record<string, { what: string; tighten?: string }>> = {
  enabled: { what: "`false` switches reviews off", tighten: "may only switch off" },
  "skills-root": { what: "the folder of skills, from the repository's root" },
  base: {
    what: "what skills are proposed against; left out: the remote's default branch, else HEAD",
  },
  marker: { what: "where a new skill's `source: auto-skill` stands" },
  threshold: {
    what: "completed tool calls below which a session is not reviewed",
    tighten: "may only raise it",
  },
  publish: {
    what: "how far a review goes: nothing written, a branch here, a pull request, or whichever of the two is possible",
    tighten: "may only shorten it",
  },
  "max-turns": { what: "rounds of the reviewer", tighten: "may only lower it" },
  timeout: { what: "seconds of one review", tighten: "may only lower it" },
  rules: {
    what: "a rule's id, or all of a kind (`quality.*`), and its level; see [the rules](verifier.md)",
    tighten: "may only raise",
  },
  "pull-request.labels": { what: "put on at creation" },
  "pull-request.reviewers": { what: "asked at creation" },
  "pull-request.team-reviewers": { what: "slugs of teams of the organization, asked at creation" },
  "pull-request.assignees": { what: "set at creation" },
  "pull-request.milestone": { what: "its number, set at creation" },
  "pull-request.draft": {
    what: "every pull request starts as a draft; one with a grave warning does anyway",
    tighten: "may only switch on",
  },
  "pull-request.template": { what: "a file of the repository with its own body, read at the base" },
  "pull-request.max-open": {
    what: "more open proposals than this wait",
    tighten: "may only lower it",
  },
  "pull-request.stop-label": { what: "a pull request with this label is left alone" },
  "pull-request.sign-commits": {
    what: "commits are made, and signed, by GitHub",
    tighten: "may only switch on",
  },
  "pull-request.push-to": { what: "`owner/name` of the fork that branches are pushed to" },
  "github.token": { what: "a token; better in a file of its own" },
  "github.token-file": { what: "a file whose first line is the token; absolute or from `~/`" },
  "github.from-environment": {
    what: "`GITHUB_TOKEN` and `GH_TOKEN` count in the background too",
  },
  "github.server-url": { what: "the server, when it is not github.com" },
  "github.api-url": { what: "its API, when it is not where that server has it" },
  reviewer: { what: "who reviews" },
  trigger: {
    what: "what makes a session worth a review: enough calls, or a failure that was overcome or a correction by the user",
  },
  "model.name": { what: "the model" },
  "model.base-url": { what: "its server, up to `/v1`" },
  "model.api-key": { what: "the key; better in a file of its own" },
  "model.api-key-file": { what: "a file whose first line is the key; absolute or from `~/`" },
  "model.from-environment": { what: "`OPENAI_*` count in the background too" },
  "worker.reviews-per-day": { what: "what is above waits for the next day (UTC)" },
  "worker.tokens-per-day": { what: "the same, in tokens of the model" },
  "worker.quiet-minutes": { what: "after a turn's end, how long a session must be quiet" },
};

export interface Setting {
  readonly key: string;
  readonly node: Node;
}

/** Every setting of a schema; those of a section with a dot. */
export function settingsOf(schema: typeof UserFile | typeof RepositoryFile): Setting[] {
  const list = (node: Node, prefix: string): Setting[] =>
    Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
      child.properties === undefined
        ? [{ key: `${prefix}${name}`, node: child }]
        : list(child, `${prefix}${name}.`),
    );
  return list(toJSONSchema(schema) as Node, "");
}

const camel = (key: string) =>
  key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function defaultOf(key: string): unknown {
  const { pullRequest, ...rest } = DEFAULTS;
  const [section = "", name = ""] = key.includes(".") ? key.split(".") : ["", key];
  if (section === "pull-request") return Reflect.get(pullRequest, camel(name));
  if (section === "worker") return Reflect.get(workerSettings(), camel(name));
  if (name === "from-environment") return false;
  if (name === "timeout") return DEFAULTS.timeoutSeconds;
  return name === "rules" || section !== "" ? null : (Reflect.get(rest, camel(name)) ?? null);
}

const code = (text: string) => `\`${text}\``;

function shown(value: unknown): string {
  const isNothing = value === null || (Array.isArray(value) && value.length === 0);
  return isNothing ? "–" : code(String(value));
}

function valuesOf({
  type,
  enum: choices,
  minimum,
  maximum,
  items,
  additionalProperties,
}: Node): string {
  if (choices !== undefined) return choices.map(code).join(", ");
  if (type === "boolean") return "`true`, `false`";
  if (type === "array") return `a list of ${items?.type ?? "value"}s`;
  if (type === "object" && typeof additionalProperties === "object")
    return `a map to ${valuesOf(additionalProperties)}`;
  if (type !== "integer") return "text";
  const isOpen = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER;
  return `a whole number ${isOpen ? `from ${minimum ?? 0}` : `${minimum ?? 0}–${maximum}`}`;
}

export function configurationPage(): string {
  const repository = new Set(settingsOf(RepositoryFile).map(({ key }) => key));
  const lines = settingsOf(UserFile).map(({ key, node }) => {
    const { what, tighten } = WORDS[key] ?? { what: "" };
    const where = repository.has(key) ? (tighten ?? "yes") : "no";
    return `| ${code(key)} | ${what} | ${valuesOf(node)} | ${shown(defaultOf(key))} | ${where} |`;
  });
  const file = userConfigPath({}, "~").replaceAll("\\", "/");
  return `<!-- Made of the schemas by npm run docs:configuration; a test holds it to them. -->
# Configuration

Two files in YAML: your own, \`${file}\` (\`$XDG_CONFIG_HOME/skillpr/config.yml\`), and the repository's, \`.skillpr.yml\`, which on your
machine is read in the work tree; in CI, where a checkout may be anybody's pull request, and in a bare repository at the base commit. Flags win over the environment, that over your file, that over the defaults. After that the repository's file
says where its skills are and what they are proposed against, and may only tighten the rest; what it would loosen is ignored with a warning.
The model's and GitHub's address and credentials never come from a repository. An unknown key, a wrong type or a number out of
bounds is an error that names the file, the line and the field.

A dot stands for a section: \`pull-request.draft\` is \`draft\` below \`pull-request:\`.

| setting | what it is | values | default | in \`.skillpr.yml\` |
|---|---|---|---|---|
${lines.join("\n")}

## The environment

| variable | what it is |
|---|---|
| \`OPENAI_API_KEY\`, \`OPENAI_BASE_URL\`, \`OPENAI_MODEL\` | the model, for \`review\` and \`revise\` by hand; in the background only with \`model.from-environment\` |
| \`GITHUB_TOKEN\`, \`GH_TOKEN\` | the token for pull requests, by hand; in the background only with \`github.from-environment\` |
| \`SKILLPR_WORKER=off\` | a hook captures the session and starts no worker |
| \`XDG_CONFIG_HOME\`, \`XDG_STATE_HOME\`, \`QWEN_HOME\` | where your settings are, when not in the usual places |
| \`NO_COLOR\`, \`CI\` | plain output, no progress line |
| \`RUNNER_TEMP\`, \`TMPDIR\` | where temporary folders go |
`;
}
