/** The proposals of a report: those that wait on branches, or sealed ones in a folder. */
import type { Config } from "./core/config.ts";
import { SkillprError } from "./core/errors.ts";
import * as limits from "./core/limits.ts";
import { lineDiff } from "./core/line-diff.ts";
import { ObjectReader } from "./git/objects.ts";
import { shortRef } from "./git/refs.ts";
import type { Repository } from "./git/repository.ts";
import { listTree } from "./git/skills-tree.ts";
import type { Proposal } from "./proposal/proposal.ts";
import { collectProposals } from "./proposal/proposal-files.ts";
import { listProposals, type ShownProposal, showProposal } from "./proposals.ts";
import type { Missing, ReportProposal } from "./report/report-data.ts";
import { SKILL_FILE_NAME } from "./skills/skill-path.ts";

interface Question {
  readonly repository: Repository;
  readonly config: Pick<Config, "base" | "publish" | "rules" | "skillsRoot">;
  readonly skills: readonly string[];
}

export interface ReportedProposals {
  readonly proposals: readonly ReportProposal[];
  readonly leftOut: number;
}

/** @throws SkillprError `input` when there is no open proposal of a name */
export async function gatherWaiting(question: Question): Promise<ReportedProposals> {
  const { repository, config, skills } = question;
  const names =
    skills.length > 0 ? skills : (await listProposals(question)).map(({ skill }) => skill);
  const most = names.slice(0, limits.REPORT_PROPOSALS_MAX);
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const proposals: ReportProposal[] = [];
  for (const name of most)
    proposals.push(await waiting(await showProposal(question, name), config.skillsRoot, reader));
  return { proposals, leftOut: names.length - most.length };
}

async function waiting(
  { branch, diff, findings, proposal }: ShownProposal,
  skillsRoot: string,
  reader: ObjectReader,
): Promise<ReportProposal> {
  const folder = `${skillsRoot}/${branch.skill}`;
  const { forkPoint, folderTree } = branch;
  const before =
    forkPoint === null ? null : await reader.treeAt((await reader.commit(forkPoint)).tree, folder);
  return {
    skill: branch.skill,
    folder,
    operation: before === null ? "ADD" : "UPDATE",
    branch: shortRef(branch.ref),
    commit: branch.tip,
    files: folderTree === null ? [] : await textFiles(reader, folderTree),
    diff,
    findings,
    sealed: proposal ?? { missing: "Not known here: this was proposed in another clone." },
    foreignAuthor: branch.foreign?.author.name ?? null,
  };
}

/** What a person can read of a folder, SKILL.md first. */
async function textFiles(reader: ObjectReader, tree: string): Promise<ReportProposal["files"]> {
  const listed = (await listTree(reader, tree, "")).filter(({ mode }) => mode === "100644");
  const files: { path: string; text: string }[] = [];
  for (const { path, id } of listed.slice(0, limits.SKILL_MAX_FILES)) {
    const text = await textOf(reader, id);
    if (text !== null) files.push({ path, text });
  }
  return files.sort((a, b) => rank(a.path) - rank(b.path));
}

function rank(path: string): number {
  return path === SKILL_FILE_NAME ? 0 : 1;
}

async function textOf(reader: ObjectReader, id: string): Promise<string | null> {
  const bytes = await reader.blob(id, limits.SKILLBOOK_FILE_MAX_BYTES);
  return bytes === null || bytes.includes(0) ? null : Buffer.from(bytes).toString("utf8");
}

/**
 * What reviews wrote into a folder, damaged ones passed over: nothing of it is published here.
 * @throws SkillprError `input` when the folder can't be read, or holds none of the skills that were named
 */
export async function gatherSealed(question: Question, dir: string): Promise<ReportedProposals> {
  const { repository, skills } = question;
  const { proposals } = await collectProposals(dir);
  const wanted = proposals.filter(({ skill }) => skills.length === 0 || skills.includes(skill));
  if (wanted.length === 0 && skills.length > 0)
    throw new SkillprError(
      "input",
      `${dir} holds no proposal of ${skills.join(", ")}`,
      "name the folder that `skillpr review --out` wrote, and a skill in it",
    );
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const most = wanted.slice(0, limits.REPORT_PROPOSALS_MAX);
  const reported: ReportProposal[] = [];
  for (const proposal of most) reported.push(await ofSealed(proposal, reader));
  return { proposals: reported, leftOut: wanted.length - most.length };
}

async function ofSealed(proposal: Proposal, reader: ObjectReader): Promise<ReportProposal> {
  const { skill, skillsRoot, operation, files, findings } = proposal;
  const folder = `${skillsRoot}/${skill}`;
  return {
    skill,
    folder,
    operation,
    branch: null,
    commit: null,
    files: files
      .map(({ path, content }) => ({ path, text: content }))
      .sort((a, b) => rank(a.path) - rank(b.path)),
    diff: await sealedDiff(proposal, folder, reader),
    findings,
    sealed: proposal,
    foreignAuthor: null,
  };
}

/** Against the parent that it names; where this clone doesn't have it, a changed file has no diff. */
async function sealedDiff(
  { parent, files, operation }: Proposal,
  folder: string,
  reader: ObjectReader,
): Promise<string | Missing> {
  const isHere = (await reader.info(parent))?.type === "commit";
  if (!isHere && operation === "UPDATE")
    return { missing: "This clone doesn’t have the commit that the proposal is on top of." };
  const tree = isHere ? await reader.treeAt((await reader.commit(parent)).tree, folder) : null;
  const before = new Map(
    tree === null ? [] : (await listTree(reader, tree, "")).map(({ path, id }) => [path, id]),
  );
  const diffs: string[] = [];
  for (const { path, content } of files) {
    const id = before.get(path);
    const old = id === undefined ? null : await textOf(reader, id);
    diffs.push(lineDiff(old, content, `${folder}/${path}`));
  }
  return diffs.join("");
}
