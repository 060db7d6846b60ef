/** What a session keeps only in part, put whole into its spool. */
import type { CutArguments } from "./bounded-text.ts";
import type { JsonRecord } from "./json-values.ts";
import type { FullArgument } from "./session.ts";
import type { TurnDraft } from "./session-drafts.ts";
import type { TextSpool } from "./text-spool.ts";

/** A piece of what was said that has no room in its turn any more; the pieces before it follow it into the spool. */
export function spoolWords(spool: TextSpool | null, turn: TurnDraft, text: string): void {
  if (spool === null) return;
  if (turn.full === undefined) {
    turn.full = { texts: [], known: new Set(), isWhole: true };
    for (const before of turn.texts) spoolWords(spool, turn, before);
  }
  const { full } = turn;
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
