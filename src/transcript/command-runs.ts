import { type CommandPart, commandParts } from "./command-parts.ts";
import { callsOf, type Session, type ToolOutcome } from "./session.ts";

export interface CommandRun {
  readonly turn: string;
  readonly command: string;
  readonly outcome: ToolOutcome;
  /** The commands of which the line is made; none for a plain one. */
  readonly parts: readonly CommandPart[];
}

/** Every shell command of a session in order, with the turn it was called in and how it ended. */
export function* commandRuns(session: Session): Generator<CommandRun> {
  for (const { turn, call } of callsOf(session)) {
    if (call.command === null) continue;
    const { command, outcome } = call;
    yield { turn: turn.id, command, outcome, parts: commandParts(command, outcome) };
  }
}
