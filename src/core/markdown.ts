/** Foreign text inside Markdown that we write: it stays text, whatever it says. */
import { safeBlock, safeLine } from "./text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "@": "&#64;",
  "#": "&#35;",
};

/** One line of plain text: no markup, no HTML, no mention, no reference to an issue. */
export function markdownText(text: string): string {
  return safeLine(text).replace(
    /[&<>@#\\`*_[\]|~$]/g,
    (character) => ENTITIES[character] ?? `\\${character}`,
  );
}

/** A code span; inside a table `|` must be escaped even there. */
export function markdownCode(text: string): string {
  const line = safeLine(text).replace(/\|/g, "\\|");
  const fence = "`".repeat(longestRun(line) + 1);
  const pad = /^`|`$|^ .* $/.test(line) || line === "" ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A fenced block whose fence is longer than any in the text. */
export function markdownFence(text: string, language = ""): string {
  const block = safeBlock(text);
  const fence = "`".repeat(Math.max(3, longestRun(block) + 1));
  return `${fence}${language}\n${block}${block.endsWith("\n") ? "" : "\n"}${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}
