/**
 * The environment of a worker: an allow-list. The agent may have loaded the repository's `.env`
 * into its own environment, and git or npm may have added to it, so that every variable which
 * could load code, redirect a request or move a folder may be the repository's word.
 */
import { delimiter, isAbsolute } from "node:path";
import { isOutside } from "./outside.ts";

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
  ...["TMPDIR", "TEMP", "TMP"],
]);

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
    const isKept = KEPT.has(upper) || upper.startsWith("LC_") || upper.startsWith("SKILLPR_");
    if (value === undefined) continue;
    if (upper === "PATH") environment[name] = searchPath(value, inside);
    else if (PATHS.has(upper) ? isPathOutside(value, inside) : isKept) environment[name] = value;
  }
  environment[MARK.name] = MARK.value;
  return environment;
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
