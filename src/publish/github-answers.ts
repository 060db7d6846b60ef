/** What skillpr reads of GitHub's answers, checked: an error page is never taken for data. */
import { type InferSchema, parseWith, type Schema, z } from "../core/schema.ts";

const People = z.optional(z.nullable(z.array(z.object({ login: z.string() }))));

export const PullRequestAnswer = z.object({
  number: z.int(),
  node_id: z.string(),
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  merged_at: z.optional(z.nullable(z.string())),
  draft: z.optional(z.boolean()),
  title: z.string(),
  body: z.optional(z.nullable(z.string())),
  user: z.optional(z.nullable(z.object({ login: z.string() }))),
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    // Null once a fork is gone.
    repo: z.nullable(z.object({ id: z.int() })),
  }),
  base: z.object({ ref: z.string() }),
  labels: z.array(z.object({ name: z.string() })),
  assignees: People,
  requested_reviewers: People,
  requested_teams: z.optional(z.nullable(z.array(z.object({ slug: z.string() })))),
  milestone: z.optional(z.nullable(z.object({ number: z.int() }))),
});
export const PullRequestListAnswer = z.array(PullRequestAnswer);

export const RepositoryAnswer = z.object({
  id: z.int(),
  name: z.string(),
  owner: z.object({ login: z.string() }),
  default_branch: z.string(),
  archived: z.optional(z.boolean()),
  private: z.optional(z.boolean()),
  fork: z.boolean(),
  permissions: z.optional(z.object({ push: z.optional(z.boolean()) })),
  parent: z.optional(z.nullable(z.object({ id: z.int() }))),
});

const maybeText = z.optional(z.nullable(z.string()));
const maybeNumber = z.optional(z.nullable(z.int()));
/** A comment on the conversation, on a line, or a review: each has some of these. */
const CommentAnswer = z.object({
  id: z.int(),
  html_url: z.string(),
  body: maybeText,
  user: z.nullable(z.object({ login: z.optional(z.string()), type: z.optional(z.string()) })),
  author_association: z.optional(z.string()),
  created_at: maybeText,
  submitted_at: maybeText,
  state: z.optional(z.string()),
  path: maybeText,
  line: maybeNumber,
  diff_hunk: maybeText,
  in_reply_to_id: maybeNumber,
});
export const CommentListAnswer = z.array(CommentAnswer);

export const EventListAnswer = z.array(z.object({ event: z.string() }));

const Errors = z.optional(z.array(z.object({ type: z.optional(z.string()), message: z.string() })));
export const GraphqlAnswer = z.object({ errors: Errors });

export const CommitAnswer = z.object({
  data: z.optional(
    z.nullable(
      z.object({
        createCommitOnBranch: z.nullable(
          z.object({ commit: z.nullable(z.object({ oid: z.string() })) }),
        ),
      }),
    ),
  ),
  errors: Errors,
});

/** Of an answer that nothing is read from. */
export const AnyAnswer = z.unknown();

export interface PullRequest {
  readonly number: number;
  /** Its name in GraphQL. */
  readonly nodeId: string;
  /** Its page. */
  readonly url: string;
  readonly state: "open" | "closed" | "merged";
  readonly isDraft: boolean;
  readonly title: string;
  readonly body: string;
  /** Who opened it; null once the account is gone. */
  readonly author: string | null;
  readonly head: {
    readonly branch: string;
    readonly sha: string;
    readonly repositoryId: number | null;
  };
  readonly baseBranch: string;
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  /** Who is asked for a review and hasn't given one. */
  readonly reviewers: readonly string[];
  readonly teams: readonly string[];
  readonly milestone: number | null;
}

export function toPullRequest(answer: InferSchema<typeof PullRequestAnswer>): PullRequest {
  const isMerged = (answer.merged_at ?? null) !== null;
  return {
    number: answer.number,
    nodeId: answer.node_id,
    url: answer.html_url,
    state: isMerged ? "merged" : answer.state,
    isDraft: answer.draft ?? false,
    title: answer.title,
    body: answer.body ?? "",
    author: answer.user?.login ?? null,
    head: {
      branch: answer.head.ref,
      sha: answer.head.sha,
      repositoryId: answer.head.repo?.id ?? null,
    },
    baseBranch: answer.base.ref,
    labels: answer.labels.map(({ name }) => name),
    assignees: (answer.assignees ?? []).map(({ login }) => login),
    reviewers: (answer.requested_reviewers ?? []).map(({ login }) => login),
    teams: (answer.requested_teams ?? []).map(({ slug }) => slug),
    milestone: answer.milestone?.number ?? null,
  };
}

/** What somebody said about a pull request, in whichever of the three ways. */
export interface Comment {
  readonly id: number;
  /** Where it stands. */
  readonly url: string;
  readonly body: string;
  /** Null once the account is gone. */
  readonly author: string | null;
  /** `OWNER`, `MEMBER`, `COLLABORATOR`, … */
  readonly association: string;
  /** Written by a program. */
  readonly isBot: boolean;
  /** ISO 8601; empty where GitHub doesn't say. */
  readonly at: string;
  /** Of a review: `APPROVED`, `CHANGES_REQUESTED`, `COMMENTED`, …; else null. */
  readonly state: string | null;
  /** The file that it is on; null for what is about all of it. */
  readonly path: string | null;
  /** Null where the line isn't there any more. */
  readonly line: number | null;
  /** The line itself, as the change had it. */
  readonly quote: string | null;
  /** The first comment of its thread, when it answers one. */
  readonly inReplyTo: number | null;
}

export function toComment(answer: InferSchema<typeof CommentAnswer>): Comment {
  const hunk = answer.diff_hunk ?? "";
  return {
    id: answer.id,
    url: answer.html_url,
    body: answer.body ?? "",
    author: answer.user?.login ?? null,
    association: answer.author_association ?? "NONE",
    isBot: answer.user?.type === "Bot",
    at: answer.submitted_at ?? answer.created_at ?? "",
    state: answer.state ?? null,
    path: answer.path || null,
    line: answer.line ?? null,
    // A hunk ends with the line that was commented on, after its mark.
    quote: hunk === "" ? null : (hunk.split("\n").at(-1) ?? "").slice(1),
    inReplyTo: answer.in_reply_to_id ?? null,
  };
}

/** @throws SkillprError `github` when something else answers than GitHub */
export function checkedAnswer<T>(schema: Schema<T>, value: unknown, what: string): T {
  return parseWith(schema, value, {
    what: `GitHub's answer to ${what}`,
    code: "github",
    hint: "check GITHUB_API_URL: something else than GitHub's API answers there",
  });
}
