/** What skillpr reads of GitHub's answers, checked: an error page is never taken for data. */
import { type InferSchema, parseWith, type Schema, z } from "../core/schema.ts";

const User = z.nullable(z.object({ login: z.string() }));

export const PullRequestAnswer = z.object({
  number: z.int(),
  node_id: z.string(),
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  merged_at: z.optional(z.nullable(z.string())),
  draft: z.optional(z.boolean()),
  title: z.string(),
  body: z.optional(z.nullable(z.string())),
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    // Null once a fork is gone.
    repo: z.nullable(z.object({ id: z.int() })),
  }),
  base: z.object({ ref: z.string() }),
  labels: z.array(z.object({ name: z.string() })),
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
  parent: z.optional(z.nullable(z.object({ id: z.int() }))),
});

export const CommentListAnswer = z.array(
  z.object({
    body: z.optional(z.nullable(z.string())),
    user: User,
    author_association: z.optional(z.string()),
  }),
);

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
  readonly head: {
    readonly branch: string;
    readonly sha: string;
    readonly repositoryId: number | null;
  };
  readonly baseBranch: string;
  readonly labels: readonly string[];
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
    head: {
      branch: answer.head.ref,
      sha: answer.head.sha,
      repositoryId: answer.head.repo?.id ?? null,
    },
    baseBranch: answer.base.ref,
    labels: answer.labels.map(({ name }) => name),
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
