/** What a reviewer is handed: the session, the workspace, and interfaces to what it can't import. */
import { posix, win32 } from "node:path";
import { realPath } from "./core/real-path.ts";
import { ObjectReader } from "./git/objects.ts";
import type { GitProjectFiles } from "./git/project-files.ts";
import { GitProjectHistory } from "./git/project-history.ts";
import type { Base } from "./git/repository.ts";
import type { Workspace } from "./git/workspace.ts";
import { inPlaceSkills } from "./in-place-skills.ts";
import { checkFolder } from "./proposal/check-folder.ts";
import { skillsAt } from "./proposal/skills-at.ts";
import type { Declined } from "./publish/declined.ts";
import type { RedactedTranscript } from "./redact-transcript.ts";
import type { ReviewInput } from "./review/reviewer.ts";
import type { Run } from "./run.ts";
import { otherRoots } from "./skills/skill-summary.ts";

export interface ReviewInputOptions extends RedactedTranscript {
  readonly existing: ReviewInput["existing"];
  readonly declined: readonly Declined[];
  readonly newFrom: string | null;
  readonly workspace: Workspace;
  readonly project: GitProjectFiles;
  readonly base: Base;
  /** When the base was committed: a session without times gives the same bytes at each run too. */
  readonly baseDate: string | null;
  readonly run: Run;
  /** See ReviewInput.revising; what the skill names was looked up when it was learned. */
  readonly revising?: { readonly skill: string };
}

export async function reviewInput(options: ReviewInputOptions): Promise<ReviewInput> {
  const { session, transcript, newFrom, redactor, workspace, project, base, baseDate, run } =
    options;
  const { revising } = options;
  const existing = options.existing.map((skill) => {
    const said = run.said?.get(skill.folder);
    return said === undefined ? skill : { ...skill, said };
  });
  const { repository, config, signal } = run;
  const { skillsRoot, marker, maxTurns, rules: levels } = config;
  const { objectFormat } = repository;
  const redact = async (text: string) => (await redactor.redact([text]))[0] ?? "";
  // The session's paths are redacted (the name of a home folder): so is what they are compared with.
  const root = repository.root === null ? null : await redact(repository.root);
  const projectRoot = projectRootOf(session.cwd, root);
  const place = {
    workspace,
    skillsRoot,
    objectFormat,
    redact,
    extras: { levels, userSkills: run.userSkills ?? [] },
    otherSkills: once(() => readOtherSkills(options)),
    sessionTexts: revising === undefined ? transcript : null,
  };
  const isLink = (mode: string) => mode === "120000" || mode === "160000";
  return {
    session,
    newFrom,
    transcript,
    skillsDir: workspace.skillsDir,
    skillsRoot,
    existing,
    declined: options.declined.map((one) => ({ ...one, folder: one.skill })),
    inPlace: await inPlaceSkills({ repository, skillsRoot, existing, redact }),
    extractedAt: session.endedAt ?? baseDate ?? new Date().toISOString(),
    marker,
    links: new Set(workspace.source.filter(({ mode }) => isLink(mode)).map(({ path }) => path)),
    project,
    history: new GitProjectHistory(repository, base),
    projectRoot,
    locateProject: () => locateProject(projectRoot, root, project),
    check: (folder) => checkFolder(place, folder),
    redact,
    maxTurns,
    timeoutMs: config.timeoutSeconds * 1000,
    signal,
    ...(revising !== undefined && { revising }),
  };
}

/** The skills that the project keeps in another folder for the same agent, as the base has them. */
async function readOtherSkills({ base, run }: ReviewInputOptions) {
  const { repository, config } = run;
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  return await skillsAt(reader, base.tree, otherRoots(config.skillsRoot));
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * The project as the session names it, so that the paths in it mean something to the reviewer: this
 * repository when the session was in it, else the session's folder (it came from another machine).
 */
export function projectRootOf(cwd: string | null, repositoryRoot: string | null): string {
  const here = repositoryRoot ?? "/project";
  if (cwd === null || !(posix.isAbsolute(cwd) || win32.isAbsolute(cwd))) return here;
  const isWithin = (path: string) => path === here || path.startsWith(`${here}/`);
  if (isWithin(cwd)) return here;
  const real = realPath(cwd);
  if (real !== null && isWithin(real)) {
    // Reached by another spelling, a link on the way: the session's paths have that spelling.
    const rest = real.slice(here.length);
    return cwd.endsWith(rest) ? cwd.slice(0, cwd.length - rest.length) : here;
  }
  // A root that holds everything would make every path one of the project.
  return posix.resolve(cwd) === "/" || cwd.startsWith("/transcript") ? here : cwd;
}

/**
 * The project's root for a session of another machine: when the end of its folder is a folder of the
 * project (`packages/report` of `/home/user/mono/packages/report`), what stands before it. The
 * longest end counts.
 * @param projectRoot as projectRootOf() gives it
 */
export async function locateProject(
  projectRoot: string,
  repositoryRoot: string | null,
  project: Pick<GitProjectFiles, "list">,
): Promise<string> {
  const isHere = projectRoot === (repositoryRoot ?? "/project");
  const real = isHere ? null : realPath(projectRoot);
  if (isHere || (real !== null && real === repositoryRoot)) return projectRoot;
  const separator = win32.isAbsolute(projectRoot) && !posix.isAbsolute(projectRoot) ? "\\" : "/";
  const parts = projectRoot.split(/[\\/]/);
  const folders = foldersOf(await project.list());
  // The first part is the disk's root; a project that is the whole disk would hold everything.
  for (let start = 2; start < parts.length; start++) {
    if (folders.has(parts.slice(start).join("/"))) return parts.slice(0, start).join(separator);
  }
  return projectRoot;
}

function foldersOf(files: readonly { readonly path: string }[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of files) {
    // Up to the first that is known: those above it are too.
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
