/** From flags, environment and files to what a command works with: the repository and the Config. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type Config, type Flags, type RepositoryConfig, resolveConfig } from "../core/config.ts";
import {
  findAgentSwitch,
  parseRepositoryConfig,
  parseSkillsRoot,
  readIfThere,
  readUserConfig,
} from "../core/config-file.ts";
import { CONFIG_MAX_BYTES } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { ObjectReader } from "../git/objects.ts";
import { openRepository, type Repository, resolveBase } from "../git/repository.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

const REPOSITORY_FILE = ".skillpr.yml";

export interface OpenPlace {
  readonly repository: Repository;
  readonly config: Config;
}

/** @throws SkillprError when the folder is no repository, or a config is wrong */
export async function openPlace(call: Call, terminal: Terminal): Promise<OpenPlace> {
  const repository = await openRepository(resolve(text(call, "repo") ?? "."));
  const home = homedir();
  const flags = flagsOf(call);
  const user = await readUserConfig(process.env, home);
  const agent = await findAgentSwitch({ projectRoot: repository.root, env: process.env, home });
  const { config, warnings } = resolveConfig({
    flags,
    user,
    repository: await readRepositoryConfig(repository, flags.base ?? user.base ?? null),
    disabledInAgentSettings: agent.disabledIn,
  });
  for (const warning of [...agent.warnings, ...warnings])
    terminal.note(`warning: ${safeLine(warning)}`);
  return { repository, config };
}

/**
 * On a person's machine the file in the work tree counts; in CI, and where there is no work tree,
 * the one at the base commit, because a checkout in CI may be anybody's pull request.
 */
async function readRepositoryConfig(
  repository: Repository,
  base: string | null,
): Promise<RepositoryConfig> {
  if (repository.root !== null && !process.env["CI"]) {
    const file = join(repository.root, REPOSITORY_FILE);
    const content = await readIfThere(file);
    return content === null ? {} : parseRepositoryConfig(content, file);
  }
  const { commit, tree } = await resolveBase(repository, base ?? undefined);
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const object = await reader.read(`${tree}:${REPOSITORY_FILE}`);
  if (object === null || object.type !== "blob" || object.bytes.length > CONFIG_MAX_BYTES)
    return {};
  const where = `${REPOSITORY_FILE} at ${commit.slice(0, 12)}`;
  return parseRepositoryConfig(object.bytes.toString("utf8"), where);
}

function flagsOf(call: Call): Flags {
  const { flags } = call;
  const root = text(call, "skillsRoot");
  return {
    enabled: flags["enabled"] === true ? true : undefined,
    skillsRoot: root === undefined ? undefined : parseSkillsRoot(root, "--skills-root"),
    // `verify --base` is the start of a range, not what proposals are measured against.
    base: call.command === "verify" ? undefined : text(call, "base"),
    reviewer: text(call, "reviewer") as Config["reviewer"] | undefined,
    publish: text(call, "publish") as Config["publish"] | undefined,
    threshold: number(call, "threshold"),
    trigger: text(call, "trigger") as Config["trigger"] | undefined,
    maxTurns: number(call, "maxTurns"),
    timeoutSeconds: number(call, "timeout"),
  };
}

/** A flag's text; commander has checked choices already. */
export function text(call: Call, flag: string): string | undefined {
  const value = call.flags[flag];
  return typeof value === "string" ? value : undefined;
}

function number(call: Call, flag: string): number | undefined {
  const value = call.flags[flag];
  return typeof value === "number" ? value : undefined;
}

export function isJson(call: Call): boolean {
  return call.flags["json"] === true;
}
