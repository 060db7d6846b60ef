/** What a report is about, gathered: proposals, the sessions behind them, the Skillbook, the queue. */
import { basename } from "node:path";
import type { Config } from "./core/config.ts";
import { SkillprError } from "./core/errors.ts";
import * as limits from "./core/limits.ts";
import type { Repository } from "./git/repository.ts";
import type { ReportData } from "./report/report-data.ts";
import { gatherQueue, gatherSkillbook } from "./report-history.ts";
import { gatherSealed, gatherWaiting, type ReportedProposals } from "./report-proposals.ts";
import { gatherSessions, type TranscriptsOf } from "./report-sessions.ts";

export interface ReportQuestion {
  readonly repository: Repository;
  readonly config: Pick<Config, "base" | "publish" | "rules" | "skillsRoot">;
  /** Skills whose proposals it is about; empty: all that are open. */
  readonly skills: readonly string[];
  /** A folder of sealed proposals instead of the branches. */
  readonly proposalDir: string | null;
  readonly transcripts: TranscriptsOf;
  /** Values that must appear nowhere. */
  readonly credentials: readonly string[];
  readonly now: Date;
}

/** @throws SkillprError `input` when a proposal that was named isn't there */
export async function gatherReport(question: ReportQuestion): Promise<ReportData> {
  const { repository, proposalDir, now } = question;
  const found: ReportedProposals =
    proposalDir === null
      ? await gatherWaiting(question)
      : await gatherSealed(question, proposalDir);
  const proposals = found.proposals.slice(0, limits.REPORT_PROPOSALS_MAX);
  return {
    generatedAt: now.toISOString(),
    repository: basename(repository.root ?? repository.commonDir.replace(/\/?\.git\/?$/, "")),
    proposals,
    leftOut: found.leftOut + found.proposals.length - proposals.length,
    sessions: await gatherSessions(question, proposals),
    skillbook: await gatherSkillbook(question).catch(asMissing),
    queue: gatherQueue(repository),
  };
}

/** A Skillbook that can't be read must not cost the rest of the report. */
function asMissing(error: unknown) {
  if (!(error instanceof SkillprError)) throw error;
  return { missing: `The Skillbook can’t be read: ${error.message}.` };
}
