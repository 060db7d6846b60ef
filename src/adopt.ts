/**
 * The story of skills that an agent already wrote in place: each folder is read where it lies,
 * copied into a workspace, and goes the road of every review from there: sealed, verified, published
 * to a branch of its own. The files stay where they are.
 */
import { join } from "node:path";
import * as adoption from "./adoption.ts";
import type { Config } from "./core/config.ts";
import { SkillprError, systemFailure } from "./core/errors.ts";
import * as limits from "./core/limits.ts";
import { cut, safeLine } from "./core/text.ts";
import { type LedgerEntry, noteReviewed, openLedger } from "./gate/ledger.ts";
import { resolveAcceptedBase } from "./git/accepted-base.ts";
import {
  folderProblem,
  type InPlaceContent,
  type InPlaceFolder,
  readInPlaceFolder,
} from "./git/in-place-folders.ts";
import { ObjectReader } from "./git/objects.ts";
import { type Base, type Repository, stateDir } from "./git/repository.ts";
import { openWorkspace, pruneWorkspaces, putFolder, type Workspace } from "./git/workspace.ts";
import { otherOfName, whatIsKnown } from "./known-skill.ts";
import { published } from "./outcome.ts";
import { seal } from "./proposal/seal.ts";
import { listDeclined } from "./publish/declined.ts";
import { isOpen, listProposalBranches, overlaysOf, tipsOf } from "./publish/open-proposals.ts";
import { publishProposals } from "./publish/publish-proposals.ts";
import { isBlocked } from "./publish/publish-to-branch.ts";
import { createRedactor } from "./secrets/redactor.ts";
import { hasError } from "./verify/finding.ts";
import { withoutReview, withoutSession } from "./without-session.ts";

export interface AdoptRun {
  readonly repository: Repository;
  readonly config: Pick<Config, "base" | "rules" | "skillsRoot">;
  /** Values that must appear nowhere: the process's own credentials. */
  readonly credentials: readonly string[];
  /** templates/adopt-commit-message.txt */
  readonly messageTemplate: string;
  /** Everything but the branch; leaves no trace. */
  readonly dryRun: boolean;
  /** Told what is happening, one short phrase per step. */
  readonly onStep: (step: string) => void;
  /** Told what a person may want to know besides the outcome. */
  readonly onNote: (note: string) => void;
}

/** One folder to adopt. */
export interface WantedFolder extends InPlaceFolder {
  /** A person named it: then it is adopted again although it was before. */
  readonly isNamed: boolean;
}

/** Adopts each folder for itself: what is refused or fails doesn't keep the others. Only a bug is thrown. */
export async function adopt(
  wanted: readonly WantedFolder[],
  run: AdoptRun,
): Promise<adoption.Adoption[]> {
  const { repository, config } = run;
  const base = await resolveAcceptedBase(repository, config.base, config.skillsRoot);
  await pruneWorkspaces(repository, { onNote: run.onNote });
  const done: adoption.Adoption[] = [];
  for (const place of wanted) {
    run.onStep(`adopting ${place.path}`);
    try {
      done.push(sameName(place, done) ?? (await adoptFolder(place, base, run)));
    } catch (error) {
      const failure = error instanceof SkillprError ? error : systemFailure(error);
      if (failure === null) throw error;
      done.push(adoption.failedWith(place, failure));
    }
  }
  return done;
}

/** Two folders of one name would take turns on one branch: the first has it, unless a person names the other. */
function sameName(
  place: WantedFolder,
  done: readonly adoption.Adoption[],
): adoption.Adoption | null {
  const holds = ({ status, skippedReason }: adoption.Adoption) =>
    status === "proposed" ||
    skippedReason === "already_proposed" ||
    skippedReason === "already_accepted";
  const first = done.find((one) => one.skill === place.folder && holds(one));
  if (first === undefined || place.isNamed) return null;
  const detail = `${first.folder} has the same name and comes first; name this folder to adopt it all the same`;
  return adoption.skippedAs(place, "same_name", detail);
}

async function adoptFolder(
  place: WantedFolder,
  base: Base,
  run: AdoptRun,
): Promise<adoption.Adoption> {
  const content = readInPlace(place, run.repository);
  if (adoption.isPersonal(content)) {
    return place.isNamed
      ? adoption.refusedFor(place, [adoption.markerMissing(place)])
      : adoption.skippedAs(place, "not_auto_skill", "it carries no marker, so it is a person's");
  }
  const unfit = adoption.findingsInPlace(place, content);
  if (unfit.length > 0) return adoption.refusedFor(place, unfit);
  for (let tries = 1; ; tries++) {
    const adopted = await proposeFolder(place, content, base, run);
    if (!adopted.isStale || tries === limits.REVIEW_TRIES) return adopted.outcome;
  }
}

/** @throws SkillprError `input` when the place is no folder any more */
function readInPlace({ path }: WantedFolder, { root }: Repository): InPlaceContent {
  if (root === null) throw new Error("a bare repository has nothing in place");
  const content = folderProblem(root, path) === null ? readInPlaceFolder(root, path) : null;
  // Once more: what lies above it may have been replaced while it was read.
  const problem = folderProblem(root, path);
  if (content !== null && problem === null) return content;
  throw new SkillprError(
    "input",
    `${safeLine(path)} ${problem === "absent" ? "is not there" : (problem ?? "was replaced while it was read")}`,
    "name a folder of the work tree that holds a SKILL.md",
  );
}

interface Adopted {
  readonly outcome: adoption.Adoption;
  /** Another process moved the branch meanwhile. */
  readonly isStale: boolean;
}

/** Looks at what is known of the skill, then proposes it. */
async function proposeFolder(
  place: WantedFolder,
  content: InPlaceContent,
  base: Base,
  run: AdoptRun,
): Promise<Adopted> {
  const { repository, config } = run;
  const { skillsRoot } = config;
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const branches = await listProposalBranches({ repository, reader, base, skillsRoot });
  const declined = await listDeclined(stateDir(repository));
  const branch = branches.find(({ skill }) => skill === place.folder);
  const ledger = openLedger(join(stateDir(repository), "reviewed"));
  const digest = adoption.adoptionDigest(place.folder, content);
  const seen = { place, content, base, branch, declined, reader, skillsRoot };
  const known =
    (await whatIsKnown(seen)) ??
    (!place.isNamed && (await ledger.find(digest)) !== null
      ? adoption.skippedAs(
          place,
          "already_proposed",
          "this was proposed from here before; name the folder to propose it again",
        )
      : null);
  if (known !== null) return { outcome: known, isStale: false };

  const open = branches.filter(isOpen);
  const { overlays } = await overlaysOf(reader, open);
  await using workspace = await openWorkspace(repository, { base, skillsRoot, overlays });
  const taken = otherOfName(place, content, workspace, skillsRoot);
  if (taken !== null) return { outcome: taken, isStale: false };
  await putFolder(workspace, place.folder, content.files);
  const sealed = await sealCopy({ place, digest, workspace, base, openTips: tipsOf(open), run });
  if (sealed.proposals.length === 0) {
    const is = branch !== undefined && isOpen(branch) ? "already_proposed" : "already_accepted";
    const outcome = hasError(sealed.findings)
      ? adoption.refusedFor(place, sealed.findings)
      : adoption.skippedAs(place, is, "all of it is there");
    return { outcome, isStale: false };
  }
  const { messageTemplate, dryRun: isDryRun } = run;
  const levels = config.rules;
  const target = { repository, base, declined, messageTemplate, levels, isDryRun };
  const results = await publishProposals(sealed.proposals, target);
  const outcome = adoption.adoptedAs(place, published(results, sealed));
  const isDone = results.every(({ receipt }) => receipt.status === "done");
  if (isDone && !isDryRun) await noteReviewed(ledger, entryOf(place, digest), run);
  return { outcome, isStale: results.some(({ receipt }) => isBlocked(receipt, "stale")) };
}

async function sealCopy(copy: {
  readonly place: WantedFolder;
  readonly digest: string;
  readonly workspace: Workspace;
  readonly base: Base;
  readonly openTips: ReturnType<typeof tipsOf>;
  readonly run: AdoptRun;
}) {
  const { place, digest, workspace, base, openTips, run } = copy;
  const redactor = createRedactor({ credentials: run.credentials });
  const redact = async (text: string) => (await redactor.redact([text]))[0] ?? "";
  const from = cut(safeLine(await redact(place.path)), limits.QUOTE_MAX_CHARS);
  return seal({
    repository: run.repository,
    workspace,
    skillsRoot: run.config.skillsRoot,
    base,
    openTips,
    session: withoutSession({ id: from, agent: IN_PLACE, digest }),
    usage: withoutReview("adopt"),
    why: new Map([
      [
        place.folder,
        `An agent wrote this in place, in ${from}. It was adopted without its session: nothing shows what was seen to work.`,
      ],
    ]),
    observed: null,
    redact,
    extras: { levels: run.config.rules },
    sessionTexts: null,
    reviewFindings: [],
    withDiffs: run.dryRun,
  });
}

/** Stands where an agent's name does: the folder doesn't say who wrote it. */
const IN_PLACE = "in-place";

function entryOf({ path, folder }: WantedFolder, digest: string): LedgerEntry {
  const at = new Date().toISOString();
  return { digest, sessionId: path, agent: IN_PLACE, status: "proposed", skills: [folder], at };
}
