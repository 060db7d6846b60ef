/** The plain values that verification works on: no git, no disk. */
import type { RuleLevels } from "../core/rule-levels.ts";
import type { SkillSummary } from "../skills/skill-summary.ts";

/** A file (or link, or submodule) of a tree, listed recursively. */
export interface TreeFile {
  /** From the repository's root, `/`-separated. Bytes that are not UTF-8 appear as U+FFFD. */
  readonly path: string;
  /** Git's six digits: `100644`, `100755`, `120000` (link), `160000` (submodule). */
  readonly mode: string;
  /** Object id in hex. */
  readonly id: string;
}

/** One changed path between two trees, as `git diff-tree -r --no-renames` reports it. */
export interface Change {
  readonly path: string;
  /** `A` added, `M` modified, `D` deleted, `T` type changed; anything else is refused. */
  readonly status: string;
  /** `000000` when absent. */
  readonly oldMode: string;
  readonly mode: string;
  readonly oldId: string;
  readonly id: string;
}

/** What lies in a workspace, as lstat saw it: kinds that a git tree can't show. */
export interface DiskEntry {
  /** From the workspace's root, `/`-separated. */
  readonly path: string;
  readonly kind:
    | "file"
    | "folder"
    | "symlink"
    | "hard-link"
    | "special"
    | "unreadable"
    | "oversize";
  /** For folders: how many entries they hold. */
  readonly children?: number;
  /** For files: the permission bits, e.g. 0o644. */
  readonly permissions?: number;
}

/**
 * `proposal`: every change must be an allowed skill change. `pull-request`: changes outside the
 * skills root are not ours; inside it, people may edit skills that people wrote.
 */
export type Profile = "proposal" | "pull-request";

/** Something in a tree object that a listing of it doesn't show, or that two readers take differently. */
export interface TreeOddity {
  /** From the repository's root, `/`-separated; empty for the root itself. */
  readonly path: string;
  /** Goes on after the path: `has an empty name`. */
  readonly problem: string;
}

/** What verify() looks at: two trees, the changes between them, and the bytes behind them. */
export interface VerifyInput {
  /** `/`-separated path from the repository's root, e.g. `.qwen/skills`. */
  readonly skillsRoot: string;
  readonly profile: Profile;
  readonly changes: readonly Change[];
  /** Everything under the skills root in the parent and in the new tree; or what stands in its or a folder's place above it. */
  readonly parent: readonly TreeFile[];
  readonly next: readonly TreeFile[];
  /**
   * Bytes of a blob named in `parent`, `next` or `changes`; undefined when it was too large to load
   * (the rules then refuse it by size) or is not a blob.
   */
  readonly blob: (id: string) => Uint8Array | undefined;
  /** Of the new tree, as far as the parent doesn't have them; absent where there is no tree yet. */
  readonly oddities?: readonly TreeOddity[];
  /** What lay in the workspace beside what the new tree holds; absent for a commit range. */
  readonly disk?: readonly DiskEntry[];
  /** Skills of the project's other roots, e.g. `.agents/skills`: the same agent loads them. */
  readonly otherSkills?: readonly SkillSummary[];
  /** Skills of the user on this machine; what is said of them depends on the machine, so it only warns. */
  readonly userSkills?: readonly Pick<SkillSummary, "name" | "path">[];
  /** Of the claims that the changed files make, those that the session has; absent where there is no session. */
  readonly grounded?: ReadonlySet<string>;
  /** How grave the rules are here; without it, as they say themselves. */
  readonly levels?: RuleLevels;
}
