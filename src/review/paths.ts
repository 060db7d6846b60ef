/** Paths as a model writes them, in the one spelling that the tools work with. Pure: no disk. */
import { posix } from "node:path";
import { AGENT_PATH_MAX_CHARS, QUOTE_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";

/** The redacted session, in the tools' view. */
export const TRANSCRIPT_FOLDER = "/transcript";
export const TRANSCRIPT_PATH = "/transcript/session.md";

export type ResolvedPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

/** The project's root as the tools name it: absolute, with `/`, also for `C:\work`. */
export function viewRoot(projectRoot: string): string {
  const slashed = isWindowsPath(projectRoot) ? projectRoot.replaceAll("\\", "/") : projectRoot;
  return posix.resolve("/", slashed);
}

/**
 * A path of the model as an absolute one of the view, without `.` and `..`.
 * @param root as viewRoot() gives it
 */
export function resolvePath(root: string, path: string): ResolvedPath {
  if (path.length > AGENT_PATH_MAX_CHARS)
    return { ok: false, reason: `the path has more than ${AGENT_PATH_MAX_CHARS} characters` };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters in paths are refused
  if (path.trim() === "" || /[\u0000-\u001f\u007f]/.test(path))
    return { ok: false, reason: `${quotePath(path)} is not a path` };
  if (/^~(?:$|[/\\\w])/.test(path))
    return { ok: false, reason: `${quotePath(path)} is outside the project` };
  const slashed = isWindowsPath(path) ? `/${path.replaceAll("\\", "/")}` : path;
  return { ok: true, path: posix.resolve(root, slashed) };
}

/** The path below a folder, `.` for the folder itself; null when it is elsewhere. */
export function pathBelow(folder: string, path: string): string | null {
  if (path === folder) return ".";
  const prefix = folder === "/" ? "/" : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : null;
}

/** A path in a sentence. */
export function quotePath(path: string): string {
  return `"${safeLine(cut(path, QUOTE_MAX_CHARS))}"`;
}

function isWindowsPath(path: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(path);
}
