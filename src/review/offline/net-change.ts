/** What a series of edits comes down to: the changes that stayed, and those that were taken back. */

/** One replacement in a file. */
export interface Hunk {
  /** Text before; null when the session doesn't show it (a file written whole). */
  readonly before: string | null;
  readonly after: string;
}

export interface PathChange {
  /** Project-relative. */
  readonly path: string;
  readonly turn: string;
  readonly hunks: readonly Hunk[];
  /** The file didn't exist before. */
  readonly creates: boolean;
  /** Puts the file back to what was there before the session (`git checkout -- FILE`, `rm` of an own file). */
  readonly restores: boolean;
}

export interface NetHunk extends Hunk {
  readonly path: string;
  /** Turns whose edits are in it, in order. */
  readonly turns: readonly string[];
  readonly creates: boolean;
}

export interface TakenBack {
  readonly path: string;
  /** The change as it was tried. */
  readonly hunk: Hunk;
  readonly triedIn: string;
  readonly takenBackIn: string;
}

export interface NetChange {
  readonly stayed: readonly NetHunk[];
  readonly takenBack: readonly TakenBack[];
}

/** Replaces the first occurrence, `$` taken literally. */
function replaceOnce(text: string, from: string, to: string): string {
  const at = text.indexOf(from);
  return at < 0 ? text : text.slice(0, at) + to + text.slice(at + from.length);
}

/** The hunk and a later one of the same file as one; null when they don't overlap. */
function composed(first: NetHunk, next: Hunk): Hunk | null {
  if (next.before === null) return { before: first.before, after: next.after };
  if (next.before !== "" && first.after.includes(next.before)) {
    return { before: first.before, after: replaceOnce(first.after, next.before, next.after) };
  }
  if (first.before !== null && first.after !== "" && next.before.includes(first.after)) {
    return { before: replaceOnce(next.before, first.after, first.before), after: next.after };
  }
  return null;
}

/** Adds one hunk to those of its file; returns what it took back, if it did. */
function addHunk(stayed: NetHunk[], change: PathChange, hunk: Hunk): TakenBack | null {
  for (let i = stayed.length - 1; i >= 0; i -= 1) {
    const old = stayed[i];
    if (old === undefined || old.path !== change.path) continue;
    const both = composed(old, hunk);
    if (both === null) continue;
    if (both.before !== both.after) {
      stayed[i] = { ...old, ...both, turns: [...new Set([...old.turns, change.turn])] };
      return null;
    }
    stayed.splice(i, 1);
    return {
      path: change.path,
      hunk: { before: old.before, after: old.after },
      triedIn: old.turns[0] ?? change.turn,
      takenBackIn: change.turn,
    };
  }
  stayed.push({ path: change.path, ...hunk, turns: [change.turn], creates: change.creates });
  return null;
}

/** Takes all hunks of a file out of `stayed`. */
function takeBackFile(stayed: NetHunk[], path: string, turn: string): TakenBack[] {
  const own = stayed.filter((hunk) => hunk.path === path);
  stayed.splice(0, stayed.length, ...stayed.filter((hunk) => hunk.path !== path));
  return own.map(({ before, after, turns }) => ({
    path,
    hunk: { before, after },
    triedIn: turns[0] ?? turn,
    takenBackIn: turn,
  }));
}

/** Follows changes in the order they were made. */
export function netChange(changes: readonly PathChange[]): NetChange {
  const stayed: NetHunk[] = [];
  const takenBack: TakenBack[] = [];
  for (const change of changes) {
    if (change.restores) takenBack.push(...takeBackFile(stayed, change.path, change.turn));
    for (const hunk of change.hunks) {
      const back = addHunk(stayed, change, hunk);
      if (back !== null) takenBack.push(back);
    }
  }
  return { stayed, takenBack };
}
