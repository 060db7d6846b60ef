/** The commands of which a command line is made, and what its outcome says of each. */
import { type Command, splitShell } from "./command-line.ts";
import type { ToolOutcome } from "./session.ts";

export interface CommandPart {
  readonly command: string;
  /** `unknown` where the line's own outcome doesn't tell: the exit code was another command's. */
  readonly outcome: ToolOutcome;
}

/** They prepare or say something; a line that fails behind them failed by what it is about. */
const SILENT = new Set(["cd", "pushd", "export", "set", "source", ".", "echo", "printf", "true"]);

/**
 * @param line as it was run: `cd app && npm test 2>&1 | tail -20`
 * @param outcome of the whole line
 * @returns each command without its redirections, in order; none for a line that is one plain
 *   command, or that isn't understood (a loop, a substitution)
 */
export function commandParts(line: string, outcome: ToolOutcome): CommandPart[] {
  const commands = splitShell(line) ?? [];
  const parts = commands.map((command, at): CommandPart => {
    const text = command.words.map(({ raw }) => raw).join(" ");
    return { command: text, outcome: outcomeOf(commands, at, outcome) };
  });
  const isWhole = parts.length === 1 && parts[0]?.command === line.trim().replace(/\s+/g, " ");
  return isWhole ? [] : parts.filter(({ command }) => command !== "");
}

/** The one command that a line is about, where there is only one; else the line, on one line. */
export function plainCommand(line: string): string {
  const commands = (splitShell(line) ?? []).filter((command) => !isSilent(command));
  const [only] = commands;
  const isPlain = commands.length === 1 && only !== undefined && only.next === null;
  const text = isPlain ? only.words.map(({ raw }) => raw).join(" ") : "";
  return text === "" ? line.trim().replace(/\s+/g, " ") : text;
}

function isSilent({ words, next }: Command): boolean {
  return SILENT.has(words[0]?.value ?? "") && (next === "&&" || next === ";");
}

function outcomeOf(commands: readonly Command[], at: number, outcome: ToolOutcome): ToolOutcome {
  if (outcome === "success") return isProven(commands, at) ? "success" : "unknown";
  if (outcome === "cancelled") return "cancelled";
  const isLast = at === commands.length - 1;
  return isLast && commands.slice(0, at).every(isSilent) ? outcome : "unknown";
}

/** The line succeeded only if this command did: nothing but `&&` behind it, no `||` that may have skipped it. */
function isProven(commands: readonly Command[], at: number): boolean {
  const behind = commands.slice(at).every(({ next }) => next === "&&" || next === null);
  let before = at - 1;
  while (before >= 0 && /^(?:&&|\|)$/.test(commands[before]?.next ?? "")) before -= 1;
  return behind && commands[before]?.next !== "||";
}
