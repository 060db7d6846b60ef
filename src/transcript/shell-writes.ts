/**
 * Which paths a shell command plainly writes.
 *
 * Read from the text alone: redirections, the usual commands that change files, and code that is
 * run inline. A path stays as the agent spelled it, behind the folder of a `cd` before it. When a
 * whole folder goes away (`rm -r`, `mv`), its path ends in `/**`.
 */
import {
  AGENT_PATH_MAX_CHARS,
  SHELL_NESTING_MAX,
  SHELL_SCAN_MAX_CHARS,
  WRITE_PATHS_MAX,
} from "../core/limits.ts";
import { inlineCodeWrites } from "./inline-code-writes.ts";
import { patchedPaths } from "./patched-paths.ts";
import { commandTargets, whole } from "./shell-targets.ts";
import { type SimpleCommand, simpleCommands } from "./shell-words.ts";
import { unwrapped } from "./shell-wrappers.ts";

/** Paths that the command would write, each once, in order. */
export function shellWrites(command: string): string[] {
  const scan: Scan = {
    variables: new Map(),
    folder: null,
    paths: new Set(),
    loop: null,
    room: { chars: SHELL_SCAN_MAX_CHARS },
    piped: [],
  };
  readLine(command.slice(0, SHELL_SCAN_MAX_CHARS), scan, SHELL_NESTING_MAX);
  return [...scan.paths];
}

interface Scan {
  readonly variables: Map<string, string>;
  /** Where a `cd` led to; null before the first. */
  folder: string | null;
  readonly paths: Set<string>;
  /** The variable of the last `for` and what it runs over. */
  loop: { readonly name: string; readonly items: readonly string[] } | null;
  /** Of commands that may still be read once more for another item of their loop. */
  readonly room: { chars: number };
  /** Operands of the commands before in the same pipe. */
  piped: string[];
}

function readLine(line: string, scan: Scan, nesting: number): void {
  for (const command of simpleCommands(line)) {
    for (const run of command.runs) {
      // A subshell: its `cd` ends with it.
      if (nesting > 0) readLine(run, { ...scan, piped: [] }, nesting - 1);
    }
    if (!readAsLoop(command, scan, nesting)) readCommand(command, scan, nesting);
  }
  // .NET from PowerShell: its brackets and parentheses are no words of a shell.
  for (const match of line.matchAll(/::(?:Write|Append)All\w+\(\s*["']([^"'\n]+)/g)) {
    add(match[1] ?? "", scan);
  }
}

/** A command that names the variable of a `for` is read for each item; false when it isn't one. */
function readAsLoop(command: SimpleCommand, scan: Scan, nesting: number): boolean {
  const [keyword, name = "", joint, ...items] = command.words;
  if (keyword === "for" && joint === "in" && /^\w+$/.test(name)) {
    scan.loop = {
      name,
      items: items.flatMap((item) => loopItems(substitute(item, scan.variables))),
    };
    return true;
  }
  const text = [...command.words, ...command.writesTo].join(" ");
  if (scan.loop === null || !new RegExp(`\\$\\{?${scan.loop.name}\\b`).test(text)) return false;
  for (const item of scan.loop.items) {
    scan.room.chars -= text.length;
    if (scan.room.chars < 0) break;
    scan.variables.set(scan.loop.name, item);
    readCommand(command, scan, nesting);
  }
  return scan.loop.items.length > 0;
}

/** What `$(find DIR)` lists lies in what it is given. */
function loopItems(item: string): string[] {
  const listed = /^\$\((.*)\)$/s.exec(item)?.[1];
  if (listed === undefined) return [item];
  return listed
    .split(/\s+/)
    .flatMap((word, at) => (at === 0 || /^-|^$/.test(word) ? [] : whole(word)));
}

function readCommand(command: SimpleCommand, outer: Scan, nesting: number): void {
  const all = command.words.map((word) => substitute(word, outer.variables));
  for (const target of command.writesTo) add(substitute(target, outer.variables), outer);
  const { words, folder, takesInput } = unwrapped(all, outer.variables);
  const scan = folder === null ? outer : { ...outer, folder: within(outer.folder, folder) };
  const name = commandName(words[0]);
  const piped = command.readsPipe ? outer.piped : [];
  outer.piped = [...piped, ...words.slice(1)].slice(0, WRITE_PATHS_MAX);
  // What `xargs` hands on comes from words that the commands before were given.
  const handed = takesInput ? piped.filter((word) => !word.startsWith("-")).map(whole) : [];
  const operands = [...words.slice(1), ...handed];
  if (name !== "") readNamed(name, operands, command.input, scan, nesting);
}

function readNamed(
  name: string,
  operands: readonly string[],
  input: string | null,
  scan: Scan,
  nesting: number,
): void {
  if (CHANGE_FOLDER.has(name)) changeFolder(operands, scan);
  else if (SHELLS.test(name)) readNested(operands, input, scan, nesting);
  else if (name === "eval") readNested(["-c", operands.join(" ")], null, scan, nesting);
  else if (INTERPRETERS.test(name)) readInlineCode(operands, input, scan);
  else {
    if (PATCHES.has(name) || (name === "git" && operands.includes("apply"))) {
      const text = [input ?? "", ...operands].join("\n");
      for (const path of patchedPaths(text)) add(path, scan);
    }
    for (const path of commandTargets(name, operands)) add(path, scan);
  }
}

const CHANGE_FOLDER = new Set(["cd", "pushd", "chdir", "set-location", "sl"]);
const SHELLS = /^(?:(?:ba|da|z|k|a)?sh|pwsh|powershell|cmd)$/;
const INTERPRETERS = /^(?:python[\d.]*|py|node|nodejs|deno|bun|perl|ruby|php|tsx|ts-node)$/;
const PATCHES = new Set(["apply_patch", "applypatch", "patch"]);

function commandName(word: string | undefined): string {
  const name = (word ?? "").split(/[/\\]/).at(-1) ?? "";
  return name.replace(/\.exe$/i, "").toLowerCase();
}

function changeFolder(operands: readonly string[], scan: Scan): void {
  const folder = operands.find((operand) => !/^(-|\/d$)/i.test(operand)) ?? "~";
  scan.folder = within(scan.folder, folder);
}

function readNested(
  operands: readonly string[],
  input: string | null,
  scan: Scan,
  nesting: number,
): void {
  const flag = operands.findIndex((operand) => /^(?:-\w*c|-command|\/c|\/k)$/i.test(operand));
  const script = flag === -1 ? input : operands.slice(flag + 1).join(" ");
  if (script !== null && nesting > 0) readLine(script, scan, nesting - 1);
}

function readInlineCode(operands: readonly string[], input: string | null, scan: Scan): void {
  const flag = operands.findIndex((operand) =>
    /^(?:-[a-z]*[cer]|--eval|-p|--print|eval)$/i.test(operand),
  );
  const code = flag === -1 ? input : operands.slice(flag + 1).join("\n");
  for (const path of inlineCodeWrites(code ?? "")) add(path, scan);
  // perl -i and ruby -i edit the files they are given.
  if (!operands.some((operand) => /^-\w*i/.test(operand))) return;
  for (const path of operands) if (!path.startsWith("-")) add(path, scan);
}

function add(path: string, scan: Scan): void {
  if (path === "" || /^\d+$/.test(path) || /^(?:\/dev\/|nul$|\$null$)/i.test(path)) return;
  if (scan.paths.size < WRITE_PATHS_MAX) scan.paths.add(within(scan.folder, path));
}

const ABSOLUTE = /^(?:[/~]|[A-Za-z]:|\\\\|\$\{?\w|\$\(|%\w+%)/;

function within(folder: string | null, path: string): string {
  if (folder === null || ABSOLUTE.test(path)) return path;
  const joined = `${folder.replace(/[/\\]$/, "")}/${path}`;
  return joined.length > AGENT_PATH_MAX_CHARS ? path : joined;
}

/** `$NAME` and `${NAME}` of assignments made earlier in the same command; the working folder as `.`. */
function substitute(word: string, variables: ReadonlyMap<string, string>): string {
  // What is filled in is bounded: `a=$a$a` in a row doubles it each time.
  let room = AGENT_PATH_MAX_CHARS;
  return word
    .replace(/^(?:\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`|\$\(Get-Location\)|%CD%)(?=[/\\]|$)/i, ".")
    .replace(/\$(?:(\w+)|\{(\w+)\})/g, (match, plain: string, braced: string) => {
      const value = variables.get(plain ?? braced) ?? match;
      room -= value.length;
      return room < 0 ? match : value;
    });
}
