/** What a session keeps only in part, put whole into its spool. */
import type { CutArguments } from "./bounded-text.ts";
import type { JsonRecord } from "./json-values.ts";
import type { FullArgument } from "./session.ts";
import type { SpooledText, TextSpool } from "./text-spool.ts";

/** All pieces of what a turn said, since its text has no room any more, and what they are recognised by. */
export interface FullWords {
  readonly texts: SpooledText[];
  readonly known: Set<string>;
  isWhole: boolean;
}

/** Adds a piece of what was said. */
export function spoolWords(spool: TextSpool, full: FullWords, text: string): void {
  // A piece that comes again is a repeated record's.
  const key = `${text.length} ${Buffer.from(text.slice(0, 80) + text.slice(-80)).toString("hex")}`;
  if (full.known.has(key)) return;
  full.known.add(key);
  const spooled = spool.add(text);
  if (spooled === null) full.isWhole = false;
  else full.texts.push(spooled);
}

/** The strings that were cut; all arguments as JSON when values were dropped. */
export function spoolArguments(
  spool: TextSpool | null,
  args: JsonRecord,
  cut: CutArguments,
): FullArgument[] {
  if (spool === null) return [];
  const texts: { argument: number | null; text: string }[] = cut.hasDropped
    ? [{ argument: null, text: JSON.stringify(args) }]
    : cut.texts;
  return texts.flatMap(({ argument, text }) => {
    const spooled = spool.add(text);
    return spooled === null ? [] : [{ argument, text: spooled }];
  });
}
