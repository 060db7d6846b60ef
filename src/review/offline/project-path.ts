/** Paths as the project sees them: the author's folders stay out of a skill. */
import { posix } from "node:path";

const HOME =
  /(?<![\w.])(?:\/(?:home|Users)\/[^/\s"'`:]+|\/root|[A-Za-z]:[\\/]Users[\\/][^\\/\s"'`:]+)(?=[\\/])/g;

function slashed(path: string): string {
  return path.replaceAll("\\", "/").replace(/^([A-Z]):/, (drive) => drive.toLowerCase());
}

/**
 * A path relative to the project, `/`-separated; null when it lies outside of it.
 * @param cwd the session's working directory; null when the transcript tells none
 */
export function projectPath(path: string, cwd: string | null): string | null {
  const given = slashed(path);
  const isAbsolute = given.startsWith("/") || /^[a-z]:/.test(given);
  if (given.startsWith("~") || (isAbsolute && cwd === null)) return null;
  const root = cwd === null ? "" : slashed(cwd).replace(/\/+$/, "");
  const full = posix.normalize(isAbsolute ? given : `${root}/${given}`);
  if (full !== root && !full.startsWith(`${root}/`)) return null;
  return full.slice(root.length + 1) || ".";
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
