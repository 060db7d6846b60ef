/** What git would never write into one tree: pure. */
import { QUOTE_MAX_CHARS } from "../core/limits.ts";
import { cut } from "../core/text.ts";
import { type RawTreeEntry, sortKey } from "./object-format.ts";

export interface EntryProblem {
  readonly entry: RawTreeEntry;
  /** Goes on after a name: `has an empty name`. Foreign text in it is cut, not escaped. */
  readonly problem: string;
  /** Git's own commands end at such an entry. */
  readonly isFatal: boolean;
}

/** How git spells modes today; it reads many others (`100664`, `040000`) as one of these. */
const MODES: ReadonlySet<string> = new Set(["40000", "100644", "100755", "120000", "160000"]);

/**
 * @param entries in the order of the tree
 * @param known those that are not judged: they were there before
 */
export function* entryProblems(
  entries: readonly RawTreeEntry[],
  known: ReadonlySet<RawTreeEntry>,
): Generator<EntryProblem> {
  const copies = new Map<string, RawTreeEntry[]>();
  for (const entry of entries) {
    const name = entry.name.toString("latin1");
    const same = copies.get(name);
    if (same) same.push(entry);
    else copies.set(name, [entry]);
    if (!known.has(entry)) yield* ownProblems(entry, name);
  }
  for (const same of copies.values()) {
    const judged = same.length > 1 ? same.find((entry) => !known.has(entry)) : undefined;
    if (judged) yield { entry: judged, problem: "stands twice in its folder", isFatal: false };
  }
}

function* ownProblems(entry: RawTreeEntry, name: string): Generator<EntryProblem> {
  if (name === "") yield { entry, problem: "has an empty name", isFatal: true };
  if (name === "." || name === "..")
    yield { entry, problem: "has a name that means another folder", isFatal: false };
  if (name.includes("/")) yield { entry, problem: "has a slash in its name", isFatal: false };
  if (MODES.has(entry.mode)) return;
  const problem = `has the mode "${cut(entry.mode, QUOTE_MAX_CHARS)}", which git doesn't write`;
  yield { entry, problem, isFatal: !/^[0-7]+$/.test(entry.mode) };
}

/** The first entry that git would have put elsewhere. */
export function misplacedEntry(entries: readonly RawTreeEntry[]): RawTreeEntry | undefined {
  return entries.find((entry, index) => {
    const before = entries[index - 1];
    return before !== undefined && Buffer.compare(sortKey(before), sortKey(entry)) > 0;
  });
}
