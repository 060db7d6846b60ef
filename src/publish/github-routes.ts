/** What all requests about a repository have in common. */
import type { RepositoryName } from "./github-address.ts";

export const REPOSITORY = "/repos/{owner}/{repo}";
export const PULL = `${REPOSITORY}/pulls/{pull_number}`;
/** Of a pull request too: what is said about it and set on it belongs to its issue. */
export const ISSUE = `${REPOSITORY}/issues/{issue_number}`;

/** The most that GitHub gives at once. */
const PER_PAGE = 100;

/** A repository, as the routes name its parts. */
export function at({ owner, name }: RepositoryName): { owner: string; repo: string } {
  return { owner, repo: name };
}

/**
 * A list that comes in pages, until one isn't full.
 * @param pages the most that are read
 */
export async function inPages<T>(
  pages: number,
  read: (asked: { per_page: number; page: number }) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; page <= pages; page++) {
    const listed = await read({ per_page: PER_PAGE, page });
    found.push(...listed);
    if (listed.length < PER_PAGE) break;
  }
  return found;
}
