/** A GitHub of its own for a repository, which has its `main` and is its origin. */
import { join } from "node:path";
import { FULL_NAME, type GithubServer, startGithub } from "./github-server.ts";
import type { TemporaryRepository } from "./temp-repository.ts";

export async function githubAsOrigin(repository: TemporaryRepository): Promise<GithubServer> {
  const github = await startGithub(join(repository.home, "remotes"));
  await repository.git("push", "--quiet", github.git.bare(FULL_NAME), "main");
  await repository.git("remote", "add", "origin", `${github.git.url}/${FULL_NAME}.git`);
  return github;
}
