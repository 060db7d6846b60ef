/** What skillpr does on GitHub, one method each. */
import { SkillprError } from "../core/errors.ts";
import type { GithubServer, RepositoryName } from "./github-address.ts";
import * as answers from "./github-answers.ts";
import { type GithubCall, type GithubOptions, openGithubClient } from "./github-client.ts";
import { CREATE_COMMIT, commitInput, type NewCommit } from "./github-commit.ts";
import {
  type ApiFailure,
  type ExpectedFailure,
  expectedFailure,
  githubFailure,
} from "./github-errors.ts";

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

const PER_PAGE = 100;
const REPOSITORY = "/repos/{owner}/{repo}";
const PULL = `${REPOSITORY}/pulls/{pull_number}`;
const STATUS = `${REPOSITORY}/statuses/{sha}`;
const ISSUE = `${REPOSITORY}/issues/{issue_number}`;
const TO_DRAFT =
  "mutation($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { clientMutationId } }";

/** Every method @throws SkillprError `github`; one request each, where it doesn't say otherwise. */
export class Github {
  readonly server: GithubServer;
  readonly #call: GithubCall;

  constructor(options: GithubOptions) {
    this.server = options.server;
    this.#call = openGithubClient(options);
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
    const found: answers.PullRequest[] = [];
    for (let page = 1; page <= pages; page++) {
      const asked = { ...query, per_page: PER_PAGE, page };
      const listed = await this.#call(what, schema, `GET ${REPOSITORY}/pulls`, asked);
      found.push(...listed.map(answers.toPullRequest));
      if (listed.length < PER_PAGE) break;
    }
    return found;
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

  /**
   * Of the conversation, oldest first; a request per page of 100.
   * @param pages the most that are read
   */
  comments(repository: RepositoryName, number: number, pages = 1): Promise<answers.Comment[]> {
    const what = `reading the comments of #${number}`;
    const parameters = { ...at(repository), issue_number: number };
    return this.#said(what, `GET ${ISSUE}/comments`, parameters, pages);
  }

  /** Those on lines of the change; otherwise as `comments`. */
  reviewComments(
    repository: RepositoryName,
    number: number,
    pages: number,
  ): Promise<answers.Comment[]> {
    const what = `reading the review comments of #${number}`;
    const parameters = { ...at(repository), pull_number: number };
    return this.#said(what, `GET ${PULL}/comments`, parameters, pages);
  }

  /** What reviews say as a whole; otherwise as `comments`. */
  reviews(repository: RepositoryName, number: number, pages: number): Promise<answers.Comment[]> {
    const what = `reading the reviews of #${number}`;
    const parameters = { ...at(repository), pull_number: number };
    return this.#said(what, `GET ${PULL}/reviews`, parameters, pages);
  }

  comment(repository: RepositoryName, number: number, body: string): Promise<void> {
    return this.#write(`commenting on #${number}`, `POST ${ISSUE}/comments`, {
      ...at(repository),
      issue_number: number,
      body,
    });
  }

  /** In the thread of a comment on a line. @param comment the first of the thread */
  reply(repository: RepositoryName, number: number, comment: number, body: string): Promise<void> {
    return this.#write(`replying on #${number}`, `POST ${PULL}/comments/{comment_id}/replies`, {
      ...at(repository),
      pull_number: number,
      comment_id: comment,
      body,
    });
  }

  addLabels(repository: RepositoryName, number: number, labels: readonly string[]): Promise<void> {
    return this.#write(`labelling #${number}`, `POST ${ISSUE}/labels`, {
      ...at(repository),
      issue_number: number,
      labels,
    });
  }

  addAssignees(
    repository: RepositoryName,
    number: number,
    assignees: readonly string[],
  ): Promise<void> {
    return this.#write(`assigning #${number}`, `POST ${ISSUE}/assignees`, {
      ...at(repository),
      issue_number: number,
      assignees,
    });
  }

  setMilestone(repository: RepositoryName, number: number, milestone: number): Promise<void> {
    return this.#write(`setting the milestone of #${number}`, `PATCH ${ISSUE}`, {
      ...at(repository),
      issue_number: number,
      milestone,
    });
  }

  requestReviewers(
    repository: RepositoryName,
    number: number,
    {
      reviewers,
      teams,
    }: { readonly reviewers: readonly string[]; readonly teams: readonly string[] },
  ): Promise<void> {
    return this.#write(`asking for a review of #${number}`, `POST ${PULL}/requested_reviewers`, {
      ...at(repository),
      pull_number: number,
      reviewers,
      team_reviewers: teams,
    });
  }

  /** What a commit is said to be, beside the checks; the token needs `statuses: write`. */
  setStatus(
    repository: RepositoryName,
    commit: string,
    status: { readonly context: string; readonly state: "success"; readonly description: string },
  ): Promise<void> {
    return this.#write(`setting the status of ${commit.slice(0, 12)}`, `POST ${STATUS}`, {
      ...at(repository),
      sha: commit,
      ...status,
    });
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

  async #said(
    what: string,
    route: string,
    parameters: Readonly<Record<string, unknown>>,
    pages: number,
  ): Promise<answers.Comment[]> {
    const found: answers.Comment[] = [];
    for (let page = 1; page <= pages; page++) {
      const asked = { ...parameters, per_page: PER_PAGE, page };
      const listed = await this.#call(what, answers.CommentListAnswer, route, asked);
      found.push(...listed.map(answers.toComment));
      if (listed.length < PER_PAGE) break;
    }
    return found;
  }

  async #write(
    what: string,
    route: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.#call(what, answers.AnyAnswer, route, parameters);
  }
}

function at({ owner, name }: RepositoryName) {
  return { owner, repo: name };
}

function failureBehind(error: unknown): ApiFailure {
  const none: ApiFailure = { status: -1, message: "", headers: {} };
  return error instanceof SkillprError ? ((error.cause as ApiFailure | undefined) ?? none) : none;
}
