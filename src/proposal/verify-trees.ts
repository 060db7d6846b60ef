/** Verification of what lies between two trees of a repository: loads plain values, calls verify(). */

import { SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import type { Git } from "../git/git.ts";
import type { ObjectReader } from "../git/objects.ts";
import { skillsRootObstacle } from "../git/skills-root.ts";
import { countChangedSkills, diffTrees, listSkillsRoot } from "../git/skills-tree.ts";
import { checkTrees, type TreeCheck } from "../git/tree-check.ts";
import { otherRoots, skillFolderOf } from "../skills/skill-summary.ts";
import { SKILLBOOK_FILE_NAME, SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";
import type { Change, Profile, TreeFile, TreeOddity, VerifyInput } from "../verify/change.ts";
import { type Finding, hasError } from "../verify/finding.ts";
import { verify } from "../verify/verify.ts";
import { skillsAt } from "./skills-at.ts";
import { VerifyThreads } from "./verify-threads.ts";

// For `publish`, which can't reach into verify.
export { hasError };

export interface TreeVerification {
  readonly changes: readonly Change[];
  readonly findings: readonly Finding[];
}

/** What a verification knows beside the trees; whoever verifies hands in what it has. */
export type VerifyExtras = Pick<VerifyInput, "userSkills" | "grounded" | "levels">;

/**
 * Verifies the change from one root tree to another.
 * @param options.reader reads from where the objects of both trees are (the quarantine, before publishing)
 */
export async function verifyTrees(options: {
  readonly git: Git;
  readonly reader: ObjectReader;
  readonly skillsRoot: string;
  readonly profile: Profile;
  readonly parentTree: string;
  readonly newTree: string;
  readonly extras?: VerifyExtras;
}): Promise<TreeVerification> {
  const { git, reader, skillsRoot, profile, extras = {} } = options;
  // Two processes of git at once; and the threads load their code while the trees are still looked at.
  const comparing = settle(diffTrees(git, options.parentTree, options.newTree));
  await using threads = VerifyThreads.start(await countChangedSkills(reader, options));
  const checking = checkTrees(reader, options);
  checking.catch(() => {}); // it is heard below, where it is awaited
  const diff = await comparing;
  const inRoot = diff.changes.filter(({ path }) => path.startsWith(`${skillsRoot}/`));
  threads.expect(inRoot.filter(({ mode }) => isFile(mode)).length);
  const reading = reader.blobs(changedBlobs(inRoot), limits.VERIFY_BLOB_MAX_BYTES);
  reading.catch(() => {}); // it is heard below, where it is awaited
  const check = await checking;
  const changes = check.isReadable ? requireChanges(diff, profile, check) : null;
  if (changes === null) {
    // Of a tree that can't be listed, only its oddities can be told.
    const oddities = [...check.oddities, ...(check.isReadable ? check.beside.map(unseen) : [])];
    const nothing = { changes: [], parent: [], next: [], blob: () => undefined };
    return { changes: [], findings: verify({ ...nothing, skillsRoot, profile, oddities }) };
  }
  const [parent, next] = await Promise.all([
    listSkills(reader, options.parentTree, skillsRoot),
    listSkills(reader, options.newTree, skillsRoot),
  ]);
  const needed = neededBlobs(inRoot, [...parent, ...next], skillsRoot);
  const blobs = await reading;
  // Where a link in the root's place leads is part of what is said of it.
  for (const { path, mode, id } of [...parent, ...next])
    if (mode === "120000" && `${skillsRoot}/`.startsWith(`${path}/`)) needed.add(id);
  const others = [...needed].filter((id) => !blobs.has(id));
  for (const [id, bytes] of await reader.blobs(others, limits.VERIFY_BLOB_MAX_BYTES))
    blobs.set(id, bytes);
  // What a new name is compared with; where no SKILL.md changed, nobody asks.
  const isNamed = changes.some(({ path }) => skillFolderOf(path, skillsRoot) !== null);
  const beside = next.filter(({ path, id, mode }) => {
    return isFile(mode) && !needed.has(id) && skillFolderOf(path, skillsRoot) !== null;
  });
  const known = new Set(isNamed ? beside.map(({ id }) => id) : []);
  for (const [id, bytes] of await reader.blobs(known, limits.SKILL_FILE_MAX_BYTES))
    blobs.set(id, bytes);
  const otherSkills = isNamed
    ? await skillsAt(reader, options.newTree, otherRoots(skillsRoot))
    : [];
  const findings = await threads.verify({
    skillsRoot,
    profile,
    changes,
    parent,
    next,
    blob: (id) => blobs.get(id),
    otherSkills,
    ...extras,
    oddities: [...check.oddities, ...(profile === "proposal" ? hidden(check, changes) : [])],
  });
  return { changes, findings };
}

/** Everything under the skills root; or what stands in its place, without which nobody would notice that nothing was looked at. */
async function listSkills(
  reader: ObjectReader,
  tree: string,
  skillsRoot: string,
): Promise<readonly TreeFile[]> {
  const files = await listSkillsRoot(reader, tree, skillsRoot);
  if (files.length > 0) return files;
  const obstacle = await skillsRootObstacle(reader, tree, skillsRoot);
  return obstacle === null ? [] : [obstacle];
}

/** The changes between two trees; none, and why, when git can't compare them. */
interface Diff {
  readonly changes: readonly Change[];
  readonly error?: unknown;
}

/** What the check says of the trees comes before what git says of them, so an error waits for it. */
async function settle(changes: Promise<Change[]>): Promise<Diff> {
  try {
    return { changes: await changes };
  } catch (error) {
    return { changes: [], error };
  }
}

/** Null when git can't compare the trees, and what a proposal has no business with is the reason. */
function requireChanges(
  { changes, error }: Diff,
  profile: Profile,
  check: TreeCheck,
): readonly Change[] | null {
  if (error === undefined) return changes;
  const isGit = error instanceof SkillprError && error.code === "git";
  if (isGit && profile === "proposal" && check.beside.length > 0) return null;
  throw error;
}

/** What differs outside the skills root although no changed file says so. */
function hidden({ beside, oddities }: TreeCheck, changes: readonly Change[]): TreeOddity[] {
  const known = new Set(oddities.map(({ path }) => path));
  const shown = new Set(changes.flatMap(({ path }) => prefixes(path)));
  return beside.filter((path) => !known.has(path) && !shown.has(path)).map(unseen);
}

function unseen(path: string): TreeOddity {
  return { path, problem: "differs from the parent in a way that no list of changes shows" };
}

/** `a/b/c` gives `a`, `a/b`, `a/b/c`. */
function prefixes(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Both versions of every file that changes. */
function changedBlobs(inRoot: readonly Change[]): string[] {
  return inRoot.flatMap(({ oldMode, oldId, mode, id }) => [
    ...(isFile(oldMode) ? [oldId] : []),
    ...(isFile(mode) ? [id] : []),
  ]);
}

/** Both versions of every file in a folder that changes, and whatever else changed under the root. */
function neededBlobs(
  inRoot: readonly Change[],
  files: readonly TreeFile[],
  skillsRoot: string,
): Set<string> {
  const folderOf = (path: string) => path.slice(skillsRoot.length + 1).split("/", 1)[0] ?? "";
  const folders = new Set(inRoot.map(({ path }) => folderOf(path)));
  const ids = new Set(changedBlobs(inRoot));
  // A new skill must not be called like one of its strategies.
  const book = `${skillsRoot}/${SKILLBOOK_FOLDER}/${SKILLBOOK_FILE_NAME}`;
  if (inRoot.some(({ status }) => status === "A"))
    for (const { path, mode, id } of files) if (path === book && isFile(mode)) ids.add(id);
  for (const { path, mode, id } of files)
    if (isFile(mode) && folders.has(folderOf(path))) ids.add(id);
  return ids;
}

function isFile(mode: string): boolean {
  return mode.startsWith("100");
}
