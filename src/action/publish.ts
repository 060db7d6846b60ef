/** `command: publish`: sealed proposals in, branches and pull requests out; holds a token, believes nothing it is given. */
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { SkillprError } from "../core/errors.ts";
import { exitCodeOf, failed, type Outcome, type ProposalResult } from "../outcome.ts";
import { type PublishedArtifacts, publishArtifacts } from "../publish-artifacts.ts";
import { readTemplate } from "../templates.ts";
import { type ActionResult, type ActionRun, actionResult, openCheckout } from "./action-run.ts";
import { clearDone, pullRequestsIn, setStatuses } from "./github-access.ts";
import { OUTCOMES_FILE, type OutcomeRow, readOutcomes } from "./outcome-rows.ts";
import { adviceOf, gravest, recall } from "./review.ts";
import { log, notice } from "./runner.ts";

export async function runPublish(run: ActionRun): Promise<ActionResult> {
  const { inputs, workspace } = run;
  const dir = resolve(workspace, inputs.proposalDir);
  if (!existsSync(dir)) {
    const nothing = `There is no folder ${inputs.proposalDir}: no reviewing job handed anything over.`;
    notice(nothing);
    return actionResult({ advice: [nothing] });
  }
  const place = await openCheckout(run, { ...inputs.flags, publish: inputs.publish });
  await recall(place);
  const artifacts = await publishArtifacts(place, dir, {
    messageTemplate: readTemplate("commit-message.txt"),
    pullRequests: await pullRequestsIn(run, place),
    otherName: OUTCOMES_FILE,
  });
  const rows = settled(await claimedRows(artifacts.others), artifacts);
  for (const { transcript, status, reason } of rows)
    log(`${transcript}: ${status}${reason === null ? "" : ` (${reason})`}`);
  const result = publishResult(artifacts, rows, workspace);
  await setStatuses(run, place, result.proposals);
  if (inputs.isInbox) await clearDone(run, place, doneWith(rows, result.proposals));
  return result;
}

async function claimedRows(files: readonly string[]): Promise<OutcomeRow[]> {
  const rows: OutcomeRow[] = [];
  for (const file of files) rows.push(...((await readOutcomes(file)) ?? []));
  return rows;
}

const MISSING = "its proposal was not handed over, or could not be used";

/** What the reviewing jobs say of their transcripts, with what became of it here. */
function settled(rows: readonly OutcomeRow[], artifacts: PublishedArtifacts): OutcomeRow[] {
  return rows.map((row) => {
    if (row.status !== "proposed") return row;
    const mine = ({ proposal }: { proposal: { session: { digest: string } } }) =>
      proposal.session.digest === row.digest;
    const own = artifacts.published.filter(mine);
    const joined = artifacts.joined.find(mine);
    const conflict = artifacts.conflicts.find(mine);
    const bad = own.find(({ outcome }) => outcome.status !== "proposed");
    if (conflict !== undefined) {
      const { skill, session } = conflict.kept;
      return {
        ...row,
        reason: `not published: ${conflict.why}; session ${session.id} has ${skill}`,
        hint: "review this transcript again once that proposal is decided",
      };
    }
    if (bad !== undefined) {
      const { status, error, findings, detail } = bad.outcome;
      const refusal = findings.find(({ level }) => level === "error");
      return { ...row, status, reason: error?.message ?? refusal?.message ?? detail ?? null };
    }
    if (own.length > 0) return row;
    if (joined !== undefined)
      return { ...row, skills: [joined.kept.skill], reason: "joined to the same skill" };
    return { ...row, status: "failed", reason: MISSING };
  });
}

/** Transcripts that nobody needs again: reviewed, and what came of it is on GitHub. */
function doneWith(rows: readonly OutcomeRow[], proposals: readonly ProposalResult[]): string[] {
  const held = new Set(
    proposals
      .filter(({ operation, pullRequest }) => (pullRequest?.operation ?? operation) === "blocked")
      .map(({ skill }) => skill),
  );
  const isDone = ({ status, hint, skills }: OutcomeRow) =>
    status !== "failed" &&
    (status !== "proposed" || (hint === null && !skills.some((one) => held.has(one))));
  return rows.filter(isDone).map(({ transcript }) => transcript);
}

function publishResult(
  { published, unusable, joined, conflicts }: PublishedArtifacts,
  rows: readonly OutcomeRow[],
  workspace: string,
): ActionResult {
  const missing = rows
    .filter(({ reason }) => reason === MISSING)
    .map(({ transcript }) =>
      failed(new SkillprError("input", `${transcript}: ${MISSING}`, "review it again")),
    );
  const outcomes: Outcome[] = [...published, ...unusable].map(({ outcome }) => outcome);
  outcomes.push(...missing);
  const files = unusable.map(({ file, outcome }) => {
    const shown = relative(workspace, file);
    return `${shown.startsWith("..") ? file : shown}: ${outcome.error?.message ?? ""}`;
  });
  const apart = conflicts.map(({ proposal, kept, why }) => {
    const { skill, session } = proposal;
    return `${skill} of session ${session.id} is not published, because session ${kept.session.id} has ${kept.skill} and ${why}: review it again once that one is decided.`;
  });
  for (const line of files) log(`refused: ${line}`);
  if (joined.length > 0) log(`${joined.length} proposals joined to others of the same skill`);
  return actionResult({
    outcome: outcomes.length === 0 ? "nothing_to_save" : gravest(outcomes),
    rows,
    proposals: outcomes.flatMap(({ proposals }) => proposals),
    findings: outcomes.flatMap(({ findings }) => findings),
    advice: [...new Set([...outcomes.flatMap(adviceOf), ...apart])],
    exitCode: Math.max(0, ...outcomes.map(exitCodeOf)),
  });
}
