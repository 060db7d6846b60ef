/** Tells a model that had nothing to call from one whose calls don't come through. */

/** The markups in which models write calls, when the server that runs them doesn't read them back. */
const CALL_MARKUP =
  /<tool_call>\s*[{<]|<function=\w|<\|(?:tool_call|python_tag|tool▁call)|\[TOOL_CALLS\]|^\s*(?:```(?:json)?\s*)?\{\s*"(?:name|tool|function|type)"\s*:/;

/** A skill written into the answer instead of into a file: its frontmatter with the marker. */
const SKILL_AS_TEXT = /^---\s*$[\s\S]{0,4000}?^\s*source:\s*["']?auto-skill/m;

/**
 * Why an answer without tool calls shows that they are not supported, as half a sentence; null
 * when it doesn't. Asked only while no call of the review has come through.
 *
 * @param toolNames a markup counts only beside the name of a tool that was offered
 */
export function missingToolSupport(text: string, toolNames: readonly string[]): string | null {
  const namesTool = toolNames.some((name) => text.includes(name));
  if (namesTool && CALL_MARKUP.test(text)) return "wrote its tool calls as plain text";
  if (SKILL_AS_TEXT.test(text)) return "wrote a skill into its answer instead of calling a tool";
  return null;
}
