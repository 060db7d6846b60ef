/** What is written down of a pull request after a run. */
import type { PullRequestBlock } from "./plan-pull-request.ts";
import type { PullRequestReceipt } from "./publish-pull-request.ts";
import type { PullRequestNote } from "./pull-request-notes.ts";

/** @param known what was written down before */
export function noteOf(
  receipt: PullRequestReceipt,
  known: PullRequestNote | null,
): Omit<PullRequestNote, "skill" | "at"> {
  const pull = "pullRequest" in receipt ? receipt.pullRequest : null;
  const at = { number: pull?.number ?? null, url: pull?.url ?? null };
  switch (receipt.status) {
    case "done":
      return { state: pull?.state === "open" ? "open" : "settled", ...at, reason: null };
    case "blocked":
      return { state: STATES[receipt.why], ...at, url: receipt.url, reason: receipt.reason };
    default: {
      // The next run tries again.
      const { number = null, url = null } = known ?? {};
      return { state: "waiting", number, url, reason: reasonOf(receipt) };
    }
  }
}

function reasonOf(receipt: Extract<PullRequestReceipt, { status: "refused" | "failed" }>): string {
  if (receipt.status === "failed") return receipt.error.message;
  return "the verifier refuses it on the remote's base";
}

const STATES: Readonly<Record<PullRequestBlock, PullRequestNote["state"]>> = {
  waiting: "waiting",
  stopped: "blocked",
  declined: "settled",
  edited: "blocked",
  "base-changed": "blocked",
  forbidden: "blocked",
  "in-the-way": "blocked",
  stale: "blocked",
};
