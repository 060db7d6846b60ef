/** What every step of publishing as a pull request works with, looked up once per run. */

import { SkillprError } from "../core/errors.ts";
import type { PullRequestConfig } from "../core/pull-request-config.ts";
import type { RuleLevels } from "../core/rule-levels.ts";
import { safeLine } from "../core/text.ts";
import { openRemote, type Remote } from "../git/remote.ts";
import type { Repository } from "../git/repository.ts";
import type { Github, HostedRepository } from "./github.ts";
import { gitUrl, parseName, type RepositoryName } from "./github-address.ts";

export interface PullRequestOptions {
  readonly repository: Repository;
  readonly github: Github;
  readonly token: string;
  /** The repository on GitHub, as it is written here. */
  readonly name: RepositoryName;
  /** Branch that pull requests are for, as it is named on GitHub; null: the default branch. */
  readonly baseBranch: string | null;
  readonly config: PullRequestConfig;
  readonly skillsRoot: string;
  readonly levels: RuleLevels;
  /** templates/commit-message.txt */
  readonly messageTemplate: string;
  /** templates/pull-request.md; a repository's own comes before it. */
  readonly bodyTemplate: string;
  /** templates/skillbook-commit-message.txt and skillbook-pull-request.md */
  readonly skillbookMessageTemplate: string;
  readonly skillbookBodyTemplate: string;
  /** templates/edited-comment.md */
  readonly editedTemplate: string;
  /** skillpr's folder in the git common dir. */
  readonly stateDir: string;
  /** Told what a person may want to know besides the outcome. */
  readonly onNote: (note: string) => void;
}

export interface PullRequestPlace extends PullRequestOptions {
  /** Where pull requests are opened. */
  readonly target: HostedRepository;
  /** Where branches are pushed: the target, or a fork of it. */
  readonly source: HostedRepository;
  readonly base: string;
  readonly targetRemote: Remote;
  readonly sourceRemote: Remote;
}

/** @throws SkillprError `github`, `config` when `push-to` is no fork of the repository */
export async function openPullRequestPlace(options: PullRequestOptions): Promise<PullRequestPlace> {
  const { github, repository, token, config } = options;
  const target = await github.repository(options.name);
  const source = config.pushTo === null ? target : await forkOf(options, target, config.pushTo);
  const base = options.baseBranch ?? target.defaultBranch;
  const whole = source === target ? repository : await unshallowed(options, target, base);
  const remoteOf = (hosted: HostedRepository) =>
    openRemote(whole, { url: gitUrl(github.server, hosted), token });
  const targetRemote = remoteOf(target);
  const sourceRemote = source === target ? targetRemote : remoteOf(source);
  return { ...options, repository: whole, target, source, base, targetRemote, sourceRemote };
}

/** Git refuses to push from a shallow clone to another repository than the one that it was cloned from. */
async function unshallowed(
  { repository, github, token }: PullRequestOptions,
  target: HostedRepository,
  base: string,
): Promise<Repository> {
  if (!repository.isShallow) return repository;
  const remote = openRemote(repository, { url: gitUrl(github.server, target), token });
  const [tip] = await remote.list([`refs/heads/${base}`]);
  if (tip === undefined) return repository;
  await remote.unshallow(tip.id);
  return { ...repository, isShallow: false };
}

async function forkOf(
  { github }: PullRequestOptions,
  target: HostedRepository,
  pushTo: string,
): Promise<HostedRepository> {
  const source = await github.repository(parseName(pushTo, "pull-request.push-to"));
  if (source.id === target.id) return target;
  if (source.parentId === target.id) return source;
  throw new SkillprError(
    "config",
    `${safeLine(pushTo)} is no fork of ${target.owner}/${target.name}`,
    "name a fork of it in pull-request.push-to (or --push-to), or remove that to push to the repository itself",
  );
}
