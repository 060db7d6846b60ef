import type { Trigger } from "../core/choices.ts";
import { count } from "../core/text.ts";
import type { Session } from "../transcript/session.ts";
import { hasExperience } from "./experience.ts";
import { newPart } from "./growth.ts";
import { isOwnSession } from "./own-session.ts";

export type SkippedReason =
  | "disabled"
  | "own_session"
  | "already_reviewed"
  | "below_threshold"
  | "skills_modified_in_session";

/** The gate's answer for one session. */
export type Verdict =
  | { readonly status: "scheduled" }
  | {
      readonly status: "skipped";
      readonly skippedReason: SkippedReason;
      /** One sentence for people. */
      readonly detail: string;
    };

/** The verdict that lets a review happen; also what `--force` puts in the gate's place. */
export const SCHEDULED: Verdict = { status: "scheduled" };

/** What the trigger looks at: the whole session, or what is new since it was reviewed last. */
export type CountsSince = "session" | "last-review";

export interface GateInput {
  readonly enabled: boolean;
  /** What disabled it (a file and its key, a flag), for the detail. */
  readonly disabledBy?: string | null;
  readonly session: Session;
  readonly alreadyReviewed: boolean;
  /** The first turn that wasn't reviewed before (see growth.ts); null: none was. */
  readonly newFrom?: string | null;
  /** Completed tool calls that a session needs. */
  readonly threshold: number;
  /** Whether a session has enough in it: by its number of calls, or by what happened in it. */
  readonly trigger: Trigger;
  /** What the session wrote under the skills root (see transcript/skill-writes.ts). */
  readonly skillWrites: readonly { readonly turn: string; readonly path: string }[];
}

/** Whether a session is reviewed. The first rule that says no gives the reason. */
export function decide(input: GateInput, countsSince: CountsSince = "session"): Verdict {
  const { session } = input;
  if (!input.enabled) {
    const by = input.disabledBy == null ? "" : ` by ${input.disabledBy}`;
    return skipped("disabled", `Reviews are disabled${by}.`);
  }
  if (isOwnSession(session)) {
    return skipped("own_session", "The session is a review itself.");
  }
  if (input.alreadyReviewed) {
    return skipped(
      "already_reviewed",
      "This very transcript was reviewed before; --force reviews it again.",
    );
  }
  const tooLittle = whyTooLittle(input, countsSince);
  if (tooLittle !== null) return skipped("below_threshold", tooLittle);
  if (input.skillWrites.length > 0) {
    return skipped("skills_modified_in_session", modified(input.skillWrites));
  }
  return SCHEDULED;
}

function skipped(skippedReason: SkippedReason, detail: string): Verdict {
  return { status: "skipped", skippedReason, detail };
}

/** One sentence; null when there is enough in it. */
function whyTooLittle(input: GateInput, countsSince: CountsSince): string | null {
  const { session, newFrom = null, threshold } = input;
  const isSince = countsSince === "last-review" && newFrom !== null;
  const counted = isSince ? newPart(session, newFrom) : session;
  const calls = count(counted.toolCallCount, "completed tool call");
  const since = isSince ? ` since it was reviewed last (from ${newFrom} on)` : "";
  if (input.trigger === "count") {
    const what = `${calls}${since}; a review needs ${threshold} (--threshold).`;
    return counted.toolCallCount >= threshold ? null : what;
  }
  const what = `${calls}${since}, without a failure that was overcome, a correction by the user, or enough work done.`;
  return hasExperience(counted, threshold) ? null : what;
}

function modified(writes: GateInput["skillWrites"]): string {
  const [first] = writes;
  const more = writes.length > 1 ? ` and ${count(writes.length - 1, "other")}` : "";
  return `The session itself wrote ${first?.path} (${first?.turn})${more}.`;
}
