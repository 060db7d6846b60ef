/**
 * Which shell commands check something (tests, build, type check, lint, the run of a script), and
 * when two of them are the same check written differently. A heuristic, in this order:
 * - `cd DIR &&` in front sets the folder; `export A=b &&`, `A=b`, `env A=b` set variables; `echo`,
 *   `sleep`, `set` and the like say nothing;
 * - redirections, a pipe into a filter (`| tail -20`) and flags that only shape the output are dropped;
 * - runners in front (`npx`, `pnpm exec`, `uv run`, `python -m`, `time`, `timeout 60`) are dropped;
 * - flags are sorted behind the other words, each with the value that follows it;
 * - `npm t`, `npm run test` and `npm test` are one.
 * What isn't plainly a check is none: a wrong "no" costs a skill, a wrong "yes" writes a bad one.
 */
import { posix } from "node:path";
import { type Command, splitShell, type Word } from "../../transcript/command-line.ts";
import { checkWords } from "./check-words.ts";

export interface CheckCommand {
  /** Equal for the same check, whatever variables it ran with. */
  readonly key: string;
  /** Equal for the same check with the same variables. */
  readonly exactKey: string;
  /** The check as a person would type it: variables and words as written, no `cd`, no pipe. */
  readonly text: string;
  /** Folder it ran in as `cd` names it; null for the working directory. */
  readonly folder: string | null;
  /** The exit code is not the check's own: a pipe, `||` or `;` hides it. */
  readonly masked: boolean;
}

const SILENT = new Set([
  "echo",
  "printf",
  "true",
  "pwd",
  "sleep",
  "clear",
  "set",
  "source",
  ".",
  "date",
]);
const FILTERS = new Set(
  "tail head grep egrep rg cat less more tee sed awk wc sort uniq cut tr".split(" "),
);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;
/** Runners that say how a program is started, not what is checked. */
const RUNNERS: readonly RegExp[] = [
  /^(?:npx|bunx)(?: -y| --yes| --no-install| --no)? /,
  /^(?:time|nice|cross-env|env|command) /,
  /^timeout \S+ /,
  /^(?:python3?|py) -m /,
  /^(?:pnpm|yarn|bun|npm) (?:exec|dlx|x) /,
  /^(?:uv|poetry|pipenv|hatch|rye|pdm) run /,
  /^bundle exec /,
];

/** How many words in front say only how the program is started. */
function runnerLength(words: readonly string[]): number {
  // No runner is longer than three words, and one more must follow.
  const line = words.slice(0, 4).join(" ");
  for (const runner of RUNNERS) {
    const match = runner.exec(line);
    if (match !== null) return match[0].trimEnd().split(" ").length;
  }
  return 0;
}

interface Invocation {
  readonly variables: readonly string[];
  /** Words of the program itself, unquoted, runners dropped. */
  readonly words: readonly string[];
}

function readInvocation(words: readonly Word[]): Invocation {
  const variables: string[] = [];
  let rest = words.map((word) => word.value);
  for (;;) {
    while (ASSIGNMENT.test(rest[0] ?? "")) variables.push(rest.shift() ?? "");
    const length = runnerLength(rest);
    if (length === 0 || rest.length <= length) break;
    rest = rest.slice(length);
  }
  const program = posix
    .basename((rest[0] ?? "").replaceAll("\\", "/"))
    .replace(/\.(?:exe|cmd)$/, "");
  const own = /^\.{1,2}\//.test(rest[0] ?? "") && !(rest[0] ?? "").includes("node_modules/");
  return { variables, words: [own ? (rest[0] ?? "") : program, ...rest.slice(1)] };
}

/** Other words in order, then the flags sorted, each with the value behind it. */
function inOrder(words: readonly string[]): string {
  const plain: string[] = [];
  const flags: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? "";
    const value = words[i + 1];
    if (!word.startsWith("-")) plain.push(word);
    else if (value === undefined || value.startsWith("-") || word.includes("=")) flags.push(word);
    else {
      flags.push(`${word} ${value}`);
      i += 1;
    }
  }
  return [...plain, ...flags.sort()].join(" ");
}

interface Parts {
  keys: string[];
  texts: string[];
  variables: string[];
  folder: string | null;
  masked: boolean;
}

/** What stands beside a check without meaning anything for it; true when it was such a command. */
function addBeside(parts: Parts, words: readonly string[]): boolean {
  const [first = "", folder = ""] = words;
  if (SILENT.has(first)) return true;
  if (parts.keys.length > 0) return false;
  if (first === "cd" && words.length === 2) {
    const path = folder.replaceAll("\\", "/");
    parts.folder = posix.isAbsolute(path) ? path : posix.join(parts.folder ?? "", path);
    return true;
  }
  if (first === "export") parts.variables.push(...words.slice(1));
  return first === "export";
}

/** Adds one command of the line; false when it is neither a check nor harmless beside one. */
function addCommand(parts: Parts, command: Command, joint: Command["next"]): boolean {
  const hasCheck = parts.keys.length > 0;
  if (command.next === "&") return false;
  if (joint === "|" || joint === "||" || joint === ";") parts.masked ||= hasCheck;
  if (joint === "|") return hasCheck && FILTERS.has(command.words[0]?.value ?? "");
  if (
    addBeside(
      parts,
      command.words.map((word) => word.value),
    )
  ) {
    return true;
  }
  const invocation = readInvocation(command.words);
  const words = checkWords(invocation.words);
  if (words === null) return false;
  parts.variables.push(...invocation.variables);
  parts.keys.push(inOrder(words));
  parts.texts.push(command.words.map((word) => word.raw).join(" "));
  return true;
}

function toCheck(parts: Parts): CheckCommand {
  const key = `${parts.folder ?? ""}\n${parts.keys.join(" && ")}`;
  return {
    key,
    exactKey: `${[...parts.variables].sort().join(" ")}\n${key}`,
    text: parts.texts.join(" && "),
    folder: parts.folder,
    masked: parts.masked,
  };
}

/** The same check in another folder; null: the working directory. */
export function inFolder(check: CheckCommand, folder: string | null): CheckCommand {
  const [variables = "", , ...words] = check.exactKey.split("\n");
  const key = [folder ?? "", ...words].join("\n");
  return { ...check, folder, key, exactKey: `${variables}\n${key}` };
}

/** Reads a command line as a check; null when it isn't plainly one. */
export function readCheckCommand(line: string): CheckCommand | null {
  const commands = splitShell(line.trim());
  if (commands === null) return null;
  const parts: Parts = { keys: [], texts: [], variables: [], folder: null, masked: false };
  for (const [i, command] of commands.entries()) {
    if (!addCommand(parts, command, commands[i - 1]?.next ?? null)) return null;
  }
  return parts.keys.length === 0 ? null : toCheck(parts);
}
