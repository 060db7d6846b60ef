import type { Anchors, AnchorTables } from "./anchor-tables.ts";
import { TextScanner } from "./text-scanner.ts";

/**
 * A function that gives the places of all anchors in a text: a list for each group of the tables, in
 * order, and one for the own anchors; or null when there is none at all. They are good until its next call.
 */
export function anchorFinder(
  base: AnchorTables,
  own: Anchors,
): (text: string) => readonly number[][] | null {
  const scanner = new TextScanner(base, own);
  return (text) => {
    scanner.scan(text);
    return scanner.hasAnchors ? scanner.places : null;
  };
}
