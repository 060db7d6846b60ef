/** What a skill may be called: the name is its folder, its branch and how an agent invokes it. */
import { SKILL_NAME_MAX_CHARS } from "../core/limits.ts";
import { isWindowsDeviceName } from "./path-component.ts";

/**
 * True for lower-case ASCII letters, digits and single hyphens between them, at most
 * SKILL_NAME_MAX_CHARS, and no name that Windows keeps for a device.
 */
export function isSkillName(name: string): boolean {
  return (
    name.length <= SKILL_NAME_MAX_CHARS &&
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) &&
    !isWindowsDeviceName(name)
  );
}

/**
 * Makes a skill name of words (a title, a command).
 *
 * @returns the name, cut at a hyphen where there is one; null when nothing usable is left
 */
export function toSkillName(words: string): string | null {
  const plain = words
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const name = plain.length <= SKILL_NAME_MAX_CHARS ? plain : cutAtHyphen(plain);
  return isSkillName(name) ? name : null;
}

function cutAtHyphen(name: string): string {
  const head = name.slice(0, SKILL_NAME_MAX_CHARS + 1);
  const hyphen = head.lastIndexOf("-");
  return hyphen > 0 ? head.slice(0, hyphen) : head.slice(0, SKILL_NAME_MAX_CHARS);
}
