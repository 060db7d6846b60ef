/** What a shell command is for the search for arcs: a check, a taking back, a look, or a change that can't be followed. */
import type { ToolCall } from "../../transcript/session.ts";
import { type CheckCommand, inFolder, readCheckCommand } from "./check-command.ts";
import { verdictOf } from "./check-verdict.ts";
import { projectPath } from "./project-path.ts";
import type { FoundStep } from "./step.ts";

const INSTALLS =
  /(?:^|[;&|]\s*|\s)(?:(?:npm|pnpm|yarn|bun)\s+(?:i|ci|install|add|remove|uninstall|up|upgrade|update|dedupe)\b|pip3?\s+install|uv\s+(?:add|sync|pip)|poetry\s+(?:add|install|lock)|cargo\s+(?:add|install|update)|go\s+(?:get|mod\s+(?:tidy|download))|apt(?:-get)?\s+install|brew\s+install|bundle\s+install|gem\s+install|composer\s+(?:install|require)|dotnet\s+(?:add|restore)|playwright\s+install|corepack|nvm\s|docker\s+(?:pull|compose\s+up))/;
const GIT_MOVES =
  /\bgit\s+(?:stash|reset|apply|am|merge|rebase|pull|cherry-pick|revert|switch|checkout|restore|clean)\b/;
/** Moves that throw changes of the working tree away. */
const GIT_DROPS =
  /\bgit\s+(?:reset\s+.*--hard|checkout\s+(?:--\s+)?\.|restore\s+\.|clean\b|stash(?:\s+(?:push|save|-u|--include-untracked)\b.*)?\s*(?:$|[;&|]))/;
/** A new branch leaves the working tree as it is. */
const NEW_BRANCH = /^git\s+(?:checkout\s+-b|switch\s+-c)\s+[\w./-]+$/;
const AUTO_FIXES =
  /\s(?:--fix|--write|--in-place|--updateSnapshot|--update-snapshots?)\b|\b(?:sed|perl)\s+(?:-\w+\s+)*-\w*i|\bnpm\s+pkg\s+set|\b(?:jest|vitest)\b.*\s-u\b|\b(?:prettier|black|gofmt|rustfmt|cargo\s+fmt)\b/;
/** File names without anything that a shell would expand. */
const NAME = "[^-;&|<>$*\\s][^;&|<>$*\\s]*";
const PLAIN_NAMES = `(${NAME}(?:\\s+${NAME})*)\\s*$`;
const RESTORES = new RegExp(
  `^git\\s+(?:checkout\\s+(?:HEAD\\s+)?--|checkout\\s+HEAD|restore(?:\\s+--worktree)?(?:\\s+--)?)\\s+${PLAIN_NAMES}`,
);
const REMOVES = new RegExp(`^rm\\s+(?:-f\\s+)?${PLAIN_NAMES}`);

/**
 * Files that a plain `git checkout -- FILE`, `git restore FILE` or `rm FILE` puts back; null for
 * other commands. `rm` takes back only what the session itself created.
 */
function restoredPaths(
  line: string,
  created: ReadonlySet<string>,
  cwd: string | null,
  from: string | null,
): string[] | null {
  const git = RESTORES.exec(line.trim());
  const names = (git ?? REMOVES.exec(line.trim()))?.[1]?.trim().split(/\s+/);
  if (names === undefined) return null;
  const paths = names.map((name) => projectPath(name.replace(/^["']|["']$/g, ""), cwd, from));
  const known = paths.filter((path): path is string => path !== null && path !== ".");
  if (known.length !== paths.length) return null;
  return git !== null || known.every((path) => created.has(path)) ? known : null;
}

/** The check with its folder as the project names it: two ways to the same folder are the same check. */
function inProject(check: CheckCommand, from: string | null, cwd: string | null): CheckCommand {
  const named = check.folder ?? from;
  const at =
    check.folder !== null && from !== null && !check.folder.startsWith("/")
      ? `${from}/${check.folder}`
      : named;
  if (at === null) return check;
  const folder = projectPath(at, cwd) ?? at;
  return inFolder(check, folder === "." ? null : folder);
}

/** What is known of the session when one of its commands is read. */
export interface ShellContext {
  /** The session's working directory. */
  readonly cwd: string | null;
  /** Files that the session created so far. */
  readonly created: ReadonlySet<string>;
  /** The format records how a command ended; where it doesn't, only the output can tell. */
  readonly recordsOutcomes: boolean;
}

/** How a command changes files without showing it; null when it plainly doesn't. */
function unseenChange(line: string, call: ToolCall, cwd: string | null) {
  if (INSTALLS.test(line)) return "install";
  if (GIT_DROPS.test(line)) return "git-drop";
  if (GIT_MOVES.test(line)) return "git";
  const writes = call.writePaths.some((path) => projectPath(path, cwd, call.cwd) !== null);
  return writes || AUTO_FIXES.test(line) ? "shell" : null;
}

/** The check that a command is, with what its run showed; null for other commands. */
export function shellCheck(call: ToolCall, { cwd, recordsOutcomes }: ShellContext) {
  const check = readCheckCommand(call.command ?? "");
  if (check === null) return null;
  const masked = check.masked || (!recordsOutcomes && call.exitCode === null);
  return {
    kind: "check",
    command: inProject(check, call.cwd, cwd),
    verdict: verdictOf(call, masked),
  } as const;
}

export function shellSteps(call: ToolCall, turn: string, context: ShellContext): FoundStep[] {
  const { cwd, created } = context;
  const line = call.command ?? "";
  const check = shellCheck(call, context);
  if (check !== null) return [check];
  if (call.outcome === "cancelled" || call.outcome === "unknown") return [];
  const restored = call.outcome === "success" ? restoredPaths(line, created, cwd, call.cwd) : null;
  if (restored !== null) {
    return restored.map((path) => ({
      kind: "change",
      change: { path, turn, hunks: [], creates: false, restores: true },
    }));
  }
  if (NEW_BRANCH.test(line.trim())) return [];
  const why = unseenChange(line, call, cwd);
  if (why !== null) return [{ kind: "unseen-change", why }];
  return call.outcome === "success" ? [{ kind: "look", command: line }] : [];
}
