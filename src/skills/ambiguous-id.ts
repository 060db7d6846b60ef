/** Ids that name two things: a strategy in use, and the folder of a whole skill. A mark could mean either. Pure. */
import { type Skillbook, strategyOf } from "./skillbook.ts";

/** @param folders of the whole skills beside the Skillbook @returns sorted */
export function ambiguousIds(skillbook: Skillbook, folders: ReadonlySet<string>): string[] {
  return [...folders].filter((id) => strategyOf(skillbook, id)?.active === true).sort();
}

/** What to do about one. */
export const MAKE_UNAMBIGUOUS =
  "rename the skill's folder, or REMOVE the strategy and ADD it again without skill_id";
