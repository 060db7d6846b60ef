/**
 * What a review may know of the project besides the skills. This room can't import git: the git
 * room's classes have these shapes.
 */

/** One entry of the base commit's tree. */
export interface ProjectEntry {
  /** From the project's root, with `/`. */
  readonly path: string;
  /** As git writes it: 100644, 100755, 120000 (symlink), 160000 (submodule). */
  readonly mode: string;
}

/** The tracked files of the base commit: never the user's work tree. */
export interface ProjectFiles {
  list(): Promise<readonly ProjectEntry[]>;
  /**
   * The file's bytes, at most `maxBytes`; null when nothing is tracked at the path or its
   * content is not on this machine (a partial clone; nothing is fetched).
   */
  read(
    path: string,
    maxBytes: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean } | null>;
}

/** The history that leads to the base commit, in git's read-only commands. */
export interface ProjectHistory {
  /**
   * @param args as after `git`: `["log", "-5", "--", "src/a.ts"]`. What is not allowed is answered on
   *   stderr with a non-zero exit code; nothing throws but an abort.
   */
  run(
    args: readonly string[],
    signal: AbortSignal,
  ): Promise<{
    readonly stdout: string;
    readonly stderr: string;
    readonly exitCode: number;
    /** The files of which stdout shows lines, whole: a part doesn't always tell that it is a secret's. */
    readonly files?: readonly string[];
  }>;
}
