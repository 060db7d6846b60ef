/** The secrets and personal data of a document, searched for once for all rules. */
import { findShapedSecrets } from "../../secrets/find-secrets.ts";
import type { FoundSecret } from "../../secrets/secret-range.ts";
import type { ContentDocument } from "./content-document.ts";

const KNOWN = new WeakMap<ContentDocument, readonly FoundSecret[]>();

export function secretsOf(document: ContentDocument): readonly FoundSecret[] {
  const known = KNOWN.get(document);
  if (known !== undefined) return known;
  const found = findShapedSecrets(document.text);
  KNOWN.set(document, found);
  return found;
}
