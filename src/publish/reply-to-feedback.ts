/** Says under each comment that a revision worked it in, once. */
import * as limits from "../core/limits.ts";
import { markdownText } from "../core/markdown.ts";
import { cut } from "../core/text.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { PullRequest } from "./github-answers.ts";
import { attempt } from "./pull-request-extras.ts";
import type { PullRequestPlace } from "./pull-request-place.ts";
import { feedbackDigest, readFeedback, revisedMarker } from "./review-feedback.ts";

type Answers = NonNullable<Proposal["revision"]>["answers"];

const ON_LINE = /^line-(\d+)$/;

/**
 * Replies in the thread of each comment on a line, and with one comment to all that was said about the whole. Only to
 * what is there and has no reply yet: a proposal may name any comment. What was edited since it was read is left
 * for the next revision. At best effort: the commit is published.
 * @param commit what the branch holds now
 */
export async function replyToFeedback(
  place: PullRequestPlace,
  pull: PullRequest,
  { answers, commit }: { readonly answers: Answers; readonly commit: string },
): Promise<void> {
  const { github, target, onNote } = place;
  const { number } = pull;
  await attempt(onNote, async () => {
    const { waiting, urls, threads } = await readFeedback(place, pull);
    const open = new Map(waiting.map((one) => [one.id, feedbackDigest(one)]));
    const there = answers.filter(({ id }) => open.has(id));
    const due = there.filter(({ id, digest }) => open.get(id) === digest);
    for (const { id } of there.filter((one) => !due.includes(one)))
      onNote(`${urls.get(id) ?? id} was edited after it was read: the next revision works it in`);
    for (const answer of due) {
      const comment = Number(ON_LINE.exec(answer.id)?.[1] ?? Number.NaN);
      const thread = threads.get(comment);
      if (thread === undefined) continue;
      const body = [revisedMarker([answer.id]), worked(commit), ...wordsOf(answer)].join("\n");
      await github.conversation.reply(target, number, thread, body);
    }
    const whole = due.filter(({ id }) => !ON_LINE.test(id));
    if (whole.length === 0) return;
    const lines = whole.flatMap((answer) => {
      // Named, not quoted: what a person takes back must not stand here still.
      return ["", `About <${urls.get(answer.id) ?? ""}>:`, ...wordsOf(answer)];
    });
    const marker = revisedMarker(whole.map(({ id }) => id));
    await github.conversation.comment(
      target,
      number,
      [marker, worked(commit), ...lines].join("\n").trimEnd(),
    );
  });
}

function worked(commit: string): string {
  return `skillpr revised the skill after this: ${commit}.`;
}

/** The reviewer's own words, as harmless as everything that a model wrote. */
function wordsOf({ words }: Answers[number]): string[] {
  if (words === null) return [];
  return [`The reviewer says: “${markdownText(cut(words, limits.FEEDBACK_ANSWER_MAX_CHARS))}”`];
}
