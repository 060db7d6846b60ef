/** Tells a model that had nothing to call from one whose calls don't come through. */

import { FRONTMATTER_MAX_BYTES } from "../core/limits.ts";

/** The markups in which models write calls, when the server that runs them doesn't read them back. */
const CALL_MARKUP =
  /<tool_call>\s*[{<]|<function=\w|<\|(?:tool_call|python_tag|tool▁call)|\[TOOL_CALLS\]|^\s*(?:```(?:json)?\s*)?\{\s*"(?:name|tool|function|type)"\s*:/;

/** A skill's frontmatter: its first line, and the one with the marker. */
const FRONTMATTER_START = /^---\s*$/;
const MARKER_LINE = /^\s*source:\s*["']?auto-skill/;

/**
 * Why an answer without tool calls shows that they are not supported, as half a sentence; null
 * when it doesn't. Asked only while no call of the review has come through.
 *
 * @param toolNames a markup counts only beside the name of a tool that was offered
 */
export function missingToolSupport(text: string, toolNames: readonly string[]): string | null {
  const namesTool = toolNames.some((name) => text.includes(name));
  if (namesTool && CALL_MARKUP.test(text)) return "wrote its tool calls as plain text";
  if (holdsSkill(text)) return "wrote a skill into its answer instead of calling a tool";
  return null;
}

/** Whether a skill stands in the answer instead of in a file. Line by line: one pattern over all would take time without end. */
function holdsSkill(text: string): boolean {
  let at = 0;
  let start = Number.NEGATIVE_INFINITY;
  for (const line of text.split("\n")) {
    if (FRONTMATTER_START.test(line)) start = at;
    else if (at - start <= FRONTMATTER_MAX_BYTES && MARKER_LINE.test(line)) return true;
    at += line.length + 1;
  }
  return false;
}
