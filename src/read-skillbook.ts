/** What people ask of a repository's Skillbook: as it is accepted, as it is proposed, and how it came to be. */
import type { Config } from "./core/config.ts";
import { SkillprError } from "./core/errors.ts";
import { SKILLBOOK_VERSIONS_MAX } from "./core/limits.ts";
import { resolveAcceptedBase } from "./git/accepted-base.ts";
import { ObjectReader } from "./git/objects.ts";
import type { Repository } from "./git/repository.ts";
import { listSkillsRoot } from "./git/skills-tree.ts";
import { folderVersions, readSkillbookAt, readSkillbookFolder } from "./publish/skillbook-at.ts";
import { findSkillbook, type SkillbookPlace } from "./skillbook-place.ts";
import type { Skillbook } from "./skills/skillbook.ts";
import { SKILLBOOK_FILE_NAME, SKILLBOOK_FOLDER, skillFolders } from "./skills/skillbook-files.ts";
import type { DatedSkillbook } from "./skills/skillbook-stats.ts";

export interface SkillbookQuestion {
  readonly repository: Repository;
  readonly config: Pick<Config, "base" | "skillsRoot">;
}

interface Surroundings {
  readonly skills: ReadonlySet<string>;
  readonly baseCommit: string;
}

/**
 * The Skillbook, and the folders of the base's other skills, which it may mark.
 * @throws SkillprError `input` when a Skillbook can't be read
 */
export async function readSkillbook({
  repository,
  config,
}: SkillbookQuestion): Promise<SkillbookPlace & Surroundings> {
  const { skillsRoot } = config;
  const base = await resolveAcceptedBase(repository, config.base, skillsRoot);
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const found = await findSkillbook({ repository, reader, base, skillsRoot });
  const files = await listSkillsRoot(reader, base.tree, skillsRoot);
  return { ...found, skills: skillFolders(files, skillsRoot), baseCommit: base.commit };
}

/**
 * The accepted versions of the Skillbook, the oldest first; at most the newest SKILLBOOK_VERSIONS_MAX.
 * One that can't be read is passed over: what a commit of long ago broke stays broken.
 */
export async function skillbookVersions({
  repository,
  config,
}: SkillbookQuestion): Promise<DatedSkillbook[]> {
  const { skillsRoot } = config;
  const { git } = repository;
  const base = await resolveAcceptedBase(repository, config.base, skillsRoot);
  await using reader = new ObjectReader(git, repository.objectFormat);
  const path = `${skillsRoot}/${SKILLBOOK_FOLDER}/${SKILLBOOK_FILE_NAME}`;
  const listing = await git.text([
    "rev-list",
    "--first-parent",
    `--max-count=${SKILLBOOK_VERSIONS_MAX}`,
    base.commit,
    "--",
    path,
  ]);
  const versions: DatedSkillbook[] = [];
  for (const commit of listing
    .split("\n")
    .filter((line) => line !== "")
    .reverse()) {
    const { tree, committer } = await reader.commit(commit);
    const skillbook = await readable(readSkillbookAt(reader, tree, skillsRoot));
    if (skillbook !== null) versions.push({ at: committer.date ?? "", skillbook });
  }
  return versions;
}

/** What the Skillbook was, accepted and proposed, as far back as is looked: the newest SKILLBOOK_HISTORY_MAX. */
export async function knownSkillbooks({
  repository,
  config,
}: SkillbookQuestion): Promise<readonly Skillbook[]> {
  const { skillsRoot } = config;
  const base = await resolveAcceptedBase(repository, config.base, skillsRoot);
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const found = await findSkillbook({ repository, reader, base, skillsRoot });
  const upTo = found.open?.tip ?? base.commit;
  const tips = [...new Set([upTo, base.commit])];
  const books: Skillbook[] = [];
  const folders = new Set<string>();
  for (const tip of tips) {
    const range = { after: null, upTo: tip, skillsRoot };
    for (const folder of await folderVersions(repository, reader, range)) folders.add(folder);
  }
  for (const folder of folders) {
    const book = await readable(readSkillbookFolder(reader, folder, SKILLBOOK_FOLDER));
    if (book !== null) books.push(book);
  }
  return books;
}

/** What a commit of long ago broke stays broken. */
async function readable(reading: Promise<Skillbook>): Promise<Skillbook | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof SkillprError && error.code === "input") return null;
    throw error;
  });
}
