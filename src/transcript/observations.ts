/** What a proposal is told of its session: plain data, so that no later room needs a Session. */
import { type CommandRun, commandRuns } from "./command-runs.ts";
import type { RedactedSession } from "./session.ts";
import { type SessionSignals, sessionSignals } from "./session-signals.ts";

export interface Observations {
  readonly runs: readonly CommandRun[];
  readonly signals: SessionSignals;
}

export function observationsOf(session: RedactedSession): Observations {
  return { runs: commandRuns(session), signals: sessionSignals(session) };
}
