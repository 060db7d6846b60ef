/**
 * What the rules' patterns can't match without, by {@link keyOf} a pattern. The build puts it in (scripts/pattern-texts.mjs):
 * to read it out of the patterns takes longer than checking a few skills. In the sources it is empty.
 */
import type { Clause } from "./required-texts.ts";

export const KNOWN_TEXTS: Readonly<Record<string, readonly Clause[]>> = {};
