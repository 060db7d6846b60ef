/**
 * Paths as agents spell them, resolved as text: the session may come from another machine with
 * another system, so neither node:path nor the disk can be asked.
 */

/**
 * Resolves a path to an absolute one with `/` between its parts and no `.`, `..` or empty parts.
 * @param cwd folder that a relative path starts from; null when it isn't known
 * @returns null when it can't be told where the path starts: it is relative and `cwd` isn't
 *   known, or it begins with a variable
 */
export function resolveAgentPath(path: string, cwd: string | null): string | null {
  const base = cwd === null ? null : slashed(cwd);
  const spelled = withHome(slashed(path.trim()), base);
  if (/^(?:\$|%|`)/.test(spelled)) return null;
  const isWindows = base !== null && /^[a-z]:/.test(base);
  const absolute = isWindows ? spelled.replace(/^\/(?:mnt\/)?([a-z])(?=\/|$)/, "$1:") : spelled;
  if (/^(?:\/|[a-z]:\/|~)/.test(absolute)) return collapse(absolute);
  return base === null ? null : collapse(`${base}/${absolute}`);
}

/** `/` for `\`, a lower-case drive letter, no `file://`, no `\\?\`. */
function slashed(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replace(/^\/\/\?\//, "")
    .replace(/^file:\/\/(?:localhost)?/i, "")
    .replace(/^\/?([A-Za-z]):/, (_, drive: string) => `${drive.toLowerCase()}:`);
}

/** `~` and its spellings as the home that the folder lies in; `~` when that can't be told. */
function withHome(path: string, base: string | null): string {
  const start = /^(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%|\$env:(?:USERPROFILE|HOME))(?=\/|$)/i.exec(
    path,
  );
  if (start === null) return path;
  return (homeOf(base) ?? "~") + path.slice(start[0].length);
}

function collapse(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return path.startsWith("/") ? `/${parts.join("/")}` : parts.join("/");
}

const HOME =
  /^(?:\/(?:home|Users)\/[^/]+|\/root|\/var\/root|[a-z]:\/Users\/[^/]+|(?:\/mnt)?\/[a-z]\/Users\/[^/]+|\/data\/data\/com\.termux\/files\/home)(?=\/|$)/i;

/** The home folder that a resolved path lies in, guessed from its spelling; null when it lies in none. */
export function homeOf(path: string | null): string | null {
  return path === null ? null : (HOME.exec(path)?.[0] ?? null);
}

/** Spelling for comparisons: Windows and macOS don't tell upper from lower case. */
export function comparable(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** True when a resolved path is the folder or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  const outer = comparable(folder);
  const inner = comparable(path);
  return inner === outer || inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}
