/** Who makes skillpr's commits, and how they are told from everybody else's. */
import type { Commit } from "../git/objects.ts";

/** `.invalid` can never belong to a person (RFC 2606), so no platform links it to an account. */
export const IDENTITY = { name: "skillpr", email: "skillpr@skillpr.invalid" } as const;

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
