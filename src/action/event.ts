/**
 * The event that started the workflow, as GITHUB_EVENT_PATH describes it: for which repository, against
 * which branch, and whose words come with it
 * (https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows).
 */
import { readFile, stat } from "node:fs/promises";
import { hasCode, SkillprError } from "../core/errors.ts";
import { EVENT_MAX_BYTES } from "../core/limits.ts";
import { type InferSchema, parseWith, z } from "../core/schema.ts";
import { isInvited } from "../publish/invited.ts";

const maybe = <T extends Parameters<typeof z.nullable>[0]>(schema: T) =>
  z.optional(z.nullable(schema));
const RepositorySchema = z.object({
  full_name: z.string(),
  default_branch: z.optional(z.string()),
  private: z.optional(z.boolean()),
});
const SideSchema = z.object({
  ref: z.string(),
  sha: z.string(),
  /** Null where the fork is gone. */
  repo: maybe(RepositorySchema),
});

/** The fields of all events that are looked at; each event has some of them. */
const PayloadSchema = z.object({
  repository: maybe(RepositorySchema),
  /** Of a push: the ref, and the commit that it was at; zeros when it is new. */
  ref: maybe(z.string()),
  before: maybe(z.string()),
  merge_group: maybe(z.object({ base_sha: z.string() })),
  pull_request: maybe(z.object({ number: z.int(), head: SideSchema, base: SideSchema })),
  workflow_run: maybe(
    z.object({
      event: z.optional(z.string()),
      head_branch: maybe(z.string()),
      head_repository: maybe(RepositorySchema),
    }),
  ),
  issue: maybe(z.object({ number: z.int(), pull_request: maybe(z.object({})) })),
  comment: maybe(z.object({ author_association: z.optional(z.string()) })),
  review: maybe(z.object({ author_association: z.optional(z.string()) })),
});
type Payload = InferSchema<typeof PayloadSchema>;

export interface PullRequestEvent {
  readonly number: number;
  readonly baseBranch: string;
  readonly baseCommit: string;
  readonly headCommit: string;
}

export interface WorkflowEvent {
  /** `push`, `schedule`, …; empty outside of a workflow. */
  readonly name: string;
  /** `owner/name`; null when nobody says. */
  readonly repository: string | null;
  readonly isPrivate: boolean | null;
  /** The branch that proposals are for; null when the event doesn't say. */
  readonly baseBranch: string | null;
  readonly pullRequest: PullRequestEvent | null;
  /** Commit from which on the event brings something new to the base branch: a push to it, a merge queue's group. */
  readonly newFrom: string | null;
  /** Number of the issue or pull request that was commented on. */
  readonly commented: number | null;
  /** Why what comes with it may be a stranger's, as the end of a sentence; null when it isn't. */
  readonly stranger: string | null;
}

type Environment = Readonly<NodeJS.ProcessEnv>;

/** @throws SkillprError `input` when there is a file and it describes no event */
export async function readEvent(env: Environment): Promise<WorkflowEvent> {
  const path = env["GITHUB_EVENT_PATH"] ?? "";
  return eventOf(path === "" ? {} : await readPayload(path), env);
}

async function readPayload(path: string): Promise<Payload> {
  const hint = "the runner writes that file; if a step of yours sets GITHUB_EVENT_PATH, remove it";
  const wrong = (what: string) => new SkillprError("input", `GITHUB_EVENT_PATH ${what}`, hint);
  try {
    if ((await stat(path)).size > EVENT_MAX_BYTES) throw wrong("is too large for an event");
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return parseWith(PayloadSchema, value, { what: "GITHUB_EVENT_PATH", code: "input", hint });
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EISDIR")) throw wrong("can't be read");
    if (error instanceof SyntaxError) throw wrong("is not JSON");
    throw error;
  }
}

function eventOf(payload: Payload, env: Environment): WorkflowEvent {
  const { repository, pull_request: pull } = payload;
  const name = env["GITHUB_EVENT_NAME"] ?? "";
  const fullName = repository?.full_name ?? (env["GITHUB_REPOSITORY"] || null);
  return {
    name,
    repository: fullName,
    isPrivate: repository?.private ?? null,
    baseBranch: pull?.base.ref ?? repository?.default_branch ?? null,
    pullRequest: pull
      ? {
          number: pull.number,
          baseBranch: pull.base.ref,
          baseCommit: pull.base.sha,
          headCommit: pull.head.sha,
        }
      : null,
    newFrom: newFromIn(payload, name),
    commented: payload.issue?.number ?? null,
    stranger: strangerIn(payload, name, fullName),
  };
}

function newFromIn({ ref, before, merge_group: group, repository }: Payload, name: string) {
  if (name === "merge_group") return group?.base_sha ?? null;
  const isPushToBase = name === "push" && ref === `refs/heads/${repository?.default_branch}`;
  return isPushToBase && before && !/^0+$/.test(before) ? before : null;
}

/** Whether something new was said of a proposal, by the event: of the pull request that it is about, or of any. */
export function isAsked(
  { number, waiting }: { readonly number: number; readonly waiting: readonly unknown[] },
  { pullRequest, commented }: Pick<WorkflowEvent, "pullRequest" | "commented">,
): boolean {
  const meant = pullRequest?.number ?? commented ?? number;
  return waiting.length > 0 && number === meant;
}

function strangerIn(payload: Payload, name: string, repository: string | null): string | null {
  const { pull_request: pull, workflow_run: run } = payload;
  const isElsewhere = (other: { full_name: string } | null | undefined) =>
    other?.full_name.toLowerCase() !== repository?.toLowerCase();
  if (name === "pull_request_target")
    return "pull_request_target brings the repository's secrets together with code that anybody may have written";
  if (pull && isElsewhere(pull.head.repo)) return `pull request #${pull.number} comes from a fork`;
  if (run && isElsewhere(run.head_repository))
    return "the workflow run that this one follows was started from a fork";
  if (name === "workflow_run" && run?.event === "pull_request_target")
    return "the workflow run that this one follows was started by pull_request_target";
  const words = payload.comment ?? payload.review;
  if (words && !isInvited(words.author_association))
    return "the comment is by somebody who is neither owner, member nor collaborator";
  return null;
}
