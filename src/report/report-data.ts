/**
 * ReportData: everything that a report says, as plain data. It is gathered above this room; what is
 * made of it (a page, lines for a terminal, JSON) reads nothing else. Its texts are foreign, and
 * without secrets.
 */
import type { Proposal } from "../proposal/proposal.ts";

/** What could not be had, and why: one sentence for people. It is said in the report, never hidden. */
export interface Missing {
  readonly missing: string;
}

export interface ReportData {
  /** ISO 8601. */
  readonly generatedAt: string;
  /** Name of the repository's folder. */
  readonly repository: string;
  readonly proposals: readonly ReportProposal[];
  /** Open proposals that are not in it. */
  readonly leftOut: number;
  /** What the proposals come from, once each, and sessions that were asked for by name. */
  readonly sessions: readonly ReportSession[];
  readonly skillbook: SkillbookHistory | Missing;
  readonly queue: QueueHistory | Missing;
}

export interface ReportFinding {
  readonly rule: string;
  readonly level: "error" | "warning";
  /** From the repository's root. */
  readonly path: string | null;
  /** 1-based. */
  readonly line: number | null;
  readonly message: string;
  readonly hint: string;
}

/** What was sealed with a proposal. */
export type Sealed = Pick<
  Proposal,
  "why" | "session" | "signals" | "evidence" | "alsoFrom" | "usage"
>;

export interface ReportProposal {
  readonly skill: string;
  /** From the repository's root. */
  readonly folder: string;
  readonly operation: "ADD" | "UPDATE";
  /** Short name; null when it is sealed and not published. */
  readonly branch: string | null;
  readonly commit: string | null;
  /** The files of the skill's folder that are text, SKILL.md first; paths relative to the folder. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Unified diff of the folder. */
  readonly diff: string | Missing;
  readonly findings: readonly ReportFinding[];
  readonly sealed: Sealed | Missing;
  /** Who else committed to the branch. */
  readonly foreignAuthor: string | null;
}

export interface ReportSession {
  readonly id: string;
  readonly agent: string;
  readonly model: string | null;
  readonly toolCallCount: number;
  readonly timeline: Timeline;
  /** Why there are no more than the turns that a proposal cites; what else is to be known of the transcript. */
  readonly notes: readonly string[];
}

export interface Timeline {
  /** False: put together from what the proposals cite. */
  readonly isWhole: boolean;
  readonly turnCount: number;
  readonly failedCallCount: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** In the order of the session; between them may be turns that are left out. */
  readonly turns: readonly TimelineTurn[];
  /** The whole session in at most REPORT_OVERVIEW_SLICES slices of turns. */
  readonly overview: readonly OverviewSlice[];
}

export interface OverviewSlice {
  /** Id of the slice's first turn. */
  readonly from: string;
  readonly succeeded: number;
  readonly failed: number;
}

export interface TimelineTurn {
  readonly id: string;
  /** Turns between the one before and this one that are left out. */
  readonly skipped: number;
  /** Null where only its id is known. */
  readonly role: "user" | "agent" | null;
  readonly at: string | null;
  readonly text: string;
  readonly subagent: string | null;
  readonly isRewound: boolean;
  readonly calls: readonly TimelineCall[];
  /** Calls of the turn that are left out. */
  readonly callsLeft: number;
  readonly marks: readonly Mark[];
}

export interface TimelineCall {
  readonly name: string;
  /** The command, the path, or the arguments as JSON. */
  readonly what: string;
  readonly outcome: "success" | "failure" | "cancelled" | "unknown";
  readonly exitCode: number | null;
  /** Only of a call that failed. */
  readonly result: string | null;
}

/**
 * Why a turn matters. `failure` and `fix`: of a command that failed and worked later; `change`: what
 * was changed in between; `correction`: the user steered; `step`: a command that a proposed skill names.
 */
export interface Mark {
  readonly kind: "failure" | "fix" | "change" | "correction" | "step";
  readonly words: string;
  /** For `step`: which skill, and its row of evidence (from 0). */
  readonly skill: string | null;
  readonly row: number | null;
}

export interface SkillbookHistory {
  readonly strategies: number;
  readonly active: number;
  /** Oldest first. */
  readonly months: readonly {
    readonly month: string;
    readonly helpful: number;
    readonly harmful: number;
    readonly neutral: number;
  }[];
  /** Those with marks, the most first. */
  readonly marks: readonly {
    readonly id: string;
    readonly words: string;
    readonly helpful: number;
    readonly harmful: number;
    readonly neutral: number;
  }[];
}

export const QUEUE_STATUSES = [
  "proposed",
  "nothing_to_save",
  "skipped",
  "refused",
  "failed",
] as const;

export interface QueueHistory {
  /** Sessions without an outcome so far. */
  readonly waiting: number;
  /** Oldest first; only days with an outcome. */
  readonly days: readonly {
    /** `2026-03-09`, UTC. */
    readonly day: string;
    readonly counts: Readonly<Record<(typeof QUEUE_STATUSES)[number], number>>;
  }[];
}

export function isMissing<T>(value: T | Missing): value is Missing {
  return typeof value === "object" && value !== null && "missing" in value;
}
