/**
 * What people who may decide say about a pull request: comments on lines, reviews, and the conversation. Of nobody
 * else: everybody may comment on a public repository.
 */
import { createHash } from "node:crypto";
import * as limits from "../core/limits.ts";
import { cut } from "../core/text.ts";
import type { Comment, PullRequest } from "./github-answers.ts";
import { isInvited } from "./invited.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";

/** One of their comments. */
export interface Feedback {
  /** `line-12`, `review-12` or `comment-12`: how it was said, and GitHub's number for it. */
  readonly id: string;
  /** Cut. */
  readonly words: string;
  readonly requestsChanges: boolean;
  /** From the repository's root; null for what is about all of it. */
  readonly path: string | null;
  readonly line: number | null;
  /** The line itself, cut. */
  readonly quote: string | null;
}

export interface PullRequestFeedback {
  /** What they said, oldest first, whether or not it was worked in. */
  readonly words: readonly string[];
  /** What nobody worked in yet, oldest first; at most FEEDBACK_MAX. */
  readonly waiting: readonly Feedback[];
  /** Where each of these stands, by its id. */
  readonly urls: ReadonlyMap<string, string>;
  /** Where a reply to a comment on a line belongs: the first comment of its thread, by the comment's number. */
  readonly threads: ReadonlyMap<number, number>;
}

const OURS = /^\s*<!-- skillpr:/;
/** An approval asks for nothing, a dismissed review no longer does, and a pending one isn't said yet. */
const ASKING: ReadonlySet<string> = new Set(["CHANGES_REQUESTED", "COMMENTED"]);
const REVISED = /^\s*<!-- skillpr:revised ([a-z0-9 -]+) -->/;

/** What our reply to some comments begins with, so that the next run knows. */
export function revisedMarker(ids: readonly string[]): string {
  return `<!-- skillpr:revised ${ids.join(" ")} -->`;
}

/** Tells whether a comment still says what was worked in; `sha256:` and 64 hexadecimal digits. */
export function feedbackDigest({ words }: Pick<Feedback, "words">): string {
  return `sha256:${createHash("sha256").update(words).digest("hex")}`;
}

/** Three requests, more where more than a hundred were said one way. @throws SkillprError `github` */
export async function readFeedback(
  { github, target }: PullRequestPlace,
  { number, author }: Pick<PullRequest, "number" | "author">,
): Promise<PullRequestFeedback> {
  const pages = limits.FEEDBACK_PAGES_MAX;
  const onLines = await github.conversation.reviewComments(target, number, pages);
  const reviews = await github.conversation.reviews(target, number, pages);
  const conversation = await github.conversation.comments(target, number, pages);
  const all: readonly Said[] = [
    ...onLines.map((comment) => ({ comment, id: `line-${comment.id}` })),
    ...reviews.map((comment) => ({ comment, id: `review-${comment.id}` })),
    ...conversation.map((comment) => ({ comment, id: `comment-${comment.id}` })),
  ];
  const done = new Set(all.flatMap(({ comment }) => revisedIn(comment, author)));
  const theirs = all
    .filter(({ comment }) => isTheirs(comment))
    .sort((a, b) => (a.comment.at < b.comment.at ? -1 : a.comment.at > b.comment.at ? 1 : 0));
  const isAsking = ({ comment: { state } }: Said) => state === null || ASKING.has(state);
  return {
    words: theirs.map(({ comment }) => comment.body.trim()),
    waiting: theirs
      .filter((said) => isAsking(said) && !done.has(said.id))
      .slice(0, limits.FEEDBACK_MAX)
      .map(toFeedback),
    urls: new Map(theirs.map(({ id, comment }) => [id, comment.url])),
    threads: new Map(onLines.map(({ id, inReplyTo }) => [id, inReplyTo ?? id])),
  };
}

interface Said {
  readonly comment: Comment;
  readonly id: string;
}

function isTheirs({ association, isBot, body, state }: Comment): boolean {
  const isPersons = isInvited(association) && !isBot;
  return isPersons && body.trim() !== "" && !OURS.test(body) && state !== "PENDING";
}

/**
 * A stranger's copy of our comment must not keep a person's words from being worked in. Who proposes from a fork may
 * be a stranger to the repository: what skillpr says there is said by who opened the pull request.
 */
function revisedIn({ association, isBot, body, author }: Comment, opener: string | null): string[] {
  const isOpeners = opener !== null && author === opener;
  if (!isBot && !isInvited(association) && !isOpeners) return [];
  return REVISED.exec(body)?.[1]?.split(" ") ?? [];
}

function toFeedback({ id, comment }: Said): Feedback {
  const { body, state, path, line, quote } = comment;
  return {
    id,
    words: cut(body.trim(), limits.FEEDBACK_WORDS_MAX_CHARS),
    requestsChanges: state === "CHANGES_REQUESTED",
    path,
    line,
    quote: quote === null ? null : cut(quote, limits.FEEDBACK_QUOTE_MAX_CHARS),
  };
}
