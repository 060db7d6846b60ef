/**
 * Seals a review: reads what lies in the workspace once, verifies exactly those bytes, and makes
 * one Proposal per changed skill folder. An error anywhere refuses all of it; what is refused
 * never enters the repository's object store.
 */
import * as limits from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";
import { diffText } from "../git/diff-text.ts";
import { ObjectReader, writeObjects } from "../git/objects.ts";
import type { Repository } from "../git/repository.ts";
import { replaceFolder } from "../git/skills-tree.ts";
import type { Workspace } from "../git/workspace.ts";
import { isSkillName } from "../skills/skill-name.ts";
import type { Change } from "../verify/change.ts";
import { type Finding, hasError } from "../verify/finding.ts";
import { verify } from "../verify/verify.ts";
import { collectEvidence } from "./evidence.ts";
import { buildFolderTree, type GitObject } from "./folder-tree.ts";
import { PROPOSAL_VERSION, type Proposal, parseProposal } from "./proposal.ts";
import { type ChangedFolder, changedFiles, readCandidate } from "./read-candidate.ts";
import { type Redact, secretFindings } from "./secret-findings.ts";
import { type SessionTexts, sessionGrounds } from "./session-grounds.ts";
import { NO_SIGNALS, type Observations, selectSignals } from "./signals.ts";
import { type VerifyExtras, verifyTrees } from "./verify-trees.ts";

export interface SealInput {
  readonly repository: Repository;
  readonly workspace: Workspace;
  readonly skillsRoot: string;
  readonly base: { readonly ref: string | null; readonly commit: string; readonly tree: string };
  /** Where a folder with an open proposal goes on: its branch's tip. */
  readonly openTips: ReadonlyMap<string, { readonly commit: string; readonly tree: string }>;
  readonly session: Proposal["session"];
  readonly usage: Proposal["usage"];
  /** Tips whose changes were made again on the base, by folder; see Proposal.continues. */
  readonly continued?: ReadonlyMap<string, string>;
  /** Why each skill was learned, by folder. */
  readonly why: ReadonlyMap<string, string>;
  /** Null where there is no session to look into: then there is neither evidence nor a signal. */
  readonly observed: Observations | null;
  readonly redact: Redact;
  /** What the verifier is told beside the trees. */
  readonly extras?: VerifyExtras;
  /** Where what the skills name is looked up; null where there is no session. */
  readonly sessionTexts: SessionTexts | null;
  /** Warnings of the review itself; each proposal carries them. */
  readonly reviewFindings: readonly Finding[];
  /** Also make the diffs: a dry run prints them, everybody else reads the branch. */
  readonly withDiffs: boolean;
}

export interface Sealed {
  /** Empty when nothing changed or when a finding is an error. */
  readonly proposals: readonly Proposal[];
  readonly findings: readonly Finding[];
  /** Unified diff of each skill's folder, by skill; empty unless asked for. */
  readonly diffs: ReadonlyMap<string, string>;
}

/** @throws SkillprError `input` when the workspace is beyond what may be walked */
export async function seal(input: SealInput): Promise<Sealed> {
  const { repository, workspace, skillsRoot } = input;
  const candidate = await readCandidate(workspace, skillsRoot, repository.objectFormat);
  const changed = changedFiles(candidate, skillsRoot);
  const extras = { ...input.extras, ...(await sessionGrounds(changed, input.sessionTexts)) };
  const verified = verify({ ...candidate, skillsRoot, profile: "proposal", ...extras });
  const overall = [
    ...verified,
    ...candidate.folders.flatMap(({ name }) => nameFindings(name, skillsRoot)),
    ...(await secretFindings(changed, input.redact, verified, extras.levels)),
  ];
  if (hasError(overall)) {
    const findings = [...input.reviewFindings, ...overall];
    return { proposals: [], findings, diffs: new Map() };
  }

  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const proposals: Proposal[] = [];
  const findings = new Map<string, Finding>();
  const diffs = new Map<string, string>();
  for (const finding of [...input.reviewFindings, ...overall])
    findings.set(JSON.stringify(finding), finding);
  for (const folder of candidate.folders) {
    const verified = await sealFolder({ ...input, extras }, reader, folder);
    for (const finding of verified.findings) findings.set(JSON.stringify(finding), finding);
    // What can't be read again must not be written: a host's own reviewer may hand us anything.
    proposals.push(
      parseProposal(toProposal(input, folder, verified), `the proposal for ${folder.name}`),
    );
    if (verified.diff !== null) diffs.set(folder.name, verified.diff);
  }
  const all = [...findings.values()];
  return { proposals: hasError(all) ? [] : proposals, findings: all, diffs };
}

/** A proposal's branch is named after the folder, so its name must be one that a branch can have. */
function nameFindings(name: string, skillsRoot: string): Finding[] {
  if (isSkillName(name)) return [];
  return [
    {
      rule: "structure.name",
      level: "error",
      path: `${skillsRoot}/${name}`,
      line: null,
      message: `\`${safeLine(name)}\` is no name for a skill's folder that can be proposed on a branch.`,
      hint: "Use lower-case letters, digits and single hyphens; write a new skill instead of this one.",
    },
  ];
}

interface SealedFolder {
  readonly parent: { readonly commit: string; readonly tree: string };
  readonly tree: string;
  readonly changes: readonly Change[];
  readonly findings: readonly Finding[];
  readonly diff: string | null;
}

/** Builds the folder on its actual parent in the quarantine, and verifies tree against tree. */
async function sealFolder(
  { repository, workspace, skillsRoot, base, openTips, withDiffs, extras = {} }: SealInput,
  reader: ObjectReader,
  folder: ChangedFolder,
): Promise<SealedFolder> {
  const parent = openTips.get(folder.name) ?? base;
  const built = buildFolderTree(folder.files, repository.objectFormat);
  const root = await replaceFolder(reader, parent.tree, `${skillsRoot}/${folder.name}`, built.tree);
  const blobs = folder.changed.map(({ id, bytes }): GitObject => ({ type: "blob", id, bytes }));
  const git = workspace.quarantine.gitFor(repository);
  await writeObjects(git, [...blobs, ...built.objects, ...root.objects]);
  await using quarantined = new ObjectReader(git, repository.objectFormat);
  const verification = await verifyTrees({
    git,
    reader: quarantined,
    skillsRoot,
    profile: "proposal",
    parentTree: parent.tree,
    newTree: root.tree,
    extras,
  });
  const diff = withDiffs ? await diffText(git, parent.tree, root.tree) : null;
  return { parent, tree: built.tree, ...verification, diff };
}

function continuedTip({ continued }: SealInput, folder: string): { continues?: string } {
  const continues = continued?.get(folder);
  return continues === undefined ? {} : { continues };
}

function toProposal(input: SealInput, folder: ChangedFolder, verified: SealedFolder): Proposal {
  // Verified as UTF-8 before: decoding loses nothing.
  const files = folder.changed.map(({ path, bytes }) => ({
    path,
    content: Buffer.from(bytes).toString("utf8"),
  }));
  const body = files.map(({ content }) => content).join("\n");
  const { observed } = input;
  return {
    version: PROPOSAL_VERSION,
    skill: folder.name,
    skillsRoot: input.skillsRoot,
    operation: folder.isNew ? "ADD" : "UPDATE",
    base: { ref: input.base.ref, commit: input.base.commit },
    parent: verified.parent.commit,
    ...continuedTip(input, folder.name),
    tree: verified.tree,
    files,
    session: input.session,
    why: cut(input.why.get(folder.name) ?? "", limits.PROPOSAL_WHY_MAX_CHARS),
    signals: observed === null ? NO_SIGNALS : selectSignals(body, observed.signals),
    evidence: observed === null ? [] : collectEvidence(folder.name, body, observed.runs),
    findings: [...input.reviewFindings, ...verified.findings].filter(
      ({ level }) => level === "warning",
    ),
    usage: input.usage,
  };
}
