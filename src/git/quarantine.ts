/**
 * A place for new objects outside the repository's store: what is refused never enters the store
 * (https://git-scm.com/docs/git-receive-pack#_quarantine_environment is the same idea).
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "./git.ts";
import { removeRunFolder } from "./remove-folder.ts";
import type { Repository } from "./repository.ts";
import { createRunFolder } from "./run-folder.ts";

export interface Quarantine {
  /** Where new objects go. */
  readonly objectDirectory: string;
  /** Stores that are read besides it: the repository's. */
  readonly alternates: readonly string[];
  /** Git that writes here and reads both. */
  gitFor(repository: Pick<Repository, "git">): Git;
}

/** A quarantine in a private temporary folder, gone when disposed. */
export async function openQuarantine(
  repository: Repository,
  options: { readonly tempRoot?: string | undefined } = {},
): Promise<Quarantine & AsyncDisposable> {
  const folder = createRunFolder(repository, options.tempRoot);
  return {
    ...createQuarantine(repository, folder),
    [Symbol.asyncDispose]: async () => removeRunFolder(folder),
  };
}

/** Lays a quarantine out inside a run folder, which owns its end. */
export function createQuarantine(
  repository: Pick<Repository, "commonDir">,
  folder: string,
): Quarantine {
  const objectDirectory = join(folder, "objects");
  mkdirSync(objectDirectory, { mode: 0o700 });
  const alternates = [join(repository.commonDir, "objects")];
  return {
    objectDirectory,
    alternates,
    gitFor: ({ git }) => git.with({ objectDirectory, alternates }),
  };
}
