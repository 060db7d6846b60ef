/** Evidence: what the session shows of each command that a skill names. Computed, never claimed. */
import * as limits from "../core/limits.ts";
import type { Evidence } from "./proposal.ts";

/** One shell command of the session, as the transcript room lists it (redacted). */
export interface CommandRun {
  readonly turn: string;
  readonly command: string;
  readonly outcome: Outcome;
  /** The commands of a line such as `cd app && npm test`, each with what the line's outcome says of it. */
  readonly parts?: readonly { readonly command: string; readonly outcome: Outcome }[];
}

type Outcome = "success" | "failure" | "cancelled" | "unknown";

/** How a command ended, in words for people. */
export const OUTCOME_WORDS: Readonly<Record<Evidence["outcome"], string>> = {
  success: "succeeded",
  failure: "failed",
  cancelled: "was cancelled",
  unknown: "result unknown",
  not_seen: "not seen in the session",
};

const SHELL_FENCE = /^(?:sh|shell|bash|zsh|console|shell-session|terminal|powershell)$/;

/**
 * Looks up every command of a skill among the commands of the session.
 * @param skill folder name
 * @param body markdown of the skill
 * @param runs the session's commands in order
 * @returns a row for each way that a command ended, with the turns where it did, in the skill's
 *   order; `not_seen` for a command that the session never ran
 */
export function collectEvidence(
  skill: string,
  body: string,
  runs: Iterable<CommandRun>,
): Evidence[] {
  const named = commandsOf(body);
  const seen = runsOf(new Set(named.map(({ command }) => command)), runs);
  const rows: Evidence[] = [];
  for (const { command, isCertain } of named) {
    const matching = seen.get(command);
    // An inline code span may be a file or a symbol: it is a command only if it was run as one.
    if (matching === undefined && !isCertain) continue;
    if (matching === undefined) rows.push({ skill, command, turns: [], outcome: "not_seen" });
    for (const outcome of new Set(matching?.map((run) => run.outcome))) {
      const those = matching?.filter((run) => run.outcome === outcome) ?? [];
      const turns = [...new Set(those.map(({ turn }) => turn))];
      rows.push({ skill, command, turns: turns.slice(0, limits.EVIDENCE_MAX_TURNS), outcome });
    }
  }
  return rows.slice(0, limits.EVIDENCE_MAX_ROWS);
}

interface SeenRun {
  readonly turn: string;
  readonly outcome: Outcome;
}

/** The runs of each of the commands, alone or within a longer line. */
function runsOf(commands: ReadonlySet<string>, runs: Iterable<CommandRun>): Map<string, SeenRun[]> {
  const seen = new Map<string, SeenRun[]>();
  for (const { turn, ...whole } of runs) {
    for (const { command, outcome } of [whole, ...(whole.parts ?? [])]) {
      const key = spaced(command);
      if (!commands.has(key)) continue;
      const known = seen.get(key);
      if (known === undefined) seen.set(key, [{ turn, outcome }]);
      else known.push({ turn, outcome });
    }
  }
  return seen;
}

/**
 * Commands of a text, once each, in order: in shell fences (certain), in fences without a language
 * and in inline code (perhaps).
 */
export function commandsOf(markdown: string): { command: string; isCertain: boolean }[] {
  const found = new Map<string, boolean>();
  for (const { text, isCertain } of codeOf(markdown)) {
    const command = spaced(withoutPrompt(text));
    if (command !== "" && command.length <= limits.SKILL_LINE_MAX_CHARS)
      found.set(command, isCertain || found.get(command) === true);
  }
  return [...found].map(([command, isCertain]) => ({ command, isCertain }));
}

/** Lines of code fences and inline code spans; fences in other languages hold no commands. */
function* codeOf(markdown: string): Generator<{ text: string; isCertain: boolean }> {
  let fence: { mark: string; language: string } | null = null;
  for (const line of markdown.split("\n")) {
    const [, mark, language = ""] = /^\s*(`{3,}|~{3,})\s*([\w-]*)/.exec(line) ?? [];
    if (fence === null) {
      if (mark === undefined) yield* spansOf(line);
      else fence = { mark, language };
    } else if (mark?.startsWith(fence.mark)) {
      fence = null;
    } else if (fence.language === "" || SHELL_FENCE.test(fence.language)) {
      yield { text: line, isCertain: fence.language !== "" };
    }
  }
}

function* spansOf(line: string): Generator<{ text: string; isCertain: boolean }> {
  for (const code of line.matchAll(/(`+)(.+?)\1(?!`)/g))
    yield { text: code[2] ?? "", isCertain: false };
}

function withoutPrompt(line: string): string {
  return line.replace(/^\s*(?:\$|>|PS>)\s+/, "").replace(/^\s*#.*/, "");
}

function spaced(command: string): string {
  return command.trim().replace(/\s+/g, " ");
}
