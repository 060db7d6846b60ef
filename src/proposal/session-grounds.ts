/** Which of the addresses, packages and commands that a review wrote stand in its session. */
import type { VerifyInput } from "../verify/change.ts";
import { claimsOf, groundedTokens } from "../verify/claims.ts";
import { createDocument } from "../verify/content/content-document.ts";

/** All that a session holds, in parts of whole lines; the transcript room makes it. */
export type SessionTexts = () => Promise<{ readonly parts: readonly { read(): Buffer }[] }>;

/**
 * Looks for what the files claim, part by part, so that a long session costs time and no memory.
 * @param session null: there is none, and nothing is called ungrounded
 */
export async function sessionGrounds(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  session: SessionTexts | null,
): Promise<Pick<VerifyInput, "grounded">> {
  if (session === null) return {};
  const claims = files.flatMap(({ path, bytes }) =>
    claimsOf(createDocument(path, Buffer.from(bytes).toString("utf8"))),
  );
  if (claims.length === 0) return { grounded: new Set() };
  const { parts } = await session();
  return { grounded: groundedTokens(claims, textsOf(parts)) };
}

function* textsOf(parts: readonly { read(): Buffer }[]): Iterable<string> {
  for (const part of parts) yield part.read().toString("utf8");
}
