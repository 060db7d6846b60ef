/** GitHub, or an Enterprise Server, with the token that the workflow gave this step. */
import { homedir } from "node:os";
import { SkillprError } from "../core/errors.ts";
import { count } from "../core/text.ts";
import { openRemote } from "../git/remote.ts";
import { clearInbox } from "../inbox.ts";
import type { ProposalResult } from "../outcome.ts";
import { gitUrl, parseName } from "../publish/github-address.ts";
import { pullRequestsFor } from "../publish-target.ts";
import { type GithubAccess, githubByHand } from "../resolve-github.ts";
import type { ResolvedPlace } from "../resolve-place.ts";
import type { Run } from "../run.ts";
import type { ActionRun } from "./action-run.ts";
import { log, warn } from "./runner.ts";

/** The runner's variables say where the server is, on GitHub Enterprise too. */
function githubOf(run: ActionRun, { user }: ResolvedPlace): GithubAccess {
  const env = { ...run.env, GITHUB_TOKEN: run.credentials.githubToken ?? undefined };
  const access = githubByHand({ user: user.github, env, home: homedir() });
  const hint =
    "give this step the input github-token (`github.token` in an expression); the job needs `contents: write` and `pull-requests: write`";
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

/**
 * Says on GitHub that the commits of these proposals were verified: a pull request of GITHUB_TOKEN waits for somebody
 * to approve its workflow runs, and until then nothing else says so. Best effort: the permission is one more.
 */
export async function setStatuses(
  run: ActionRun,
  place: ResolvedPlace,
  proposals: readonly ProposalResult[],
): Promise<void> {
  const commits = proposals.flatMap(({ pullRequest }) => pullRequest?.commit ?? []);
  const { server, token, repository } = githubOf(run, place);
  if (commits.length === 0 || token === null || repository === null) return;
  const { Github } = await import("../publish/github.ts");
  const github = new Github({ server, token });
  const name = parseName(repository, "GITHUB_REPOSITORY");
  try {
    for (const commit of commits)
      await github.setStatus(name, commit, {
        context: "skillpr/verify",
        state: "success",
        description: "every change is an allowed change of a skill",
      });
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    warn(`The status skillpr/verify was not set: ${error.message} (it needs \`statuses: write\`)`);
  }
}

/** Removes reviewed transcripts from the inbox; what can't be removed is reviewed again, and found to be known. */
export async function clearDone(
  run: ActionRun,
  place: ResolvedPlace,
  transcripts: readonly string[],
): Promise<void> {
  const { server, token, repository } = githubOf(run, place);
  if (transcripts.length === 0 || token === null || repository === null) return;
  const url = gitUrl(server, parseName(repository, "GITHUB_REPOSITORY"));
  try {
    const removed = await clearInbox(openRemote(place.repository, { url, token }), transcripts);
    log(`${count(removed, "transcript")} removed from the inbox`);
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    warn(`The inbox was not cleared: ${error.message}. ${error.hint}`);
  }
}
