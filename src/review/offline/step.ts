/** The steps of a session, as far as the search for arcs is concerned. */
import type { CheckCommand } from "./check-command.ts";
import type { Verdict } from "./check-verdict.ts";
import type { PathChange } from "./net-change.ts";

interface Placed {
  readonly turn: string;
  /** Position among the steps. */
  readonly at: number;
}

export interface CheckRun extends Placed {
  readonly kind: "check";
  readonly command: CheckCommand;
  readonly verdict: Verdict;
}

export interface ChangeStep extends Placed {
  readonly kind: "change";
  readonly change: PathChange;
}

/** A command that only looks, or a search: part of finding out what is wrong. */
export interface Look extends Placed {
  readonly kind: "look";
  /** The command line; null for a search by a tool. */
  readonly command: string | null;
}

/**
 * Something that changes what checks see and that can't be followed: a file changed by a shell
 * command, by a sub-agent or outside the project, git moving the tree, an auto-fix, an installation.
 */
interface UnseenChange extends Placed {
  readonly kind: "unseen-change";
  readonly why:
    | "shell"
    | "subagent"
    | "outside-project"
    | "git"
    | "git-drop"
    | "install"
    | "no-text";
}

export type Step = CheckRun | ChangeStep | Look | UnseenChange;

type Unplaced<T> = T extends Step ? Omit<T, "turn" | "at"> : never;
/** A step before its place among the others is known. */
export type FoundStep = Unplaced<Step>;
