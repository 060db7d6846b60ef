/** Outcome: what `review` answers for one transcript, in the shape that contract and scripts rely on. */

import { type ErrorCode, EXIT_REFUSED, exitCodeFor, type SkillprError } from "./core/errors.ts";
import { count } from "./core/text.ts";
import type { SkippedReason, Verdict } from "./gate/decide.ts";
import { reviewedPart } from "./gate/growth.ts";
import type { LedgerEntry } from "./gate/ledger.ts";
import type { Evidence, Proposal } from "./proposal/proposal.ts";
import type { Sealed } from "./proposal/seal.ts";
import type { Published } from "./publish/publish-proposals.ts";
import type { Usage } from "./review/reviewer.ts";
import type { Redactor } from "./secrets/redactor.ts";
import type { Operation } from "./skills/operation.ts";
import { SKILL_FILE_NAME } from "./skills/skill-path.ts";
import type { Session } from "./transcript/session.ts";
import { type Finding, hasError } from "./verify/finding.ts";

export type Status = "proposed" | "nothing_to_save" | "skipped" | "refused" | "failed";

export interface SessionSummary {
  readonly id: string;
  readonly agent: string;
  readonly toolCallCount: number;
  readonly issuedToolCallCount: number;
  readonly subagentToolCallCount: number;
  readonly skillsModified: boolean;
  /** `sha256:` and 64 hex digits, of the transcript's bytes. */
  readonly digest: string;
  /** How many places of the session were redacted, by type; absent before and when there were none. */
  readonly redactions?: Readonly<Record<string, number>>;
}

export interface ProposalResult {
  readonly skill: string;
  readonly branch: string;
  /** Null when nothing was committed: `--publish none`, a dry run, blocked. */
  readonly commit: string | null;
  readonly parent: string;
  readonly tree: string;
  readonly operation: "created" | "updated" | "unchanged" | "blocked";
  /** Unified diff of the skill's folder; only in a dry run. */
  readonly diff?: string;
  /** Why it is blocked, and what to do. */
  readonly reason?: string;
  readonly hint?: string;
  /** Present where a pull request was wanted and something is open. */
  readonly pullRequest?: PullRequestResult;
}

export interface PullRequestResult {
  /** Null where there is none (yet). */
  readonly number: number | null;
  /** Its page, or the one where a person opens it by hand. */
  readonly url: string | null;
  readonly operation: "created" | "updated" | "unchanged" | "blocked";
  /** The commit that its branch is at, where this run looked. */
  readonly commit?: string;
  /** A dry run looked, and did nothing: the operation is what publishing would do. */
  readonly isPlanned?: true;
  /** Why it is blocked, and what to do. */
  readonly reason?: string;
  readonly hint?: string;
}

/** What became of one transcript; the object that `skillpr review --json` prints. */
export interface Outcome {
  readonly status: Status;
  readonly skippedReason?: SkippedReason;
  /** One sentence for people: why it was skipped, or why there is nothing to save. */
  readonly detail?: string;
  /** Absent only when the transcript could not be read. */
  readonly session?: SessionSummary;
  readonly base?: { readonly ref: string | null; readonly commit: string };
  readonly operations: readonly {
    readonly type: Operation["type"];
    readonly skill_id: string;
    readonly path: string;
  }[];
  readonly proposals: readonly ProposalResult[];
  readonly findings: readonly Finding[];
  readonly evidence: readonly Evidence[];
  readonly usage?: Usage;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly hint: string };
}

/** What is said of a session before it is redacted as a whole: its id may hold anything. */
export async function summarize(
  session: Session,
  skillsModified: boolean,
  redactor: Redactor,
): Promise<SessionSummary> {
  const [id = ""] = await redactor.redact([session.id]);
  return {
    id,
    agent: session.agent,
    toolCallCount: session.toolCallCount,
    issuedToolCallCount: session.issuedToolCallCount,
    subagentToolCallCount: session.subagentToolCallCount,
    skillsModified,
    digest: session.digest,
  };
}

/** The summary with what was redacted: counts by type, never a value. */
export function withRedactions(summary: SessionSummary, redactor: Redactor): SessionSummary {
  const redactions = redactor.counts();
  return Object.keys(redactions).length === 0 ? summary : { ...summary, redactions };
}

/** The session as a Proposal carries it. */
export function sealedSession(session: Session): Proposal["session"] {
  const { id, agent, agentVersion, model, digest, toolCallCount } = session;
  const part = reviewedPart(session);
  return {
    ...{ id, agent, agentVersion, model, digest, toolCallCount },
    ...(part !== undefined && { reviewed: { turns: part.turns, before: part.before } }),
  };
}

/** No result of any kind. */
export const NOTHING = { operations: [], proposals: [], findings: [], evidence: [] } as const;

export async function skipped(
  verdict: Extract<Verdict, { status: "skipped" }>,
  redactor: Redactor,
): Promise<Outcome> {
  const [detail = ""] = await redactor.redact([verdict.detail]);
  return { ...verdict, detail, ...NOTHING };
}

export function failed(error: SkillprError): Outcome {
  const { code, message, hint } = error;
  return { status: "failed", ...NOTHING, error: { code, message, hint } };
}

/** Nothing was written, or the verifier refused what was. */
export function unpublished(
  findings: readonly Finding[],
  usage: Usage,
  silence: string | null | undefined,
): Outcome {
  if (hasError(findings)) return { status: "refused", ...NOTHING, findings, usage };
  const detail = silence === undefined || silence === null ? {} : { detail: silence };
  return { status: "nothing_to_save", ...detail, ...NOTHING, findings, usage };
}

/** What became of the sealed proposals. */
export function published(
  results: readonly Published[],
  sealed: Pick<Sealed, "findings" | "diffs">,
  usage?: Usage,
): Outcome {
  const refusals = results.flatMap(({ receipt, pullRequest }) =>
    [receipt, pullRequest].flatMap((one) => (one?.status === "refused" ? one.findings : [])),
  );
  const failure = failureIn(results);
  const proposals = results.map(({ proposal }) => proposal);
  return {
    status: refusals.length > 0 ? "refused" : "proposed",
    operations: proposals.map((proposal) => ({
      type: proposal.operation,
      skill_id: proposal.skill,
      path: `${proposal.skillsRoot}/${proposal.skill}/${SKILL_FILE_NAME}`,
    })),
    proposals: results.flatMap((result) =>
      toResult(result, sealed.diffs.get(result.proposal.skill)),
    ),
    findings: [...sealed.findings, ...refusals, ...warningsOf(results, sealed.findings)],
    evidence: proposals.flatMap((proposal) => proposal.evidence),
    ...(usage && { usage }),
    ...(failure !== null && { error: failure }),
  };
}

/** The first pull request that failed: its proposal is safe on its branch, and the next run tries again. */
function failureIn(results: readonly Published[]): NonNullable<Outcome["error"]> | null {
  for (const { pullRequest } of results) {
    if (pullRequest?.status !== "failed") continue;
    const { code, message, hint } = pullRequest.error;
    return { code, message, hint };
  }
  return null;
}

/** What the second verification warns of and the first did not say. */
function warningsOf(results: readonly Published[], known: readonly Finding[]): Finding[] {
  const said = new Set(known.map((finding) => JSON.stringify(finding)));
  const again = results.flatMap(({ receipt, pullRequest }) =>
    [receipt, pullRequest].flatMap((one) => (one?.status === "done" ? one.findings : [])),
  );
  return again.filter((finding) => {
    const text = JSON.stringify(finding);
    const isNew = !said.has(text);
    said.add(text);
    return isNew;
  });
}

function toResult({ proposal, receipt, pullRequest }: Published, diff?: string): ProposalResult[] {
  if (receipt.status === "refused") return [];
  const { skill, tree } = proposal;
  const opened = pullRequest === undefined ? null : toPullRequestResult(pullRequest);
  const common = {
    ...{ skill, branch: receipt.branch, tree },
    ...(diff !== undefined && { diff }),
    ...(opened !== null && { pullRequest: opened }),
  };
  if (receipt.status === "done") {
    const { commit, parent, operation } = receipt;
    return [{ ...common, commit, parent, operation }];
  }
  const { reason, hint } = receipt;
  return [{ ...common, commit: null, parent: proposal.parent, operation: "blocked", reason, hint }];
}

function toPullRequestResult(
  receipt: NonNullable<Published["pullRequest"]>,
): PullRequestResult | null {
  switch (receipt.status) {
    case "done": {
      const { operation, pullRequest, commit } = receipt;
      if (pullRequest === null) return null;
      const { number, url } = pullRequest;
      return { number, url, operation, ...(commit !== null && { commit }) };
    }
    case "planned": {
      const { operation, pullRequest } = receipt;
      const { number = null, url = null } = pullRequest ?? {};
      return { number, url, operation, isPlanned: true };
    }
    case "blocked": {
      const { reason, hint, url, pullRequest } = receipt;
      return { number: pullRequest?.number ?? null, url, operation: "blocked", reason, hint };
    }
    case "failed": {
      const { message: reason, hint } = receipt.error;
      return { number: null, url: null, operation: "blocked", reason, hint };
    }
    case "refused":
      return null;
  }
}

/** What the review itself has to say of its result. */
export function reviewFindings(usage: Usage): Finding[] {
  if (!usage.incomplete) return [];
  return [
    {
      rule: "review.incomplete",
      level: "warning",
      path: null,
      line: null,
      message: `the review was ended by its limit of ${count(usage.turns, "round")}; what it had written by then is here`,
      hint: "read it with that in mind, or review again with --force and more --max-turns",
    },
  ];
}

/** The trace that a finished review leaves. */
export function ledgerEntry(
  session: Session,
  summary: SessionSummary,
  outcome: Outcome,
): LedgerEntry {
  const { id: sessionId, agent, digest } = summary;
  const { status } = outcome;
  if (status === "failed" || status === "skipped") throw new Error(`${status} is not recorded`);
  // The folders: of the Skillbook's operations, all are about one.
  const folders = outcome.operations.map(({ path }) => path.split("/").at(-2) ?? "");
  const skills = [...new Set(folders)];
  const reviewed = reviewedPart(session);
  return { digest, sessionId, agent, status, skills, at: new Date().toISOString(), reviewed };
}

/** Exit code of one outcome: 0 done or nothing to do, 1 bad input, 2 refused, 3 something outside failed. */
export function exitCodeOf(outcome: Pick<Outcome, "status" | "error">): number {
  if (outcome.status === "refused") return EXIT_REFUSED;
  return outcome.error === undefined ? 0 : exitCodeFor(outcome.error.code);
}
