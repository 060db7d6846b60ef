/** The `pull-request:` section of the config: what a pull request is like, and how many may be open. */
import * as limits from "./limits.ts";
import { type InferSchema, z } from "./schema.ts";

export interface PullRequestConfig {
  /** Put on at creation, as are reviewers, teams, assignees and the milestone. */
  readonly labels: readonly string[];
  readonly reviewers: readonly string[];
  /** Slugs of teams of the repository's organization. */
  readonly teamReviewers: readonly string[];
  readonly assignees: readonly string[];
  /** Its number; null: none. */
  readonly milestone: number | null;
  /** Every pull request starts as a draft; one with a grave warning does anyway. */
  readonly draft: boolean;
  /** File of the repository with its own body, from its root; null: templates/pull-request.md. */
  readonly template: string | null;
  /** More open proposals than this wait here. */
  readonly maxOpen: number;
  /** A pull request with this label is left alone. */
  readonly stopLabel: string;
  /** Commits are made, and signed, by GitHub. */
  readonly signCommits: boolean;
  /** `owner/name` of the fork that branches are pushed to; null: the repository itself. */
  readonly pushTo: string | null;
}

const names = z.optional(
  z
    .array(
      z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(limits.PULL_REQUEST_NAME_MAX_CHARS),
          z.regex(/^[^\p{Cc}]+$/u, "holds a control character"),
        ),
    )
    .check(z.maxLength(limits.PULL_REQUEST_NAMES_MAX)),
);
const name = z.optional(
  z.string().check(z.minLength(1), z.maxLength(limits.PULL_REQUEST_NAME_MAX_CHARS)),
);

const shared = {
  labels: names,
  reviewers: names,
  "team-reviewers": names,
  assignees: names,
  milestone: z.optional(z.int().check(z.gte(1))),
  draft: z.optional(z.boolean()),
  template: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\p{Cc}\\]+$/u,
          "is no file of the repository",
        ),
      ),
  ),
  "max-open": z.optional(z.int().check(z.gte(0), z.lte(limits.OPEN_PULL_REQUESTS_MAX))),
  "stop-label": name,
  "sign-commits": z.optional(z.boolean()),
};
/** Of a repository's file. */
export const PullRequestSection = z.strictObject(shared);
/** Of the user's: where branches are pushed to is their choice alone. */
export const UserPullRequestSection = z.strictObject({
  ...shared,
  "push-to": z.optional(z.string().check(z.regex(/^[\w.-]+\/[\w.-]+$/, "is no owner/name"))),
});

/** What one source says; an absent field means that it says nothing. */
export type PullRequestWishes = {
  readonly [K in keyof PullRequestConfig]?: PullRequestConfig[K] | undefined;
};

export function pullRequestWishes(
  section: InferSchema<typeof UserPullRequestSection> | undefined,
): PullRequestWishes | undefined {
  if (section === undefined) return undefined;
  const { labels, reviewers, assignees, milestone, draft, template } = section;
  return {
    ...{ labels, reviewers, assignees, milestone, draft, template },
    teamReviewers: section["team-reviewers"],
    maxOpen: section["max-open"],
    stopLabel: section["stop-label"],
    signCommits: section["sign-commits"],
    pushTo: section["push-to"],
  };
}

export const DEFAULT_PULL_REQUEST: PullRequestConfig = {
  labels: [],
  reviewers: [],
  teamReviewers: [],
  assignees: [],
  milestone: null,
  draft: false,
  template: null,
  maxOpen: limits.OPEN_PULL_REQUESTS,
  stopLabel: "stop",
  signCommits: false,
  pushTo: null,
};

/**
 * Flags over the user's file over the defaults; then the repository says what its pull requests are
 * like, and may only tighten the rest.
 * @returns a sentence for each wish that would have loosened something
 */
export function resolvePullRequest(sources: {
  readonly flags: PullRequestWishes;
  readonly user: PullRequestWishes;
  readonly repository: PullRequestWishes;
}): { pullRequest: PullRequestConfig; warnings: string[] } {
  const { flags, repository } = sources;
  const mine = { ...DEFAULT_PULL_REQUEST, ...said(sources.user), ...said(flags) };
  const warnings: string[] = [];
  const ignored = (field: string, value: unknown, own: unknown) =>
    warnings.push(
      `.skillpr.yml: "pull-request.${field}: ${String(value)}" is ignored: a repository may only tighten "${String(own)}"`,
    );
  if (repository.draft === false && mine.draft) ignored("draft", false, true);
  if (repository.signCommits === false && mine.signCommits) ignored("sign-commits", false, true);
  if (repository.maxOpen !== undefined && repository.maxOpen > mine.maxOpen)
    ignored("max-open", repository.maxOpen, mine.maxOpen);
  const { labels, reviewers, teamReviewers, assignees, milestone, template, stopLabel } =
    repository;
  const own = said({ labels, reviewers, teamReviewers, assignees, milestone, template, stopLabel });
  const pullRequest = {
    ...mine,
    ...own,
    draft: mine.draft || repository.draft === true,
    signCommits: mine.signCommits || repository.signCommits === true,
    maxOpen: Math.min(mine.maxOpen, repository.maxOpen ?? mine.maxOpen),
  };
  return { pullRequest, warnings };
}

/** The fields that a source says something in. */
export function said<T extends object>(wishes: { [K in keyof T]?: T[K] | undefined }): Partial<T> {
  const entries = Object.entries(wishes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}
