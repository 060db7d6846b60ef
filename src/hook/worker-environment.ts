/**
 * The environment of a worker: an allow-list. The agent may have loaded the repository's `.env`
 * into its own environment, and git or npm may have added to it, so that every variable which
 * could load code, redirect a request or move a folder may be the repository's word.
 */
import { statSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { hasCode } from "../core/errors.ts";
import { isOutside } from "./outside.ts";
import { NOTHING_THERE } from "./small-file.ts";

/** Upper case; Windows tells no case apart. */
const KEPT: ReadonlySet<string> = new Set([
  ...["HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ"],
  // Windows: without them neither Node nor git starts.
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "USERNAME"],
  ...["HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"],
  // Credentials: the worker takes them only where the user's own config says so.
  ...["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "GITHUB_TOKEN", "GH_TOKEN"],
]);

/** Kept where they lead out of the repository. */
const PATHS: ReadonlySet<string> = new Set([
  ...["XDG_CONFIG_HOME", "XDG_STATE_HOME", "QWEN_HOME", "NODE_EXTRA_CA_CERTS"],
]);

/** Kept where they do, and are there: agents and shells remove their own temporary folder when they end. */
const TEMPORARY: ReadonlySet<string> = new Set(["TMPDIR", "TEMP", "TMP"]);

/** Says that a process belongs to a worker: a hook that runs below one captures nothing. */
const MARK = { name: "SKILLPR_WORKER", value: "running" } as const;

/**
 * @param inherited normally process.env
 * @param inside real paths of the repository's folders (`foldersOf`)
 */
export function workerEnvironment(
  inherited: Readonly<NodeJS.ProcessEnv>,
  inside: readonly string[],
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    const upper = name.toUpperCase();
    if (value === undefined) continue;
    if (upper === "PATH") environment[name] = searchPath(value, inside);
    else if (isKept(upper, value, inside)) environment[name] = value;
  }
  environment[MARK.name] = MARK.value;
  return environment;
}

function isKept(name: string, value: string, inside: readonly string[]): boolean {
  if (PATHS.has(name)) return isPathOutside(value, inside);
  if (TEMPORARY.has(name)) return isFolder(value) && isPathOutside(value, inside);
  return KEPT.has(name) || name.startsWith("LC_") || name.startsWith("SKILLPR_");
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if (hasCode(error, ...NOTHING_THERE)) return false;
    throw error;
  }
}

/** True below a worker: nothing there is a session of the user's. */
export function isInsideWorker(env: Readonly<NodeJS.ProcessEnv>): boolean {
  return env[MARK.name] === MARK.value;
}

/** Without `node_modules/.bin` and the like: `git` must be the user's. */
function searchPath(value: string, inside: readonly string[]): string {
  return value
    .split(delimiter)
    .filter((folder) => isPathOutside(folder, inside))
    .join(delimiter);
}

function isPathOutside(path: string, inside: readonly string[]): boolean {
  return isAbsolute(path) && isOutside(path, inside);
}
