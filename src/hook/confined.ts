/**
 * What a worker believes of its environment: the agent that started its hook, or whose shell
 * called it, may have loaded a repository's `.env`. A folder inside the repository is not the
 * user's, whoever named it (invariant 6).
 */
import { userInfo } from "node:os";
import { hasCode } from "../core/errors.ts";
import type { FoundRepository } from "./find-repository.ts";
import { foldersOf, isOutside } from "./outside.ts";
import { workerEnvironment } from "./worker-environment.ts";

export interface UserEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

/** The part of an environment that can't be the repository's word. */
export function confined(given: UserEnvironment, repository: FoundRepository): UserEnvironment {
  const inside = [...foldersOf(repository), ...superproject(repository)];
  const env = workerEnvironment(given.env, inside);
  const home = isOutside(given.home, inside) ? given.home : accountHome();
  return { env: env["HOME"] === undefined ? env : { ...env, HOME: home }, home };
}

/** The account's own home folder, which no file can set; the root for an account that the system doesn't know. */
function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch (error) {
    if (hasCode(error, "ERR_SYSTEM_ERROR")) return "/";
    throw error;
  }
}

/** Confines this process, and with it every git that it starts. */
export function confineProcess(home: string, repository: FoundRepository): void {
  const { env } = confined({ env: process.env, home }, repository);
  for (const name of Object.keys(process.env))
    if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}

/** Of a submodule: an agent that works in it reads the files around it too. */
function superproject({ commonDir }: FoundRepository): string[] {
  const root = /^(.+?)[/\\]\.git[/\\]modules[/\\]/.exec(commonDir)?.[1];
  return root === undefined ? [] : [root];
}
