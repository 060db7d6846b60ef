/** Who makes skillpr's commits, and how they are told from everybody else's. */
import type { Git } from "../git/git.ts";
import type { Commit } from "../git/objects.ts";
import { commitTree, type NewCommit } from "../git/refs.ts";

/** `.invalid` can never belong to a person (RFC 2606), so no platform links it to an account. */
const IDENTITY = { name: "skillpr", email: "skillpr@skillpr.invalid" } as const;

/** Writes a commit object that skillpr makes, now. @returns its id */
export async function commitAsSkillpr(
  git: Git,
  commit: Omit<NewCommit, "author" | "committer">,
): Promise<string> {
  const who = { ...IDENTITY, date: new Date() };
  return commitTree(git, { ...commit, author: who, committer: who });
}

const SESSION_TRAILER = "Skillpr-Session";

/**
 * True when skillpr made this commit and nobody changed it since: amending, rebasing or
 * cherry-picking puts another committer on it, and then it is a person's. GitHub's own committer
 * stands on those that it made and signed for us.
 */
export function isOurs(commit: Pick<Commit, "committer" | "message">): boolean {
  return (
    (commit.committer.email === IDENTITY.email || isGithub(commit)) &&
    new RegExp(`^${SESSION_TRAILER}: \\S`, "m").test(commit.message)
  );
}

/** What GitHub's pages and API commit, `noreply@github.com` or the same at an Enterprise Server. */
export function isGithub({ committer }: Pick<Commit, "committer">): boolean {
  return committer.name === "GitHub" && /^noreply@[\w.-]+$/.test(committer.email);
}
