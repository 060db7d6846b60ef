/** Why a turn of a session matters, by turn: what failed and worked later, what the user said, what a skill names. */
import type { SessionSignals } from "../transcript/session-signals.ts";
import type { Mark, Sealed } from "./report-data.ts";

/** A proposal's skill and what was sealed with it. */
export interface SealedSkill {
  readonly skill: string;
  readonly sealed: Sealed;
}

/** By the turn's id. */
export type Marks = ReadonlyMap<string, readonly Mark[]>;

type Correction = Sealed["signals"]["corrections"][number];

const CORRECTION_WORDS: Readonly<Record<Correction["how"], string>> = {
  while_working: "stepped in while the agent worked",
  after_cancel: "declined or stopped a call",
  by_words: "objected",
};

/** @param signals of the whole session, or of the proposals */
export function marksOf(
  signals: readonly (SessionSignals | Sealed["signals"])[],
  proposals: readonly SealedSkill[],
): Marks {
  const marks = new Map<string, Mark[]>();
  const add = (mark: Mark) => (turn: string) => {
    const known = marks.get(turn) ?? [];
    if (!known.some((one) => one.kind === mark.kind && one.words === mark.words))
      marks.set(turn, [...known, mark]);
  };
  for (const { fixes, corrections } of signals) {
    for (const { command, failedIn, succeededIn, changed } of fixes) {
      failedIn.forEach(add(plain("failure", command)));
      for (const { path, turns } of changed) turns.forEach(add(plain("change", path)));
      succeededIn.forEach(add(plain("fix", command)));
    }
    for (const { turn, how, words } of corrections)
      add(plain("correction", `${CORRECTION_WORDS[how]}: ${words}`))(turn);
  }
  for (const { skill, sealed } of proposals)
    for (const [row, { command, turns }] of sealed.evidence.entries())
      turns.forEach(add({ kind: "step", words: command, skill, row }));
  return marks;
}

function plain(kind: Mark["kind"], words: string): Mark {
  return { kind, words, skill: null, row: null };
}
