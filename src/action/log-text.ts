/**
 * Text for a log in which lines can be commands: a runner obeys `::name::` at the beginning of a line,
 * whatever blanks stand before it, and `##[name]` anywhere in it
 * (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).
 */
import { safeBlock } from "../core/text.ts";

/** The same text as people read it, with nothing in it that a runner obeys. */
export function logText(text: string): string {
  return safeBlock(text)
    .replace(/^(\s*):(?=:)/gm, "$1: ")
    .replace(/##(?=\[)/g, "## ");
}
