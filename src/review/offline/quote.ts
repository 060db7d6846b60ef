/**
 * Foreign text inside the markdown of a skill. Whatever a command or a result says, it stays inside
 * its quotes: no heading, no fence, no frontmatter, no comment, no hidden character comes of it.
 */
import { OFFLINE_QUOTE_MAX_CHARS } from "../../core/limits.ts";
import { cut, safeLine } from "../../core/text.ts";

/** HTML comments hide text from a reader of the rendered page; the spaces make them visible text. */
function withoutComments(text: string): string {
  return text.replace(/<!-{2,}/g, "<! --").replace(/(?<!-)-{2,}>/g, "-- >");
}

/** One line: breaks become spaces, controls visible escapes, the length bounded. */
export function quotedLine(text: string, max = OFFLINE_QUOTE_MAX_CHARS): string {
  return cut(withoutComments(safeLine(text.replace(/\s+/g, " ").trim())), max);
}

/** A code span that its content can't close. */
export function code(text: string): string {
  const line = quotedLine(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  const space = /^`|`$/.test(line) ? " " : "";
  return `${ticks}${space}${line}${space}${ticks}`;
}

/** A sentence as plain text: nothing in it is markdown. */
export function plain(text: string): string {
  return quotedLine(text).replace(/[\\`*_[\]<>#|~]/g, "\\$&");
}

/**
 * A fenced block that its lines can't close.
 * @param indent what stands in front of every line, so that the block belongs to a list item
 */
export function fenced(lines: readonly string[], language: string, indent: string): string[] {
  const safe = lines.map((line) =>
    cut(withoutComments(safeLine(line.replaceAll("\t", "    "))), OFFLINE_QUOTE_MAX_CHARS),
  );
  const longest = Math.max(
    2,
    ...safe.flatMap((line) => [...line.matchAll(/`+/g)].map((run) => run[0].length)),
  );
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...safe, fence].map((line) => (indent + line).trimEnd());
}
