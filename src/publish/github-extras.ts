/** What is set on a pull request beside its text: labels, people, a milestone. */
import * as limits from "../core/limits.ts";
import type { RepositoryName } from "./github-address.ts";
import * as answers from "./github-answers.ts";
import type { GithubCall } from "./github-client.ts";
import { at, ISSUE, inPages, PULL } from "./github-routes.ts";

/** Every method @throws SkillprError `github`; one request each, where it doesn't say otherwise. */
export class GithubExtras {
  readonly #call: GithubCall;

  constructor(call: GithubCall) {
    this.#call = call;
  }

  /** Whether anybody ever set one of these on it, whatever became of it; a request per page of 100. */
  async wereEverSet(repository: RepositoryName, number: number): Promise<boolean> {
    const what = `reading what was set on #${number}`;
    const parameters = { ...at(repository), issue_number: number };
    const route = `GET ${ISSUE}/events`;
    const events = await inPages(limits.PULL_REQUEST_EVENT_PAGES_MAX, (page) =>
      this.#call(what, answers.EventListAnswer, route, { ...parameters, ...page }),
    );
    return events.some(({ event }) => SETTING.has(event));
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

  /** @param assignees all that shall be: those who are assigned already stay only when they are among them */
  assignAndSetMilestone(
    repository: RepositoryName,
    number: number,
    { assignees, milestone }: { readonly assignees: readonly string[]; readonly milestone: number },
  ): Promise<void> {
    return this.#write(`assigning #${number} and setting its milestone`, `PATCH ${ISSUE}`, {
      ...at(repository),
      issue_number: number,
      assignees,
      milestone,
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

  async #write(
    what: string,
    route: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.#call(what, answers.AnyAnswer, route, parameters);
  }
}

/** https://docs.github.com/rest/using-the-rest-api/issue-event-types */
const SETTING: ReadonlySet<string> = new Set([
  "labeled",
  "assigned",
  "milestoned",
  "review_requested",
]);
