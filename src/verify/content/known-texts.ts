/** The build puts in its place what the rules' patterns can't match without, by pattern (scripts/pattern-texts.mjs). */
export const KNOWN_TEXTS: string = "{}";
