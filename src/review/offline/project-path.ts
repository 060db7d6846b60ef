/** Paths as the project sees them: the author's folders stay out of a skill. */
import { posix } from "node:path";
import type { RedactedSession } from "../../transcript/session.ts";

const HOME =
  /(?<![\w.])(?:\/(?:home|Users)\/[^/\s"'`:]+|\/root|[A-Za-z]:[\\/]Users[\\/][^\\/\s"'`:]+)(?=[\\/])/g;

function slashed(path: string): string {
  return path.replaceAll("\\", "/").replace(/^([A-Z]):/, (drive) => drive.toLowerCase());
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[a-z]:/.test(path);
}

/**
 * A path relative to the project, `/`-separated; null when it lies outside of it.
 * @param cwd the session's working directory as atProjectRoot() leaves it: the project's root; null when
 *   the transcript tells none
 * @param from what a relative path starts from: the call's own directory, where it has one
 */
export function projectPath(
  path: string,
  cwd: string | null,
  from: string | null = null,
): string | null {
  const given = slashed(path);
  if (given.startsWith("~") || (isAbsolute(given) && cwd === null)) return null;
  const root = cwd === null ? "" : slashed(cwd).replace(/\/+$/, "");
  const start = from === null ? root : absolute(slashed(from), root);
  const full = posix.normalize(absolute(given, start));
  if (full !== root && !full.startsWith(`${root}/`)) return null;
  return full.slice(root.length + 1) || ".";
}

function absolute(path: string, start: string): string {
  return isAbsolute(path) ? path : `${start}/${path}`;
}

/**
 * The session as if it had been started in the project's root: paths are then the project's, and
 * each command says the folder that it ran in. One that was not started inside stays as it is.
 * @param root absolute, as the session spells it
 */
export function atProjectRoot(session: RedactedSession, root: string): RedactedSession {
  const { cwd } = session;
  const below = cwd === null ? null : projectPath(cwd, root);
  if (cwd === null || below === null || below === ".") return session;
  const turns = session.turns.map((turn) => ({
    ...turn,
    toolCalls: turn.toolCalls.map((call) => ({
      ...call,
      cwd: call.cwd === null ? cwd : absolute(slashed(call.cwd), cwd),
    })),
  }));
  return { ...session, cwd: root, turns };
}

/** Text with the project's folder taken off its paths, and home folders as `~`. */
export function withoutMachinePaths(text: string, cwd: string | null): string {
  let out = text;
  if (cwd !== null && cwd.length > 1) {
    const root = cwd.replace(/[\\/]+$/, "");
    for (const form of [`file://${root}`, root]) {
      out = out.replaceAll(`${form}/`, "").replaceAll(`${form}\\`, "");
      // Only the folder itself: `/home/user/report-old` is another one.
      out = out
        .split(form)
        .reduce((left, right) => left + (/^[\w.-]/.test(right) ? form : ".") + right);
    }
  }
  return out.replace(HOME, "~");
}
