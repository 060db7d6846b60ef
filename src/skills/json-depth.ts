/**
 * Whether a JSON value is nested deeper than that. Level by level: a deep value would exhaust the
 * stack, here as where it is written.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
  }
  return false;
}
