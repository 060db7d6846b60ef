import { type Claim, type ClaimKind, claimsOf } from "./claims.ts";
import type { ContentDocument } from "./content/content-document.ts";
import type { FileContext } from "./context.ts";

/** The claims of a kind that the session doesn't have; none where there is no session to look them up in. */
export function ungrounded(
  document: ContentDocument,
  { input }: FileContext,
  kind: ClaimKind,
): Claim[] {
  const { grounded } = input;
  if (grounded === undefined) return [];
  return claimsOf(document).filter((claim) => claim.kind === kind && !grounded.has(claim.token));
}
