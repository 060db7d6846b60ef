import type { Session } from "../transcript/session.ts";

/** A workspace of skillpr: `skillpr-<user>` in a temporary folder, in it `<pid>-<start>-<random>`. */
const WORKSPACE = /\/skillpr-\w+\/\d+-[0-9a-z]+-[^/]+(?:\/|$)/i;

/** Where workspaces lie: the system's temporary folders, and those of CI runners. */
const TEMPORARY =
  /^(?:\/(?:private\/)?(?:tmp|var\/tmp|var\/folders|dev\/shm)\/|[a-z]:\/(?:.*\/)?te?mp\/|.*\/_?te?mp\/)/i;

/** The sub-agent of Qwen Code's in-app reviewer. */
const EXTRACTOR = /^managed-skill-extractor(?:-|$)/;

/**
 * True when the session is a review itself: it ran inside a workspace of skillpr, or every turn of
 * it is the review agent's. Reviewing it would feed the reviewer its own words.
 */
export function isOwnSession(session: Session): boolean {
  if (session.cwd !== null && isWorkspacePath(session.cwd)) return true;
  return (
    session.turns.length > 0 && session.turns.every((turn) => EXTRACTOR.test(turn.subagent ?? ""))
  );
}

/** True for a folder in which a workspace of skillpr lies, or inside one, by its path alone. */
export function isWorkspacePath(folder: string): boolean {
  if (!folder.includes("skillpr-")) return false; // nearly always, and cheaper than two patterns
  const path = folder.replaceAll("\\", "/");
  return WORKSPACE.test(path) && TEMPORARY.test(path);
}
