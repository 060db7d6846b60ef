/** What skillpr does on GitHub, one method each; what is said about a pull request, and set on it, has files of its own. */

import { SkillprError } from "../core/errors.ts";
import { shortCommit } from "../core/text.ts";
import type { GithubServer, RepositoryName } from "./github-address.ts";
import * as answers from "./github-answers.ts";
import { type GithubCall, type GithubOptions, openGithubClient } from "./github-client.ts";
import { CREATE_COMMIT, commitInput, type NewCommit } from "./github-commit.ts";
import { GithubConversation } from "./github-conversation.ts";
import {
  type ApiFailure,
  type ExpectedFailure,
  expectedFailure,
  githubFailure,
} from "./github-errors.ts";
import { GithubExtras } from "./github-extras.ts";
import { at, inPages, PULL, REPOSITORY } from "./github-routes.ts";

export interface HostedRepository extends RepositoryName {
  readonly id: number;
  readonly defaultBranch: string;
  readonly isPrivate: boolean;
  /** The repository that this is a fork of. */
  readonly parentId: number | null;
}

export interface NewPullRequest {
  readonly title: string;
  readonly body: string;
  /** `branch`, or `owner:branch` of a fork. */
  readonly head: string;
  /** Name of the fork, where owner and branch don't say it. */
  readonly headRepository: string | null;
  readonly base: string;
  readonly draft: boolean;
}

export type Created = answers.PullRequest | NonNullable<ExpectedFailure>;

const STATUS = `${REPOSITORY}/statuses/{sha}`;
const TO_DRAFT =
  "mutation($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { clientMutationId } }";

/** Every method @throws SkillprError `github`; one request each, where it doesn't say otherwise. */
export class Github {
  readonly server: GithubServer;
  readonly conversation: GithubConversation;
  readonly extras: GithubExtras;
  readonly #call: GithubCall;

  constructor(options: GithubOptions) {
    this.server = options.server;
    this.#call = openGithubClient(options);
    this.conversation = new GithubConversation(this.#call);
    this.extras = new GithubExtras(this.#call);
  }

  /** Follows a rename; the names of what it answers are the present ones. */
  async repository(name: RepositoryName): Promise<HostedRepository> {
    const what = `looking up ${name.owner}/${name.name}`;
    const schema = answers.RepositoryAnswer;
    const found = await this.#call(what, schema, `GET ${REPOSITORY}`, at(name));
    return {
      id: found.id,
      owner: found.owner.login,
      name: found.name,
      defaultBranch: found.default_branch,
      isPrivate: found.private === true,
      parentId: found.parent?.id ?? null,
    };
  }

  /**
   * Newest first; a request per page of 100.
   * @param filter.head `owner:branch`
   */
  async pullRequests(
    repository: RepositoryName,
    filter: { readonly head?: string; readonly state: "open" | "all" },
    pages: number,
  ): Promise<answers.PullRequest[]> {
    const what = "listing pull requests";
    const schema = answers.PullRequestListAnswer;
    const query = { ...at(repository), ...filter, sort: "created", direction: "desc" };
    const route = `GET ${REPOSITORY}/pulls`;
    const found = await inPages(pages, (page) =>
      this.#call(what, schema, route, { ...query, ...page }),
    );
    return found.map(answers.toPullRequest);
  }

  async create(repository: RepositoryName, pull: NewPullRequest): Promise<Created> {
    const { headRepository, ...fields } = pull;
    const fork = headRepository === null ? {} : { head_repo: headRepository };
    const body = { ...at(repository), ...fields, ...fork };
    const schema = answers.PullRequestAnswer;
    try {
      const what = "opening the pull request";
      return answers.toPullRequest(
        await this.#call(what, schema, `POST ${REPOSITORY}/pulls`, body),
      );
    } catch (error) {
      const expected = expectedFailure(failureBehind(error));
      if (expected === null) throw error;
      return expected;
    }
  }

  async update(
    repository: RepositoryName,
    number: number,
    text: { readonly title: string; readonly body: string },
  ): Promise<answers.PullRequest> {
    const what = `updating pull request #${number}`;
    const body = { ...at(repository), pull_number: number, ...text };
    const answer = await this.#call(what, answers.PullRequestAnswer, `PATCH ${PULL}`, body);
    return answers.toPullRequest(answer);
  }

  /** What a commit is said to be, beside the checks; the token needs `statuses: write`. */
  async setStatus(
    repository: RepositoryName,
    commit: string,
    status: { readonly context: string; readonly state: "success"; readonly description: string },
  ): Promise<void> {
    const what = `setting the status of ${shortCommit(commit)}`;
    const body = { ...at(repository), sha: commit, ...status };
    await this.#call(what, answers.AnyAnswer, `POST ${STATUS}`, body);
  }

  /**
   * A commit that GitHub signs; regular files only.
   * @returns its id; `lost-race` when the branch is elsewhere
   */
  async createCommit(commit: NewCommit): Promise<string | "lost-race"> {
    const what = "committing through GitHub's API";
    const body = { query: CREATE_COMMIT, variables: { input: commitInput(commit) } };
    const route = `POST ${this.server.graphqlUrl}`;
    const { data, errors = [] } = await this.#call(what, answers.CommitAnswer, route, body);
    const oid = data?.createCommitOnBranch?.commit?.oid;
    if (oid !== undefined) return oid;
    const said = errors.map(({ message }) => message).join("; ");
    const isStale = errors.some(({ type }) => type === "STALE_DATA");
    if (isStale || /but it did not\. Pull/.test(said)) return "lost-race";
    throw githubFailure(what, { status: 200, message: said, headers: {} });
  }

  /** @throws SkillprError `github` when the repository has no drafts */
  async toDraft({ number, nodeId }: answers.PullRequest): Promise<void> {
    const what = `making #${number} a draft`;
    const body = { query: TO_DRAFT, variables: { id: nodeId } };
    const schema = answers.GraphqlAnswer;
    const { errors = [] } = await this.#call(what, schema, `POST ${this.server.graphqlUrl}`, body);
    const message = errors.map((one) => one.message).join("; ");
    if (errors.length > 0) throw githubFailure(what, { status: 200, message, headers: {} });
  }
}

function failureBehind(error: unknown): ApiFailure {
  const none: ApiFailure = { status: -1, message: "", headers: {} };
  return error instanceof SkillprError ? ((error.cause as ApiFailure | undefined) ?? none) : none;
}
