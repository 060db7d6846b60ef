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
 * Reads `<dir>/proposal.json`, and those of the folders in it.
 * @throws SkillprError `input` when there is none, or one is too large, damaged or of another version
 */
export async function readProposals(dir: string): Promise<Proposal[]> {
  const { proposals, damaged } = await collectProposals(dir);
  const [first] = damaged;
  if (first !== undefined) throw first.error;
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

export interface Collected {
  /** In the order of their folders. */
  readonly proposals: Proposal[];
  /** Files that are no proposal, and why. */
  readonly damaged: { readonly file: string; readonly error: SkillprError }[];
  /** Paths of the other files that were asked for. */
  readonly others: string[];
}

/**
 * All proposals below a folder, as several jobs may have left them. Links are not followed, and nothing else is
 * opened.
 * @param otherName name of files whose paths are wanted too
 * @throws SkillprError `input` when the folder can't be read, or is no folder of proposals: too many entries
 */
export async function collectProposals(dir: string, otherName?: string): Promise<Collected> {
  const collected: Collected = { proposals: [], damaged: [], others: [] };
  for await (const { path, name } of filesBelow(dir)) {
    if (name === FILE_NAME) await collect(path, collected);
    if (name === otherName) collected.others.push(path);
  }
  return collected;
}

async function collect(file: string, { proposals, damaged }: Collected): Promise<void> {
  try {
    const proposal = await readProposal(file);
    if (proposal !== null) proposals.push(proposal);
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    damaged.push({ file, error });
  }
}

/** Regular files at most PROPOSAL_DIR_DEPTH folders below one, by name. */
async function* filesBelow(dir: string): AsyncGenerator<{ path: string; name: string }> {
  const queue = [{ folder: dir, depth: 0 }];
  let seen = 0;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { folder, depth } = next;
    const entries = (await listFolder(folder)).sort((a, b) => (a.name < b.name ? -1 : 1));
    seen += entries.length;
    if (seen > limits.PROPOSAL_DIR_ENTRIES_MAX)
      throw new SkillprError(
        "input",
        `${dir} holds more than ${limits.PROPOSAL_DIR_ENTRIES_MAX} entries`,
        "name the folder that the reviews wrote, and nothing above it",
      );
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile()) yield { path, name: entry.name };
      else if (entry.isDirectory() && depth < limits.PROPOSAL_DIR_DEPTH)
        queue.push({ folder: path, depth: depth + 1 });
    }
  }
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
