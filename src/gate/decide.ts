import { count } from "../core/text.ts";
import type { Session } from "../transcript/session.ts";
import { hasExperience } from "./experience.ts";
import { isOwnSession } from "./own-session.ts";

export type SkippedReason =
  | "disabled"
  | "own_session"
  | "already_reviewed"
  | "below_threshold"
  | "skills_modified_in_session";

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

/** Whether a session has enough in it: by its number of calls, or by what happened in it. */
type Trigger = "count" | "experience";

export interface GateInput {
  readonly enabled: boolean;
  /** What disabled it (a file and its key, a flag), for the detail. */
  readonly disabledBy?: string | null;
  readonly session: Session;
  readonly alreadyReviewed: boolean;
  /** Completed tool calls that a session needs. */
  readonly threshold: number;
  readonly trigger: Trigger;
  /** What the session wrote under the skills root (see transcript/skill-writes.ts). */
  readonly skillWrites: readonly { readonly turn: string; readonly path: string }[];
}

/** Whether a session is reviewed. The first rule that says no gives the reason. */
export function decide(input: GateInput): Verdict {
  const { session, threshold } = input;
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
  const isEnough =
    input.trigger === "count"
      ? session.toolCallCount >= threshold
      : hasExperience(session, threshold);
  if (!isEnough) return skipped("below_threshold", tooLittle(session, input));
  if (input.skillWrites.length > 0) {
    return skipped("skills_modified_in_session", modified(input.skillWrites));
  }
  return SCHEDULED;
}

function skipped(skippedReason: SkippedReason, detail: string): Verdict {
  return { status: "skipped", skippedReason, detail };
}

function tooLittle(session: Session, input: GateInput): string {
  const calls = count(session.toolCallCount, "completed tool call");
  if (input.trigger === "count")
    return `${calls}; a review needs ${input.threshold} (--threshold).`;
  return `${calls}, without a failure that was overcome, a correction by the user, or enough work done.`;
}

function modified(writes: GateInput["skillWrites"]): string {
  const [first] = writes;
  const more = writes.length > 1 ? ` and ${count(writes.length - 1, "other")}` : "";
  return `The session itself wrote ${first?.path} (${first?.turn})${more}.`;
}
