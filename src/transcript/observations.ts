/** What a proposal is told of its session: plain data, so that no later room needs a Session. */
import { type CommandRun, commandRuns } from "./command-runs.ts";
import type { RedactedSession } from "./session.ts";
import { type SessionSignals, sessionSignals } from "./session-signals.ts";

export interface Observations {
  /** Read off the sessions whenever they are gone through: there may be a million, and most reviews look for none. */
  readonly runs: Iterable<CommandRun>;
  readonly signals: SessionSignals;
}

/** Of sessions that one proposal is made of, one after the other. */
export function observationsOf(...sessions: readonly RedactedSession[]): Observations {
  const signals = sessions.map(sessionSignals);
  return {
    runs: { [Symbol.iterator]: () => runsOf(sessions) },
    signals: {
      fixes: signals.flatMap(({ fixes }) => fixes),
      corrections: signals.flatMap(({ corrections }) => corrections),
    },
  };
}

function* runsOf(sessions: readonly RedactedSession[]): Generator<CommandRun> {
  for (const session of sessions) yield* commandRuns(session);
}
