/** The secrets and personal data of a document, searched for once for all rules. */
import { searchShapes } from "../../secrets/find-secrets.ts";
import type { FoundSecret, SecretRange } from "../../secrets/secret-range.ts";
import { type SecretPieces, secretPiecesOf, secretRangesIn } from "../shown-text.ts";
import type { ContentDocument } from "./content-document.ts";

const KNOWN = new WeakMap<ContentDocument, ReturnType<typeof searchShapes>>();

export function secretsOf(document: ContentDocument): readonly FoundSecret[] {
  return shapesIn(document).found;
}

/** Whether anything in it begins as a provider's token does. */
export function hasTokenPrefix(document: ContentDocument): boolean {
  return shapesIn(document).hasTokenPrefix;
}

function shapesIn(document: ContentDocument): ReturnType<typeof searchShapes> {
  const known = KNOWN.get(document);
  if (known !== undefined) return known;
  const shapes = searchShapes(document.text);
  KNOWN.set(document, shapes);
  return shapes;
}

/** What no finding about a document may show. */
export interface Unshown {
  /** In order, without overlaps. */
  readonly ranges: readonly SecretRange[];
  readonly pieces: SecretPieces;
}

const UNSHOWN = new WeakMap<ContentDocument, Unshown>();

/** Searched for when there is a finding to be shown. */
export function unshownOf(document: ContentDocument): Unshown {
  const known = UNSHOWN.get(document);
  if (known !== undefined) return known;
  const ranges = secretRangesIn(document.text, secretsOf(document));
  const unshown = { ranges, pieces: secretPiecesOf(document.text, ranges) };
  UNSHOWN.set(document, unshown);
  return unshown;
}
