/** From flags, environment and files to what every command works with: the repository and the Config. */

import { join } from "node:path";
import { type Config, type Flags, type RepositoryConfig, resolveConfig } from "./core/config.ts";
import {
  findAgentSwitch,
  parseRepositoryConfig,
  readIfThere,
  readUserFile,
  type UserFileContent,
} from "./core/config-file.ts";
import { CONFIG_MAX_BYTES } from "./core/limits.ts";
import { shortCommit } from "./core/text.ts";
import { ObjectReader } from "./git/objects.ts";
import { openRepository, type Repository, resolveBase } from "./git/repository.ts";

const REPOSITORY_FILE = ".skillpr.yml";

export interface ResolvedPlace {
  readonly repository: Repository;
  readonly config: Config;
  /** One sentence each: what was not understood, what the repository may not set. */
  readonly warnings: readonly string[];
  /** The user's own sections, which are no part of Config: the model, GitHub and the worker. */
  readonly user: Pick<UserFileContent, "model" | "github" | "worker">;
}

/**
 * @param options.dir a folder in the repository
 * @throws SkillprError when the folder is no repository, or a config is wrong
 */
export async function resolvePlace(options: {
  readonly dir: string;
  readonly flags: Flags;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** Where the repository's file is read in CI; default: the base. A check names what it checks against. */
  readonly configAt?: string | undefined;
  /** The folder is trusted whoever owns it (openRepository). */
  readonly isTrusted?: boolean;
  /** The repository of `dir` where it is open already. */
  readonly repository?: Repository | undefined;
}): Promise<ResolvedPlace> {
  const { flags, env, home, isTrusted = false } = options;
  const repository = options.repository ?? (await openRepository(options.dir, { isTrusted }));
  const { config: user, ...sections } = readUserFile(env, home);
  const agent = findAgentSwitch({ projectRoot: repository.root, env, home });
  const isCi = Boolean(env["CI"]);
  const configAt = options.configAt ?? flags.base ?? user.base ?? null;
  const { config, warnings } = resolveConfig({
    flags,
    user,
    repository: await readRepositoryConfig(repository, configAt, isCi),
    disabledInAgentSettings: agent.disabledIn,
  });
  return { repository, config, warnings: [...agent.warnings, ...warnings], user: sections };
}

/**
 * On a person's machine the file in the work tree counts; in CI, and where there is no work tree,
 * the one at the base commit, because a checkout in CI may be anybody's pull request.
 */
async function readRepositoryConfig(
  repository: Repository,
  base: string | null,
  isCi: boolean,
): Promise<RepositoryConfig> {
  if (repository.root !== null && !isCi) {
    const file = join(repository.root, REPOSITORY_FILE);
    const content = readIfThere(file, false);
    return content === null ? {} : parseRepositoryConfig(content, file);
  }
  const { commit, tree } = await resolveBase(repository, base ?? undefined);
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const object = await reader.read(`${tree}:${REPOSITORY_FILE}`);
  if (object === null || object.type !== "blob" || object.bytes.length > CONFIG_MAX_BYTES)
    return {};
  const where = `${REPOSITORY_FILE} at ${shortCommit(commit)}`;
  return parseRepositoryConfig(object.bytes.toString("utf8"), where);
}
