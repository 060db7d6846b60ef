/** The `version` of a skill: three numbers, raised by skillpr on every update. */

const FIRST_VERSION = "1.0.0";
/** Nine digits stay exact in a number; a longer one is no version that somebody counted up to. */
const SEMVER = /^(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?$/;

/**
 * @param version what the previous version of the skill carries; null when it carries none
 * @returns the next patch version; what can't be read counts as 1.0.0
 */
export function raisePatch(version: string | null): string {
  const [, major, minor, patch] = SEMVER.exec(version ?? FIRST_VERSION) ?? ["", "1", "0", "0"];
  return `${Number(major)}.${Number(minor)}.${Number(patch ?? "0") + 1}`;
}
