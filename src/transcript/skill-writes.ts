import { AGENT_PATH_MAX_CHARS } from "../core/limits.ts";
import { comparable, homeOf, isWithin, resolveAgentPath } from "./agent-path.ts";
import { callsOf, countsWithoutResults, type Session, type ToolCall } from "./session.ts";
import { matchSkillsRoot } from "./skills-root-match.ts";

export interface SkillWrite {
  readonly turn: string;
  /** From the project's root, `/`-separated, e.g. `.qwen/skills/release/SKILL.md`. */
  readonly path: string;
}

export interface SkillWritesOptions {
  /** `/`-separated path from the project's root, e.g. `.qwen/skills`. */
  readonly skillsRoot: string;
  /** Absolute paths under which this machine knows the project. */
  readonly projectRoots: readonly string[];
  /** Resolves links of an absolute path that exists on this machine; null when it doesn't exist. */
  readonly realpath?: (path: string) => string | null;
}

/**
 * Every call that wrote, or may have written, under the project's skills root: also those of
 * sub-agents and those that the user went back over. A declined or aborted call wrote nothing, nor did a
 * write tool that failed; a failed shell command may have. A call without a result was aborted, but where the
 * transcript records no results at all.
 *
 * The session may come from another machine. Its project is the given root that holds the
 * session's folder, else that folder or any above it, but for the user's home: the skills there
 * are the user's, not the project's.
 */
export function skillWrites(session: Session, options: SkillWritesOptions): SkillWrite[] {
  const writes = new Map<string, SkillWrite>();
  const project = projectOf(session.cwd, options);
  const omitsResults = countsWithoutResults(session);
  for (const { turn, call } of callsOf(session)) {
    if (call.writePaths.length === 0 || !mayHaveWritten(call, omitsResults)) continue;
    for (const spelled of call.writePaths) {
      const path = skillPath(spelled, call.cwd ?? session.cwd, project, options.skillsRoot);
      if (path !== null) writes.set(`${turn.id} ${path}`, { turn: turn.id, path });
    }
  }
  return [...writes.values()];
}

function mayHaveWritten(call: ToolCall, omitsResults: boolean): boolean {
  if (call.outcome === "cancelled") return false;
  if (call.outcome === "unknown") return omitsResults;
  return call.outcome !== "failure" || call.kind === "shell";
}

/** Where the project may lie, as resolved paths; null: the session's folder isn't known. */
interface Project {
  readonly roots: readonly string[] | null;
  readonly realpath: (path: string) => string | null;
}

function projectOf(sessionCwd: string | null, options: SkillWritesOptions): Project {
  const cwd = sessionCwd === null ? null : resolveAgentPath(sessionCwd, null);
  if (cwd === null || cwd.length > AGENT_PATH_MAX_CHARS)
    return { roots: null, realpath: () => null };
  const here = options.realpath;
  const realCwd = here?.(cwd) ?? null;
  // A folder that doesn't exist here is another machine's: its paths mean nothing to this disk.
  const realpath = here !== undefined && realCwd !== null ? here : () => null;
  const known = options.projectRoots.flatMap((root) => resolveAgentPath(root, null) ?? []);
  const both = known.flatMap((root) => [root, realpath(root) ?? root]);
  const holding = both.filter((root) => isWithin(root, cwd) || isWithin(root, realCwd ?? cwd));
  const roots = holding.length > 0 ? holding : [...ancestors(cwd), ...ancestors(realCwd ?? cwd)];
  return { roots: [...new Set(roots)], realpath };
}

/** The folder and those above it, but for the home that it lies in. */
function ancestors(folder: string): string[] {
  const home = homeOf(folder);
  const parts = folder.split("/");
  const found: string[] = [];
  for (let length = parts.length; length > 0; length -= 1) {
    const path = parts.slice(0, length).join("/");
    if (path !== "" && (home === null || comparable(path) !== comparable(home))) found.push(path);
  }
  return found;
}

/** The path from the project's root when it is, or may be, under the skills root; else null. */
function skillPath(
  spelled: string,
  cwd: string | null,
  project: Project,
  skillsRoot: string,
): string | null {
  const base = cwd === null ? null : resolveAgentPath(cwd, null);
  const resolved = resolveAgentPath(spelled, base);
  // No system takes a longer path; of a `./././…` the resolved one counts.
  if ((resolved ?? spelled).length > AGENT_PATH_MAX_CHARS) return null;
  if (resolved === null || project.roots === null) {
    return inAnyProject(resolved ?? spelled.replaceAll("\\", "/"), skillsRoot);
  }
  const real = realOf(resolved, project.realpath);
  const own = inProject(resolved, project.roots, skillsRoot);
  return own ?? (real === null ? null : inProject(real, project.roots, skillsRoot));
}

function inProject(path: string, roots: readonly string[], skillsRoot: string): string | null {
  for (const root of roots) {
    if (!isWithin(root, path)) continue;
    const match = matchSkillsRoot(path.slice(root.length), skillsRoot);
    if (match !== null) return match;
  }
  return null;
}

/** Where the path really leads: its deepest part that exists here, resolved, and the rest. */
function realOf(path: string, realpath: (path: string) => string | null): string | null {
  const parts = path.split("/");
  let found: string | null = null;
  // From the root down: below what doesn't exist nothing does, however long the path is.
  for (let length = 2; length <= parts.length; length += 1) {
    const real = realpath(parts.slice(0, length).join("/"));
    if (real === null) break;
    found = [real.replaceAll("\\", "/"), ...parts.slice(length)].join("/");
  }
  return found;
}

/** Without a folder to start from: the skills root anywhere in the path, but for a home's own. */
function inAnyProject(path: string, skillsRoot: string): string | null {
  const home = homeOf(path) ?? (path.startsWith("~") ? "~" : null);
  const rest = home === null ? path : path.slice(home.length);
  const parts = rest.split("/").filter((part) => part !== "" && part !== ".");
  for (let from = home === null ? 0 : 1; from < parts.length; from += 1) {
    const match = matchSkillsRoot(parts.slice(from).join("/"), skillsRoot);
    if (match !== null) return match;
  }
  return null;
}
