/** The way to GitHub for a command that a person, or a workflow, typed. */
import { homedir } from "node:os";
import type { PullRequests } from "../publish/pull-requests.ts";
import { type PublishSetting, pullRequestsFor } from "../publish-target.ts";
import { githubByHand } from "../resolve-github.ts";
import type { OpenPlace } from "./open-place.ts";

/**
 * What the command publishes pull requests with; undefined where it keeps to local branches.
 * @throws SkillprError `config` where a pull request is wanted, and there is no token
 */
export function pullRequestsOf(
  { repository, config, user }: OpenPlace,
  told: Pick<PublishSetting, "signal" | "onNote">,
): Promise<PullRequests | undefined> {
  const access = () => githubByHand({ user: user.github, env: process.env, home: homedir() });
  return pullRequestsFor({ ...told, repository, config, access });
}
