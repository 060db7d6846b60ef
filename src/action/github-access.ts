/** GitHub, or an Enterprise Server, with the token that the workflow gave this step. */
import { homedir } from "node:os";
import { pullRequestsFor } from "../publish-target.ts";
import { type GithubAccess, githubByHand } from "../resolve-github.ts";
import type { ResolvedPlace } from "../resolve-place.ts";
import type { Run } from "../run.ts";
import type { ActionRun } from "./action-run.ts";
import { log } from "./runner.ts";

/** The runner's variables say where the server is, on GitHub Enterprise too. */
export async function githubOf(run: ActionRun, { user }: ResolvedPlace): Promise<GithubAccess> {
  const env = { ...run.env, GITHUB_TOKEN: run.credentials.githubToken ?? undefined };
  const access = await githubByHand({ user: user.github, env, home: homedir() });
  const hint =
    "give this step `github-token: ${{ github.token }}`; the job needs `contents: write` and `pull-requests: write`";
  return { ...access, hint };
}

/** @throws SkillprError `config` without a token, where pull requests are wanted */
export function pullRequestsIn(run: ActionRun, place: ResolvedPlace): Promise<Run["pullRequests"]> {
  const { repository, config } = place;
  return pullRequestsFor({
    repository,
    config,
    access: () => githubOf(run, place),
    onNote: log,
  });
}
