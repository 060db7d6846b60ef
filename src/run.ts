import type { Config } from "./core/config.ts";
import { realPath } from "./core/real-path.ts";
import type { CountsSince } from "./gate/decide.ts";
import type { Repository } from "./git/repository.ts";
import type { Outcome } from "./outcome.ts";
import type { PullRequests } from "./publish/pull-requests.ts";
import type { Reviewer } from "./review/reviewer.ts";
import type { SkillbookReviewer } from "./review/skillbook/skillbook-reviewer.ts";
import type { SkillSummary } from "./skills/skill-summary.ts";
import type { Session } from "./transcript/session.ts";
import { type SkillWrite, skillWrites } from "./transcript/skill-writes.ts";

/** What review() is given: how, where, by whom, and whom to tell. */
export interface Run {
  readonly config: Config;
  readonly repository: Repository;
  readonly reviewer: Reviewer | SkillbookReviewer;
  /** Values that must appear nowhere: the process's own credentials. */
  readonly credentials: readonly string[];
  /** templates/commit-message.txt */
  readonly messageTemplate: string;
  /** Absent: what is published stays on local branches. */
  readonly pullRequests?: PullRequests | undefined;
  /** Skip the gate, never the verifier. */
  readonly force: boolean;
  /** What the threshold counts of a session that was reviewed and grew; default: all of it. */
  readonly countsSince?: CountsSince;
  /** Everything but the branch; leaves no trace in the ledger. */
  readonly dryRun: boolean;
  /** Also write the sealed proposals there. */
  readonly outDir: string | null;
  readonly signal: AbortSignal;
  /** Told what is happening, one short phrase per step. */
  readonly onStep: (step: string) => void;
  /** Told what a person may want to know besides the outcome. */
  readonly onNote: (note: string) => void;
  /** What people said about open proposals, by skill, where the review can't look itself. */
  readonly said?: ReadonlyMap<string, readonly string[]>;
  /** The user's own skills, whose names a new skill would hide. */
  readonly userSkills?: readonly Pick<SkillSummary, "name" | "path">[];
}

/** Whether the outcome counts as done: a dry run leaves no trace, and what went nowhere is not done with. */
export function isKept(
  { dryRun, config, outDir }: Omit<Run, "reviewer">,
  { status }: Outcome,
): boolean {
  return !dryRun && (status !== "proposed" || config.publish !== "none" || outDir !== null);
}

/** What a session wrote under the skills root, here or in a checkout of its own. */
export function writesOf(
  session: Session,
  { config, repository }: Omit<Run, "reviewer">,
): SkillWrite[] {
  const projectRoots = [repository.root ?? repository.commonDir];
  const { skillsRoot } = config;
  return skillWrites(session, { skillsRoot, projectRoots, realpath: realPath });
}
