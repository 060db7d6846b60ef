/** Which git is installed, and whether it is new enough. */
import { SkillprError } from "../core/errors.ts";
import { GIT_MINIMUM_VERSION } from "../core/limits.ts";
import type { Git } from "./git.ts";

/**
 * The version of the installed git, e.g. `2.39.5`; for `doctor` and the check below.
 * @throws SkillprError `git` when git is not installed or answers something else
 */
export async function gitVersion(git: Git): Promise<string> {
  const answer = await git.text(["version"]);
  const version = /^git version (\d+\.\d+(?:\.\d+)*)/.exec(answer)?.[1];
  if (version !== undefined) return version;
  throw new SkillprError(
    "git",
    "the program named git on the PATH does not say its version",
    "Run `git version`; it must answer `git version …`.",
  );
}

/** True for GIT_MINIMUM_VERSION, the oldest that the tests run on, and for what came after it. */
export function isSupportedGit(version: string): boolean {
  const actual = version.split(".").map(Number);
  const minimum = GIT_MINIMUM_VERSION.split(".").map(Number);
  for (const [index, wanted] of minimum.entries()) {
    const difference = (actual[index] ?? 0) - wanted;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** The PATHs on which a git was found that is new enough: a worker opens a repository for each session. */
const SUPPORTED_ON = new Set<string | undefined>();

/** @throws SkillprError `git` when the installed git is older than GIT_MINIMUM_VERSION */
export async function requireSupportedGit(git: Git): Promise<void> {
  const path = process.env["PATH"];
  if (SUPPORTED_ON.has(path)) return;
  const version = await gitVersion(git);
  if (isSupportedGit(version)) {
    SUPPORTED_ON.add(path);
    return;
  }
  throw new SkillprError(
    "git",
    `git ${version} is too old: skillpr needs ${GIT_MINIMUM_VERSION} or newer`,
    `Install git ${GIT_MINIMUM_VERSION} or newer and make sure that it comes first on the PATH.`,
  );
}
