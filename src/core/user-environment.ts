/**
 * Where the user's own files are, in an environment that may not be the user's alone: an agent
 * may have loaded a repository's `.env` before it started us. A folder inside the repository is
 * not the user's, whoever named it (invariant 6).
 */
import { userInfo } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { realPath } from "./real-path.ts";

export interface UserEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

/** Variables that say where user-level files are. */
const PLACES = ["XDG_CONFIG_HOME", "QWEN_HOME"] as const;

/**
 * @param given the process's environment and home folder
 * @param projectFolders the repository's folders: git folder, checkout, worktrees
 * @returns the same without the places that really lie in one of those folders
 */
export function userEnvironment(
  given: UserEnvironment,
  projectFolders: readonly string[],
): UserEnvironment {
  const projects = projectFolders.map(whereItLeads);
  const isInside = (path: string) => {
    // As it is spelled too: a link in the repository is the repository's, wherever it leads.
    const ways = [resolve(path), whereItLeads(path)];
    return projects.some((project) => ways.some((way) => isWithin(project, way)));
  };
  const env = { ...given.env };
  for (const name of PLACES) if (env[name] && isInside(env[name])) delete env[name];
  // The account's own home folder can't be set by a file.
  const home = isInside(given.home) ? userInfo().homedir : given.home;
  return { env, home };
}

/** The real path; of one that isn't there (yet), that of the folder it would be in. */
function whereItLeads(path: string): string {
  const absolute = resolve(path);
  const real = realPath(absolute);
  if (real !== null) return real;
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(whereItLeads(parent), relative(parent, absolute));
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
