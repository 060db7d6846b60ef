import { callsOf, type Session, type ToolOutcome } from "./session.ts";

export interface CommandRun {
  readonly turn: string;
  readonly command: string;
  readonly outcome: ToolOutcome;
}

/** Every shell command of a session in order, with the turn it was called in and how it ended. */
export function commandRuns(session: Session): CommandRun[] {
  const runs: CommandRun[] = [];
  for (const { turn, call } of callsOf(session)) {
    if (call.command === null) continue;
    runs.push({ turn: turn.id, command: call.command, outcome: call.outcome });
  }
  return runs;
}
