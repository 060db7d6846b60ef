import { AGENT_PATH_MAX_CHARS } from "../../core/limits.ts";
import type { CallFacts } from "../session-drafts.ts";

/** SWE-agent's own commands that are no shell commands, and change nothing. */
const LOOKS =
  /^(?:open|goto|scroll_(?:up|down)|search_(?:dir|file)|find_file|submit|exit_\w+|filemap)$/;

/**
 * What an action of SWE-agent calls: one of its own commands, else the shell.
 * @param openFile the file that its editor shows: `edit` changes it and doesn't name it
 */
export function sweAction(
  action: string,
  openFile: string | null,
): Pick<CallFacts, "name" | "args"> {
  const [command = "", ...words] = wordsOf(action.split("\n", 1)[0] ?? "");
  const [first = "", second = ""] = words;
  if (command === "create" || command === "append") {
    return { name: "create", args: { path: first, content: restOf(action) } };
  }
  if (command === "edit" || command === "insert") {
    return { name: "edit", args: { path: openFile, lines: first, content: restOf(action) } };
  }
  if (command === "str_replace_editor") {
    return { name: command, args: { command: first, path: second, arguments: action } };
  }
  if (LOOKS.test(command)) return { name: command, args: { arguments: words.join(" ") } };
  return { name: "bash", args: { command: action } };
}

/** What stands behind the first line, without the line that ends an edit. */
function restOf(action: string): string {
  const newline = action.indexOf("\n");
  return newline === -1 ? "" : action.slice(newline + 1).replace(/\n?end_of_edit\s*$/, "");
}

/** The first few words of a line, without the quotes around them. */
function wordsOf(line: string): string[] {
  const words = line.slice(0, AGENT_PATH_MAX_CHARS).matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g);
  return [...words].map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}
