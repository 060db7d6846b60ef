/** From what a person named to the folders that are adopted. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { WantedFolder } from "./adopt.ts";
import { type Adoption, failedWith } from "./adoption.ts";
import { SkillprError } from "./core/errors.ts";
import { safeLine } from "./core/text.ts";
import {
  folderProblem,
  type InPlaceFolder,
  isTracked,
  listInPlaceFolders,
  PENDING_ROOT,
} from "./git/in-place-folders.ts";
import type { Repository } from "./git/repository.ts";

export interface ChosenFolders {
  readonly wanted: readonly WantedFolder[];
  /** Of names that mean no folder: why. */
  readonly failures: readonly Adoption[];
  /** One sentence each: what was not looked at. */
  readonly notes: readonly string[];
}

/**
 * @param named folders as a person wrote them: a path, or the name of a skill in place; empty: all
 * @param cwd what relative paths start from
 */
export async function chooseFolders(
  repository: Repository,
  skillsRoot: string,
  named: readonly string[],
  cwd: string,
): Promise<ChosenFolders> {
  const { root } = repository;
  if (root === null) {
    throw new SkillprError(
      "input",
      "a bare repository has no skills in place",
      "name one of its work trees with --repo",
    );
  }
  const { folders, notes } = await listInPlaceFolders(repository, skillsRoot);
  if (named.length === 0)
    return { wanted: folders.map((one) => ({ ...one, isNamed: false })), failures: [], notes };
  const wanted = new Map<string, WantedFolder>();
  const failures: Adoption[] = [];
  for (const name of named) {
    const found = findFolder({ root, skillsRoot, cwd, folders }, name);
    const problem = typeof found === "string" ? found : await trackedProblem(repository, found);
    if (typeof found !== "string" && problem === null)
      wanted.set(found.path, { ...found, isNamed: true });
    else failures.push(unusable(name, problem ?? ""));
  }
  return { wanted: [...wanted.values()], failures, notes };
}

interface Search {
  readonly root: string;
  readonly skillsRoot: string;
  readonly cwd: string;
  readonly folders: readonly InPlaceFolder[];
}

/** The folder, or why there is none (the end of a sentence). */
function findFolder(search: Search, name: string): InPlaceFolder | string {
  const { root, skillsRoot, cwd, folders } = search;
  const called = folders.filter(({ folder }) => folder === name);
  const [only] = called;
  if (only !== undefined && called.length === 1) return only;
  if (called.length > 1) return `means ${called.map(({ path }) => path).join(" and ")}`;
  const candidates = [resolve(cwd, name), resolve(root, name)];
  const paths = candidates
    .map((path) =>
      relative(root, path.replace(/[\\/]SKILL\.md$/, ""))
        .split(sep)
        .join("/"),
    )
    .filter((path) => path !== "" && path !== ".." && !path.startsWith("../") && !isAbsolute(path));
  const listed = folders.find(({ path }) => paths.includes(path));
  if (listed !== undefined) return listed;
  const inPlace = paths.flatMap((path) => placeOf(path, skillsRoot) ?? []);
  const [first] = inPlace;
  if (first === undefined)
    return `is no folder of a skill in ${skillsRoot} or ${PENDING_ROOT}/<task>`;
  const there = inPlace.find(({ path }) => folderProblem(root, path) === null);
  if (there !== undefined) return there;
  const problem = folderProblem(root, first.path);
  return problem === "absent" ? "is not there" : (problem ?? "is not there");
}

/** Null for a path that is not exactly a skill's folder. */
function placeOf(path: string, skillsRoot: string): InPlaceFolder | null {
  const below = (top: string, levels: number) => {
    const parts = path.startsWith(`${top}/`) ? path.slice(top.length + 1).split("/") : [];
    return parts.length === levels ? (parts.at(-1) ?? null) : null;
  };
  const own = below(skillsRoot, 1);
  if (own !== null) return { path, folder: own, isPending: false };
  const pending = below(PENDING_ROOT, 2);
  return pending === null ? null : { path, folder: pending, isPending: true };
}

async function trackedProblem(
  repository: Repository,
  { path }: InPlaceFolder,
): Promise<string | null> {
  if (!(await isTracked(repository, path))) return null;
  return "is tracked by git: what is committed needs no adopting";
}

function unusable(name: string, problem: string): Adoption {
  const place = { path: safeLine(name), folder: safeLine(name) };
  const hint = "without an argument, adopt looks at every skill in place";
  return failedWith(place, new SkillprError("input", `${safeLine(name)} ${problem}`, hint));
}
