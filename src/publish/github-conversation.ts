/** What is said about a pull request on GitHub, and what skillpr says there. */
import type { RepositoryName } from "./github-address.ts";
import * as answers from "./github-answers.ts";
import { type GithubCall, ONCE } from "./github-client.ts";
import { at, ISSUE, inPages, PULL } from "./github-routes.ts";

/** Every method @throws SkillprError `github`; one request each, where it doesn't say otherwise. */
export class GithubConversation {
  readonly #call: GithubCall;

  constructor(call: GithubCall) {
    this.#call = call;
  }

  /**
   * Of the conversation, oldest first; a request per page of 100.
   * @param pages the most that are read
   */
  comments(repository: RepositoryName, number: number, pages: number): Promise<answers.Comment[]> {
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

  /** Not tried again: an answer that was lost would leave two. The next run looks first. */
  async comment(repository: RepositoryName, number: number, body: string): Promise<void> {
    const parameters = { ...at(repository), issue_number: number, body, ...ONCE };
    const what = `commenting on #${number}`;
    await this.#call(what, answers.AnyAnswer, `POST ${ISSUE}/comments`, parameters);
  }

  /** In the thread of a comment on a line; not tried again either. @param comment the first of the thread */
  async reply(
    repository: RepositoryName,
    number: number,
    comment: number,
    body: string,
  ): Promise<void> {
    const thread = { ...at(repository), pull_number: number, comment_id: comment };
    const route = `POST ${PULL}/comments/{comment_id}/replies`;
    const parameters = { ...thread, body, ...ONCE };
    await this.#call(`replying on #${number}`, answers.AnyAnswer, route, parameters);
  }

  async #said(
    what: string,
    route: string,
    parameters: Readonly<Record<string, unknown>>,
    pages: number,
  ): Promise<answers.Comment[]> {
    const found = await inPages(pages, (page) =>
      this.#call(what, answers.CommentListAnswer, route, { ...parameters, ...page }),
    );
    return found.map(answers.toComment);
  }
}
