/** What is known here of pull requests, in words. */
import { safeLine } from "../core/text.ts";
import type { PullRequestNote } from "../publish/pull-request-notes.ts";

/** `#7 https://…`, with what keeps it behind; null when there is nothing to say. */
export function pullRequestWords({ state, number, url, reason }: PullRequestNote): string | null {
  const what = number === null ? "" : `#${number}`;
  const where = [what, url === null ? "" : safeLine(url)].filter((part) => part !== "").join(" ");
  const why = reason === null ? "" : safeLine(reason);
  switch (state) {
    case "open":
      return where;
    case "waiting":
      return ["waits for the next run with --publish pr", why, where].filter(Boolean).join(": ");
    case "blocked":
      return ["blocked", why, where].filter(Boolean).join(": ");
    case "settled":
      return null;
  }
}
