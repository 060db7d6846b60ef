/** Whose words count: everybody may comment on a public repository. */

const INVITED: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

/**
 * Whether somebody may write to the repository, or was invited to; everybody else's words are a stranger's.
 * @param association GitHub's `author_association`
 */
export function isInvited(association: string | null | undefined): boolean {
  return INVITED.has(association ?? "");
}
