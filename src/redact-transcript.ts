/** What a review is given of a transcript: nothing with a secret in it. */

import type { Repository } from "./git/repository.ts";
import { openRunFolder } from "./git/run-folder.ts";
import type { Redactor } from "./secrets/redactor.ts";
import { redactSession } from "./transcript/redact-session.ts";
import type { RedactedSession, Session } from "./transcript/session.ts";
import { learnFromSpool, type SessionText, sessionText } from "./transcript/session-text.ts";
import { TextSpool } from "./transcript/text-spool.ts";

export interface RedactedTranscript {
  readonly session: RedactedSession;
  /** All that the transcript holds, made when it is first called; as long as the spool is open. */
  readonly transcript: () => Promise<SessionText>;
  /** The one that redacted the session: the same secret gets the same placeholder. */
  readonly redactor: Redactor;
}

/** Where the long texts of a transcript go while it is reviewed: outside of the checkout, and for this user only. */
export function openSpool(repository: Repository): TextSpool {
  return new TextSpool(() => openRunFolder(repository));
}

/** @param spool the one that the session was read with */
export async function redactTranscript(
  session: Session,
  spool: TextSpool,
  redactor: Redactor,
): Promise<RedactedTranscript> {
  const spooled = { spool, redact: (texts: readonly string[]) => redactor.redact(texts) };
  // First, so that what a long text gives away as a secret is replaced where it stands alone too.
  await learnFromSpool(session, spooled);
  const redacted = await redactSession(session, redactor);
  let made: Promise<SessionText> | null = null;
  const transcript = () => {
    made ??= sessionText(redacted, spooled);
    return made;
  };
  return { session: redacted, transcript, redactor };
}
