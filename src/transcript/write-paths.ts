/** Which command a call runs, and which paths it would write: from its name and its arguments. */
import { SHELL_SCAN_MAX_CHARS, WRITE_PATHS_MAX } from "../core/limits.ts";
import { inlineCodeWrites } from "./inline-code-writes.ts";
import { asList, asRecord, asText, type JsonRecord } from "./json-values.ts";
import { patchedPaths } from "./patched-paths.ts";
import type { ToolKind } from "./session.ts";
import { shellWrites } from "./shell-writes.ts";

const PATH_KEYS = [
  "file_path",
  "filePath",
  "path",
  "notebook_path",
  "notebookPath",
  "target_file",
  "absolute_path",
  "filename",
  "file",
  "destination",
];
const CONTENT_KEYS = [
  "content",
  "contents",
  "file_text",
  "new_string",
  "newString",
  "new_str",
  "edits",
];
const PATCH_KEYS = ["input", "patch", "patchText", "diff", "_raw"];
const COMMAND_KEYS = ["command", "cmd", "code", "script", "keystrokes"];
const FOLDER_KEYS = ["directory", "dir_path", "workdir", "working_directory", "cwd"];

/** The command line of a shell call, or null. A list (`["bash", "-lc", "…"]`) becomes one line. */
export function commandOf(kind: ToolKind, args: JsonRecord): string | null {
  if (kind !== "shell") return null;
  for (const key of COMMAND_KEYS) {
    const value = args[key];
    if (asText(value) !== null) return asText(value);
    const words = asList(value).filter((word) => typeof word === "string");
    if (words.length > 0) return commandLine(words);
  }
  return asText(args["_raw"]);
}

function commandLine(words: readonly string[]): string {
  const isNested =
    words.length === 3 && /sh$/.test(words[0] ?? "") && /^-\w*c$/.test(words[1] ?? "");
  return isNested ? (words[2] ?? "") : words.map(quoted).join(" ");
}

/** A word as a shell takes it for one. */
function quoted(word: string): string {
  return /^[\w@%+=:,./~*?-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The folder that a shell call asks to run in, as spelled; null when it doesn't. */
export function folderOf(kind: ToolKind, args: JsonRecord): string | null {
  if (kind !== "shell") return null;
  for (const key of FOLDER_KEYS) if (asText(args[key]) !== null) return asText(args[key]);
  return null;
}

/** The paths that a call would write, as spelled by the agent; each once. */
export function writePathsOf(kind: ToolKind, args: JsonRecord, command: string | null): string[] {
  if (kind === "shell") {
    const isCode = command !== null && args["code"] === command;
    return (isCode ? codeWrites(command) : shellWrites(command ?? "")).slice(0, WRITE_PATHS_MAX);
  }
  if (kind === "read" || kind === "search" || kind === "agent") return [];
  const paths = new Set<string>();
  // A tool that isn't known but is given a path and a content for it writes, whatever its name.
  const writes = kind !== "other" || CONTENT_KEYS.some((key) => args[key] !== undefined);
  if (writes) for (const path of namedPaths(args)) paths.add(path);
  for (const key of PATCH_KEYS) {
    for (const path of patchedPaths(asText(args[key]) ?? "")) paths.add(path);
  }
  return [...paths].slice(0, WRITE_PATHS_MAX);
}

/** Code that runs in a tool of its own: Python mostly, which may hand commands to a shell. */
function codeWrites(code: string): string[] {
  const own = inlineCodeWrites(code.slice(0, SHELL_SCAN_MAX_CHARS));
  const runsShell = /\b(?:system|popen|subprocess|exec\w*|spawn\w*)\b|^[!%#]/im.test(code);
  return runsShell ? [...new Set([...own, ...shellWrites(code)])] : own;
}

function namedPaths(args: JsonRecord): string[] {
  const own = PATH_KEYS.map((key) => asText(args[key])).filter((path) => path !== null);
  // Some edit tools take a list of edits with a path each.
  const listed = asList(args["edits"]).flatMap((edit) => {
    const path = asText(asRecord(edit)?.["file_path"]) ?? asText(asRecord(edit)?.["path"]);
    return path === null ? [] : [path];
  });
  return [...own, ...listed];
}
