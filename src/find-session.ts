/** A session of a repository, out of the stores where the agents keep theirs. */
import { homedir } from "node:os";
import type { Repository } from "./git/repository.ts";
import { openRunFolder } from "./git/run-folder.ts";
import { listWorktrees } from "./git/worktree-list.ts";
import { originOf } from "./publish-target.ts";
import type { TranscriptSource } from "./transcript/read-transcript.ts";
import { findStoredSession } from "./transcript/session-stores.ts";

/**
 * The session with this id, else the newest one, that worked in the repository or one of its worktrees.
 * @throws SkillprError code `input` when there is none, or a store that may hold it can't be read
 */
export async function findSession(
  repository: Repository,
  sessionId: string | undefined,
): Promise<TranscriptSource> {
  const worktrees = await listWorktrees(repository.git);
  // Its last two parts are what agents call it, wherever it is and however git gets there.
  const name = /([^/:]+\/[^/]+?)(?:\.git)?\/?$/.exec((await originOf(repository)) ?? "")?.[1];
  return findStoredSession({
    projectRoots: [repository.root ?? repository.commonDir, ...worktrees.map(({ path }) => path)],
    repositories: name === undefined ? [] : [name.toLowerCase()],
    home: homedir(),
    env: process.env,
    makeFolder: () => openRunFolder(repository),
    select: sessionId === undefined ? { latest: true } : { sessionId },
  });
}
