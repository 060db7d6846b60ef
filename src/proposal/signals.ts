/** Which of a session's signals a proposal carries. */
import * as limits from "../core/limits.ts";
import { type CommandRun, commandsOf } from "./evidence.ts";
import type { Signals } from "./proposal.ts";

/** What the transcript room found in the whole session (redacted). */
export interface SessionSignals {
  readonly fixes: readonly {
    readonly command: string;
    readonly failedIn: readonly string[];
    readonly succeededIn: readonly string[];
    readonly changed: readonly { readonly path: string; readonly turns: readonly string[] }[];
  }[];
  readonly corrections: readonly {
    readonly turn: string;
    readonly how: Signals["corrections"][number]["how"];
    readonly words: string;
  }[];
}

/** What is known of a session when its proposals are sealed. */
export interface Observations {
  /** Its shell commands in order. */
  readonly runs: Iterable<CommandRun>;
  readonly signals: SessionSignals;
}

/** Of an adopted skill nobody knows the session. */
export const NO_SIGNALS: Signals = { fixes: [], corrections: [] };

/**
 * @param body markdown of the skill's changed files: a fix of a command that it names says most
 * @returns the fixes that the skill names before all others, as many as a proposal takes
 */
export function selectSignals(body: string, session: SessionSignals): Signals {
  const named = new Set(commandsOf(body).map(({ command }) => command));
  const fixes = session.fixes
    .filter(({ command }) => command.length <= limits.SKILL_LINE_MAX_CHARS)
    .map((fix) => ({
      command: fix.command,
      isNamed: named.has(fix.command),
      failedIn: [...fix.failedIn],
      succeededIn: [...fix.succeededIn],
      changed: fix.changed.map(({ path, turns }) => ({ path, turns: [...turns] })),
    }));
  const ordered = [...fixes.filter((fix) => fix.isNamed), ...fixes.filter((fix) => !fix.isNamed)];
  return {
    fixes: ordered.slice(0, limits.SIGNALS_MAX),
    corrections: session.corrections.slice(0, limits.SIGNALS_MAX).map((each) => ({ ...each })),
  };
}
