/** The seam of every reviewer: what it is given, and what it answers. */
import type { RedactedSession } from "../transcript/session.ts";
import type { SessionText } from "../transcript/session-text.ts";
import type { ProjectFiles, ProjectHistory } from "./project.ts";
import type { SentParts } from "./sent-parts.ts";

/** A skill that exists already: in the base, or in a proposal that is still open. */
export interface ExistingSkill {
  /** The folder's name under the skills root. */
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  /** True when the marker says that reviewers may change it. */
  readonly isAutoSkill: boolean;
  /** True when it is only proposed so far. */
  readonly isOpenProposal: boolean;
  /** What people who may decide said about the proposal. */
  readonly said?: readonly string[];
}

/** A skill that lies in the work tree and that git doesn't track: an agent's, or a person's own. */
export interface InPlaceSkill {
  /** From the repository's root: `.qwen/skills/<folder>` or `.qwen/pending-skills/<task>/<folder>`. */
  readonly path: string;
  /** The last part of it. */
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  /** Its SKILL.md. */
  readonly text: string;
}

/** A proposal that a person turned down. */
export interface DeclinedSkill {
  readonly folder: string;
  /** Content key of what was declined (see skills/content-key.ts). */
  readonly contentKey: string;
  readonly reason: string | null;
  /** The `description` of what was declined, by which the same lesson is recognised; null when nobody kept it. */
  readonly description: string | null;
}

/** What the verifier says of one skill folder; in the shape of its Finding. */
export interface ReviewFinding {
  readonly rule: string;
  readonly level: "error" | "warning";
  readonly path: string | null;
  readonly line: number | null;
  readonly message: string;
  readonly hint: string;
}

/** What a reviewer is given; all of it without secrets. */
export interface ReviewInput {
  readonly session: RedactedSession;
  /**
   * The first turn that wasn't reviewed before, when the session was and went on: the turns from it on are
   * the subject, those before it context. Null: all of the session is the subject.
   */
  readonly newFrom: string | null;
  /**
   * All that the session holds, long texts that `session` has only in part included; made when it is
   * called. Default: what `session` holds.
   */
  readonly transcript?: () => Promise<SessionText>;
  /** Absolute path of the skills root inside the workspace: the only folder a reviewer may change. */
  readonly skillsDir: string;
  /** The same folder as the repository names it, e.g. `.qwen/skills`. */
  readonly skillsRoot: string;
  readonly existing: readonly ExistingSkill[];
  readonly declined: readonly DeclinedSkill[];
  /** Skills beside them that nobody committed, secrets replaced; what they say is not written again. */
  readonly inPlace?: readonly InPlaceSkill[];
  /** ISO 8601 time that new skills carry as `extracted_at`: the session's end, so that a second run gives the same bytes. */
  readonly extractedAt: string;
  /** Where new skills carry the marker. */
  readonly marker: "metadata" | "top-level" | "both";
  /** Paths from the repository's root that are links or submodules in the base: nothing is written through them. */
  readonly links: ReadonlySet<string>;
  /** The tracked files of the base commit. */
  readonly project: ProjectFiles;
  /** The history that leads to it. */
  readonly history: ProjectHistory;
  /** Absolute path of the project as the session names it; it need not exist here. */
  readonly projectRoot: string;
  /**
   * The same, looked up in the project's files: a session that ran elsewhere may have run in a folder
   * of the project. Default: `projectRoot`.
   */
  readonly locateProject?: () => Promise<string>;
  /** The verifier's rules on one skill folder (its name) as it lies in the workspace now. */
  readonly check: (folder: string) => Promise<readonly ReviewFinding[]>;
  /** Replaces secrets, with the placeholders that the session already has. */
  readonly redact: (text: string) => Promise<string>;
  /** Rounds at most. */
  readonly maxTurns: number;
  /** Wall time at most. */
  readonly timeoutMs: number;
  /** Aborted by Ctrl-C: the review ends with SkillprError `interrupted`. */
  readonly signal: AbortSignal;
  /**
   * Only where comments on a proposal are worked in: the session is then what people said of it, a turn for each
   * comment, and nothing but this skill's folder may change.
   */
  readonly revising?: { readonly skill: string };
}

/** What a review cost. */
export interface Usage {
  /** Name of the reviewer. */
  readonly reviewer: string;
  /** Null where none was asked. */
  readonly model: string | null;
  /** Answers of the model. */
  readonly turns: number;
  /** As the model's server counts them; 0 where it says nothing. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of all requests' bodies, those that were tried again included. */
  readonly requestBytes: number;
  /** Absent where no conversation was counted. */
  readonly parts?: SentParts;
  readonly durationMs: number;
  /** The round limit ended the review. */
  readonly incomplete: boolean;
}

export interface ReviewNote {
  readonly skill: string;
  /** Why the skill was learned, one or two sentences with turn ids; shown to the person who approves. */
  readonly why: string;
}

/** What a reviewer answers. */
export interface ReviewResult {
  /** What was written lies in the workspace; this says only how it went. */
  readonly notes: readonly ReviewNote[];
  readonly usage: Omit<Usage, "durationMs">;
  /** Why nothing was written, one short sentence for people without a full stop; null when something was. */
  readonly silence?: string | null;
  /** What the reviewer said at the end, redacted; of a revision, a line for each comment (`t1: …`). */
  readonly lastWords?: string;
}

/** Who reads a session and writes skills. A host may bring its own. */
export interface Reviewer {
  /** `auto-skill`, `skillbook`, `offline`, or a host's own. */
  readonly name: string;
  /**
   * Reads the session and writes candidate skills under `skillsDir`.
   * @throws SkillprError code `model` when the review could not be done
   */
  review(input: ReviewInput): Promise<ReviewResult>;
}
