/** What is known here of pull requests, in words. */
import { safeLine } from "../core/text.ts";
import { type Repository, stateDir } from "../git/repository.ts";
import {
  forgetPullRequestNote,
  type PullRequestNote,
  readPullRequestNote,
} from "../publish/pull-request-notes.ts";

/** `#7 https://…`, with what keeps it behind; null when there is nothing to say. */
export function pullRequestWords({ state, number, url, reason }: PullRequestNote): string | null {
  const what = number === null ? "" : `#${number}`;
  const where = [what, url === null ? "" : safeLine(url)].filter((part) => part !== "").join(" ");
  const why = reason === null ? "" : safeLine(reason);
  switch (state) {
    case "open":
      return where;
    case "waiting":
      return ["waits for the next run with --publish pr", why, where].filter(Boolean).join(": ");
    case "blocked":
      return ["blocked", why, where].filter(Boolean).join(": ");
    case "settled":
      return null;
  }
}

/**
 * A decision was made here, and nothing is waited for any more. What is open on GitHub stays so.
 * @returns a sentence about that; null when nothing is open there
 */
export async function leavePullRequest(
  repository: Repository,
  skill: string,
): Promise<string | null> {
  const note = await readPullRequestNote(stateDir(repository), skill);
  await forgetPullRequestNote(stateDir(repository), skill);
  if (note === null || note.number === null || note.state === "settled") return null;
  return `#${note.number} is still open there: ${safeLine(note.url ?? "")}`;
}
