/** Arcs that overlap, reduced to one for each story. Pure. */
import type { Arc } from "./arc.ts";
import type { NetHunk } from "./net-change.ts";
import type { Step } from "./step.ts";

function strength(arc: Arc): number {
  return arc.failedAttempts.length * 2 + arc.verifiedBy.length;
}

function placesOf(hunk: NetHunk): string[] {
  return hunk.turns.map((turn) => `${turn} ${hunk.path}`);
}

/**
 * The arc without what belongs to another one inside it; null when nothing of its own is left, or
 * when its own success may have needed what the other claims: two checks that the same change
 * made succeed tell one story.
 */
function withoutClaimed(
  arc: Arc,
  claimed: ReadonlySet<string>,
  order: ReadonlyMap<string, number>,
): Arc | null {
  const own = arc.fix.filter((hunk) => !placesOf(hunk).some((place) => claimed.has(place)));
  if (own.length === arc.fix.length) return arc;
  const lastRed = arc.reds.at(-1)?.at ?? 0;
  const shared = arc.fix.filter((hunk) => !own.includes(hunk));
  const wasInPlace = shared.every((hunk) =>
    hunk.turns.every((turn) => (order.get(turn) ?? 0) < lastRed),
  );
  if (own.length === 0 || !wasInPlace) return null;
  const failedAttempts = arc.failedAttempts.filter(
    (each) => !claimed.has(`${each.triedIn} ${each.path}`),
  );
  return { ...arc, fix: own, failedAttempts };
}

/**
 * One arc for each story: the narrower one has its changes first; the strongest comes first in the end.
 * @param found arcs of one session, in any order
 */
export function tellOnce(found: readonly Arc[], steps: readonly Step[]): Arc[] {
  const order = new Map(steps.map((step) => [step.turn, step.at]));
  const span = (arc: Arc) => arc.green.at - arc.red.at;
  const claimed = new Set<string>();
  const arcs: Arc[] = [];
  for (const arc of [...found].sort((a, b) => span(a) - span(b) || strength(b) - strength(a))) {
    const own = withoutClaimed(arc, claimed, order);
    if (own === null) continue;
    arcs.push(own);
    for (const place of own.fix.flatMap(placesOf)) claimed.add(place);
    for (const { triedIn, path } of own.failedAttempts) claimed.add(`${triedIn} ${path}`);
  }
  return arcs.sort((a, b) => strength(b) - strength(a) || a.red.at - b.red.at);
}
