/** What a token may do in a repository, as far as reading alone can tell. */
import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import type { RepositoryName } from "./github-address.ts";
import * as answers from "./github-answers.ts";
import { type GithubOptions, openGithubClient } from "./github-client.ts";
import { at, REPOSITORY } from "./github-routes.ts";

/**
 * Asks GitHub with two requests, both of which read.
 * @returns a sentence for each permission that is missing; none where nothing is seen to be
 * @throws SkillprError `github` where the token is no good at all: unknown, or blind to the repository
 */
export async function missingPermissions(
  options: GithubOptions,
  repository: RepositoryName,
): Promise<string[]> {
  const call = openGithubClient(options);
  const name = `${repository.owner}/${repository.name}`;
  const missing: string[] = [];
  let scopes: string | null = null;
  const found = await call(
    `looking up ${name}`,
    answers.RepositoryAnswer,
    `GET ${REPOSITORY}`,
    at(repository),
    (headers) => {
      const said = headers["x-oauth-scopes"];
      scopes = typeof said === "string" ? said : null;
    },
  );
  if (found.archived === true) missing.push(`${name} is archived, so nothing can be written to it`);
  if (scopes !== null) missing.push(...missingScope(scopes, found.private === true));
  else if (found.permissions?.push === false)
    missing.push(`it may not push to ${name}: it lacks "contents: write"`);
  const unreadable = await call(
    "listing pull requests",
    answers.PullRequestListAnswer,
    `GET ${REPOSITORY}/pulls`,
    { ...at(repository), per_page: 1 },
  ).then(() => null, messageOf);
  return unreadable === null ? missing : [...missing, unreadable];
}

/** Of a classic token, whose permissions GitHub names in a header. */
function missingScope(scopes: string, isPrivate: boolean): string[] {
  const held = scopes.split(",").map((scope) => scope.trim());
  if (held.includes("repo") || (!isPrivate && held.includes("public_repo"))) return [];
  const needed = isPrivate ? '"repo"' : '"repo" (or "public_repo")';
  const shown = scopes.trim() === "" ? "none" : safeLine(scopes);
  return [`it lacks the scope ${needed}; it has ${shown}`];
}

function messageOf(error: unknown): string {
  if (error instanceof SkillprError && error.code === "github") return error.message;
  throw error;
}
