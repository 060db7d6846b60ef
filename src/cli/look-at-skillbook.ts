/** What `skillpr skillbook show`, `export` and `stats` look at. */
import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { readSkillbook } from "../read-skillbook.ts";
import type { Skillbook } from "../skills/skillbook.ts";
import { type WaitingMarks, waitingMarks, waitingWords } from "../waiting-marks.ts";
import { type OpenPlace, openPlace } from "./open-place.ts";
import { row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

export interface Looked {
  readonly place: OpenPlace;
  readonly found: Awaited<ReturnType<typeof readSkillbook>>;
  readonly skillbook: Skillbook;
}

/** The accepted Skillbook, or with --open the one that is proposed. */
export async function look(call: Call, terminal: Terminal): Promise<Looked> {
  const place = await openPlace(call, terminal);
  const found = await readSkillbook(place);
  const isOpen = call.flags["open"] === true;
  if (isOpen && found.open === null)
    throw new SkillprError(
      "input",
      "there is no open proposal for the Skillbook",
      "leave --open out to look at what is accepted",
    );
  for (const note of isOpen ? found.dropped : []) terminal.note(`warning: ${safeLine(note)}`);
  return { place, found, skillbook: isOpen ? found.skillbook : found.base };
}

/** The marks that are in neither the accepted Skillbook nor the open proposal. */
export function waitingFor({ place, found }: Looked): Promise<WaitingMarks> {
  const tip = found.open?.tip ?? found.continues;
  return waitingMarks(place.repository, [found.baseCommit, ...(tip === null ? [] : [tip])]);
}

export function printWaiting(waiting: WaitingMarks, terminal: Terminal): void {
  for (const words of waitingWords(waiting)) row(terminal, "waiting", safeLine(words));
}
