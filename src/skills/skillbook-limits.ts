/** How much room the Skillbook's files have left, so that people hear of a limit before changes are refused. Pure. */
import {
  SKILL_FILE_MAX_BYTES,
  SKILLBOOK_FILE_MAX_BYTES,
  SKILLBOOK_FULL_SHARE,
  SKILLBOOK_REFERENCE_MAX_BYTES,
  SKILLBOOK_TOTAL_MAX_BYTES,
} from "../core/limits.ts";
import { SKILL_FILE_NAME } from "./skill-path.ts";
import type { Skillbook } from "./skillbook.ts";
import { renderSkillbookFiles, SKILLBOOK_FILE_NAME } from "./skillbook-files.ts";

/** The most that a file of the Skillbook may have, in bytes. @param path relative to its folder */
export function skillbookFileMax(path: string): number {
  if (path === SKILL_FILE_NAME) return SKILL_FILE_MAX_BYTES;
  return path === SKILLBOOK_FILE_NAME ? SKILLBOOK_FILE_MAX_BYTES : SKILLBOOK_REFERENCE_MAX_BYTES;
}

/** What gives a file of the Skillbook room again. @param path relative to its folder; null: all of them together */
export function howToMakeRoom(path: string | null): string {
  return path === null || path === SKILLBOOK_FILE_NAME
    ? "in a pull request of your own, take strategies that were removed or that nobody needs out of skillbook.json, then run `skillpr skillbook validate --fix`"
    : "REMOVE strategies that harm, or that nobody needs";
}

/** A sentence without a full stop for each limit of which SKILLBOOK_FULL_SHARE is used: what it is, and what to do. */
export function limitWarnings(skillbook: Skillbook): string[] {
  const files = renderSkillbookFiles(skillbook).map(({ path, content }) => {
    return { path, bytes: Buffer.byteLength(content), most: skillbookFileMax(path) };
  });
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
  const all = [...files, { path: null, bytes, most: SKILLBOOK_TOTAL_MAX_BYTES }];
  return all
    .filter((each) => each.bytes >= SKILLBOOK_FULL_SHARE * each.most)
    .map(({ path, bytes, most }) => {
      const what = path === null ? "the Skillbook’s files together have" : `${path} has`;
      const share = Math.floor((100 * bytes) / most);
      return `${what} ${bytes} of at most ${most} bytes (${share} %), beyond which changes are refused: ${howToMakeRoom(path)}`;
    });
}
