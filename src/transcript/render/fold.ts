/** Fitting the items of a session into a budget: the least telling and oldest give way first. */
import { RENDER_LEVELS } from "../../core/limits.ts";
import { count } from "../../core/text.ts";
import type { Item, Weight } from "./items.ts";
import { tokenWeight } from "./token-estimate.ts";

/** The level of an item that is folded: a line says how many. */
const FOLDED = RENDER_LEVELS.length;

/** What gives way, in this order; within one step the oldest first. */
const STEPS: readonly (readonly [weight: Weight, level: number])[] = [
  ["uneventful", 1],
  ["uneventful", 2],
  ["beside", 1],
  ["eventful", 1],
  ["uneventful", 3],
  ["beside", 2],
  ["uneventful", FOLDED],
  ["eventful", 2],
  ["beside", 3],
  ["task", 2],
  ["eventful", 3],
  ["beside", FOLDED],
  ["task", 3],
  ["eventful", 4],
  ["eventful", FOLDED],
  ["task", 4],
  ["task", FOLDED],
];

interface Shown {
  readonly text: string;
  readonly tokens: number;
}

/** The most of the items that fits. @param maxTokens at least RENDER_MIN_TOKENS, which a line needs */
export function foldToFit(items: readonly Item[], maxTokens: number): string {
  const memory = items.map((): (Shown | undefined)[] => []);
  const showItem = (index: number, level: number) => {
    const known = memory[index] ?? [];
    known[level] ??= shown(items[index]?.at(level) ?? "");
    return known[level];
  };
  const changes = changesOf(items);
  const pieces = (done: number) => assemble(items, levelsAfter(items, changes, done), showItem);
  const fits = (done: number) => weightOf(pieces(done)) <= maxTokens;
  // With all of them done one line is left. Of those that fit the first counts.
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  return pieces(high)
    .map(({ text }) => text)
    .join("");
}

interface Change {
  readonly index: number;
  readonly level: number;
}

function changesOf(items: readonly Item[]): Change[] {
  return STEPS.flatMap(([weight, level]) =>
    items.flatMap((item, index) => (item.weight === weight ? [{ index, level }] : [])),
  );
}

function levelsAfter(items: readonly Item[], changes: readonly Change[], done: number): number[] {
  const levels = items.map(() => 0);
  for (const { index, level } of changes.slice(0, done)) levels[index] = level;
  return levels;
}

function assemble(
  items: readonly Item[],
  levels: readonly number[],
  showItem: (index: number, level: number) => Shown,
): Shown[] {
  const pieces: Shown[] = [];
  let folded: Item[] = [];
  const flush = () => {
    if (folded.length > 0) pieces.push(shown(foldLine(folded)));
    folded = [];
  };
  for (const [index, item] of items.entries()) {
    const level = levels[index] ?? FOLDED;
    if (level === FOLDED) folded.push(item);
    else {
      flush();
      pieces.push(showItem(index, level));
    }
  }
  flush();
  return pieces;
}

function shown(text: string): Shown {
  return { text, tokens: tokenWeight(text) };
}

function weightOf(pieces: readonly Shown[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** `t12–t40: 29 turns, 31 calls, no failures`; of one turn that is shown otherwise, `t12: 3 calls, no failures`. */
function foldLine(items: readonly Item[]): string {
  const first = items[0]?.turn.id;
  const last = items.at(-1)?.turn.id;
  const turns = items.filter(({ isFirst }) => isFirst).length;
  const calls = items.filter(({ call }) => call !== null).length;
  const failures = items.filter(({ call }) => call?.outcome === "failure").length;
  const parts = [
    turns === 0 ? "" : count(turns, "turn"),
    calls === 0 ? "no calls" : count(calls, "call"),
    failures === 0 ? "no failures" : count(failures, "failure"),
  ];
  const span = first === last ? first : `${first}–${last}`;
  return `${span}: ${parts.filter((part) => part !== "").join(", ")} [folded]\n`;
}
