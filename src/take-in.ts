/** From a transcript to what may be reviewed: it is read, judged by the gate, and redacted. */
import { join } from "node:path";
import { decide } from "./gate/decide.ts";
import { reviewedBefore } from "./gate/growth.ts";
import { type Ledger, openLedger } from "./gate/ledger.ts";
import { stateDir } from "./git/repository.ts";
import {
  type Outcome,
  type SessionSummary,
  skipped,
  summarize,
  withRedactions,
} from "./outcome.ts";
import { type RedactedTranscript, redactTranscript } from "./redact-transcript.ts";
import { type Run, writesOf } from "./run.ts";
import { createRedactor } from "./secrets/redactor.ts";
import { readTranscript, type TranscriptSource } from "./transcript/read-transcript.ts";
import type { Session } from "./transcript/session.ts";
import type { TextSpool } from "./transcript/text-spool.ts";

export interface TakenIn {
  /** Raw: for the ledger alone. */
  readonly session: Session;
  readonly summary: SessionSummary;
  readonly ledger: Ledger;
  /** The first turn that wasn't reviewed before; null: all of it is new. */
  readonly newFrom: string | null;
  /** The first turn after those that were reviewed; see gate/growth.ts. */
  readonly markFrom: string | null;
  /** Made when it is asked for: what it costs, a session that fails for another reason needn't pay. */
  readonly redacted: () => Promise<{ transcript: RedactedTranscript; summary: SessionSummary }>;
}

/**
 * @param onSession told of the session as soon as it is known, for whatever fails after that
 * @returns the outcome when the gate skips it
 * @throws SkillprError when the transcript can't be read
 */
export async function takeIn(
  source: TranscriptSource,
  spool: TextSpool,
  run: Omit<Run, "reviewer">,
  onSession: (summary: SessionSummary) => void,
): Promise<TakenIn | { readonly outcome: Outcome }> {
  run.onStep("reading the transcript");
  const session = await readTranscript(source, spool);
  const writes = writesOf(session, run);
  const redactor = createRedactor({ credentials: run.credentials });
  const summary = await summarize(session, writes.length > 0, redactor);
  onSession(summary);

  const ledger = openLedger(join(stateDir(run.repository), "reviewed"));
  const growth = await reviewedBefore(ledger, session, summary.id);
  for (const note of [...session.notes, ...ledger.notes()]) run.onNote(note);
  const gate = { ...run.config, ...growth, session, skillWrites: writes };
  const verdict = run.force ? null : decide(gate, run.countsSince);
  if (verdict?.status === "skipped")
    return { outcome: { session: summary, ...(await skipped(verdict, redactor)) } };
  const redacted = async () => {
    const transcript = await redactTranscript(session, spool, redactor);
    return { transcript, summary: withRedactions(summary, redactor) };
  };
  return { session, summary, ledger, newFrom: growth.newFrom, markFrom: growth.markFrom, redacted };
}
