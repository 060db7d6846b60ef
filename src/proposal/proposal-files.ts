/** Proposals on disk: the folder that `review --out` hands to `publish`, and skillpr's own memory. */
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../core/atomic-file.ts";
import { hasCode, SkillprError, systemFailure } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import { count } from "../core/text.ts";
import { type Proposal, parseProposal } from "./proposal.ts";
import { proposalReport } from "./proposal-report.ts";

const FILE_NAME = "proposal.json";

/**
 * Writes each proposal into a folder of its own: `<dir>/<skill>/proposal.json` and `report.md`.
 * An older proposal of the same skill there is replaced.
 * @throws SkillprError `input` when that can't be written
 */
export async function writeProposals(dir: string, proposals: readonly Proposal[]): Promise<void> {
  try {
    for (const proposal of proposals) {
      const folder = join(dir, proposal.skill);
      await mkdir(folder, { recursive: true });
      await writeFileAtomically(join(folder, FILE_NAME), serialize(proposal), 0o644);
      // Renamed into place as well: a link there is replaced, never followed.
      await writeFileAtomically(join(folder, "report.md"), proposalReport(proposal), 0o644);
    }
  } catch (error) {
    if (systemFailure(error) === null) throw error;
    throw new SkillprError(
      "input",
      `the proposals can't be written to ${dir}`,
      "name a folder that can be written with --out",
      { cause: error },
    );
  }
}

/**
 * Reads `<dir>/proposal.json`, or the one of each folder in it.
 * @throws SkillprError `input` when there is none, or one is too large, damaged or of another version
 */
export async function readProposals(dir: string): Promise<Proposal[]> {
  const proposals: Proposal[] = [];
  const own = await readProposal(join(dir, FILE_NAME));
  if (own !== null) proposals.push(own);
  for (const entry of await listFolder(dir)) {
    if (!entry.isDirectory()) continue;
    const proposal = await readProposal(join(dir, entry.name, FILE_NAME));
    if (proposal !== null) proposals.push(proposal);
  }
  if (proposals.length === 0) {
    throw new SkillprError(
      "input",
      `${dir} holds no ${FILE_NAME}`,
      "name the folder that `skillpr review --out` wrote, or one skill's folder in it",
    );
  }
  if (proposals.length > limits.SKILLS_CHANGED_MAX) {
    throw new SkillprError(
      "input",
      `${dir} holds ${count(proposals.length, "proposal")}; at most ${limits.SKILLS_CHANGED_MAX} are published at once`,
      "publish them in smaller folders",
    );
  }
  return proposals.sort((a, b) => (a.skill < b.skill ? -1 : 1));
}

async function listFolder(dir: string) {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR", "EACCES")) throw error;
    throw new SkillprError(
      "input",
      `${dir} is not a folder that can be read`,
      "name the folder that `skillpr review --out` wrote",
      { cause: error },
    );
  }
}

async function readProposal(file: string): Promise<Proposal | null> {
  const again = "make the proposal again with `skillpr review --out`";
  try {
    const info = await stat(file);
    if (!info.isFile() || info.size > limits.PROPOSAL_MAX_BYTES)
      throw new SkillprError("input", `${file} is no proposal: too large, or not a file`, again);
    return parseProposal(JSON.parse(await readFile(file, "utf8")), file);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return null;
    if (error instanceof SyntaxError)
      throw new SkillprError("input", `${file} is not JSON`, again, { cause: error });
    throw error;
  }
}

/** Keeps a published proposal beside the repository, so that `show` can say where a commit came from. */
export async function rememberProposal(
  stateDir: string,
  commit: string,
  proposal: Proposal,
): Promise<void> {
  const dir = join(stateDir, "proposals");
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFileAtomically(join(dir, `${commit}.json`), serialize(proposal));
}

/** The proposal behind a commit; null when it was made elsewhere. */
export async function recallProposal(stateDir: string, commit: string): Promise<Proposal | null> {
  return readProposal(join(stateDir, "proposals", `${commit}.json`));
}

function serialize(proposal: Proposal): string {
  return `${JSON.stringify(proposal, null, 2)}\n`;
}
