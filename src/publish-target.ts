/** From what the config says of publishing to what a run publishes with. */
import type { Config } from "./core/config.ts";
import { SkillprError } from "./core/errors.ts";
import { type Repository, resolveBase, stateDir } from "./git/repository.ts";
import { isOnServer, repositoryOn } from "./publish/github-address.ts";
import type { PullRequests } from "./publish/pull-requests.ts";
import type { GithubAccess } from "./resolve-github.ts";
import { readTemplate } from "./templates.ts";

export interface PublishSetting {
  readonly repository: Repository;
  readonly config: Config;
  /** Asked only where a pull request may be wanted. */
  readonly access: () => GithubAccess;
  readonly signal?: AbortSignal;
  readonly onNote: (note: string) => void;
}

/**
 * What pull requests are published with. `auto` means them where origin is on the server and a token
 * is there.
 * @returns undefined where what is published stays on local branches
 * @throws SkillprError `config` without a token, or where origin is elsewhere
 */
export async function pullRequestsFor(setting: PublishSetting): Promise<PullRequests | undefined> {
  const { repository, config, onNote, signal } = setting;
  if (config.publish === "none" || config.publish === "branch") return undefined;
  const access = setting.access();
  const { server, token, repository: named } = access;
  const origin = await originOf(repository);
  if (config.publish === "auto" && (token === null || !isOnServer(server, origin)))
    return undefined;
  if (token === null)
    throw new SkillprError(
      "config",
      "a pull request needs a token, and there is none",
      access.hint,
    );
  // Loaded only here: the client costs every other command its start.
  const [{ Github }, { PullRequests }] = await Promise.all([
    import("./publish/github.ts"),
    import("./publish/pull-requests.ts"),
  ]);
  return new PullRequests({
    repository,
    github: new Github({ server, token, signal }),
    token,
    name: repositoryOn(server, { named, origin }),
    baseBranch: await baseBranchOf(repository, config.base),
    config: config.pullRequest,
    skillsRoot: config.skillsRoot,
    levels: config.rules,
    messageTemplate: readTemplate("commit-message.txt"),
    bodyTemplate: readTemplate("pull-request.md"),
    skillbookMessageTemplate: readTemplate("skillbook-commit-message.txt"),
    skillbookBodyTemplate: readTemplate("skillbook-pull-request.md"),
    editedTemplate: readTemplate("edited-comment.md"),
    stateDir: stateDir(repository),
    onNote,
  });
}

/** As it is written: git itself would rewrite it with the user's `insteadOf`. */
export async function originOf({ git }: Repository): Promise<string | null> {
  const args = ["config", "--get", "remote.origin.url"];
  const { code, stdout } = await git.run(args, { okCodes: [0, 1] });
  return code === 0 ? stdout.toString("utf8").trim() : null;
}

/** The branch that a base stands for on the remote; null: the remote's default. */
async function baseBranchOf(repository: Repository, wanted: string | null): Promise<string | null> {
  const { ref } = await resolveBase(repository, wanted ?? undefined);
  const [, tracked] = /^refs\/remotes\/[^/]+\/(.+)$/.exec(ref ?? "") ?? [];
  const [, local] = /^refs\/heads\/(.+)$/.exec(ref ?? "") ?? [];
  // HEAD is only where somebody happens to be.
  return tracked ?? (wanted === null ? null : (local ?? null));
}
