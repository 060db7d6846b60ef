/** What the parts of the page share: how much is shown, and where the links lead. */
import type { REPORT_STAGES } from "../core/limits.ts";
import { OUTCOME_WORDS } from "../proposal/evidence.ts";
import { type Html, html } from "./html.ts";
import type { ReportData, ReportSession, Sealed, TimelineTurn } from "./report-data.ts";
import { chosen } from "./timeline.ts";

export type Stage = Readonly<Record<keyof (typeof REPORT_STAGES)[number], number>>;

export interface View {
  readonly stage: Stage;
  /** By the session's id. */
  readonly sessions: ReadonlyMap<string, ShownSession>;
}

export interface ShownSession {
  readonly session: ReportSession;
  /** Begins the anchors of its turns. */
  readonly anchor: string;
  readonly turns: readonly { readonly turn: TimelineTurn; readonly skipped: number }[];
  /** Ids of the turns that are shown. */
  readonly shown: ReadonlySet<string>;
}

export function viewOf({ sessions }: ReportData, stage: Stage): View {
  const shown = sessions.map((session, at): [string, ShownSession] => {
    const { turns } = session.timeline;
    const kept = chosen(turns, stage.turns, interestOf).map(({ item, skipped }) => ({
      turn: item,
      skipped,
    }));
    // What lies between two that are shown: those left out here, and those left out before.
    const before = new Map(turns.map((turn, index) => [turn.id, { index, turn }]));
    const counted = kept.map(({ turn, skipped }) => {
      const index = before.get(turn.id)?.index ?? 0;
      const dropped = turns.slice(index - skipped, index);
      const earlier = dropped.reduce((sum, one) => sum + one.skipped, 0);
      return { turn, skipped: skipped + earlier + turn.skipped };
    });
    const ids = new Set(kept.map(({ turn }) => turn.id));
    return [session.id, { session, anchor: `s${at + 1}`, turns: counted, shown: ids }];
  });
  return { stage, sessions: new Map(shown) };
}

/** About as many bytes a page has at least: the characters of what would be shown, without what is around them. */
export function leastSize({ proposals, sessions }: ReportData, stage: Stage): number {
  const { text, line, result } = stage;
  let size = 0;
  const add = (words: string, most: number) => {
    size += Math.min(words.length, most);
  };
  for (const { findings } of proposals.slice(0, stage.proposals))
    for (const { message } of findings.slice(0, stage.findings)) add(message, text);
  for (const { timeline } of sessions.slice(0, stage.proposals)) {
    // Which of the turns will be shown isn't known yet: their share of all.
    const share = Math.min(1, stage.turns / Math.max(1, timeline.turns.length));
    const before = size;
    for (const turn of timeline.turns) {
      add(turn.text, text);
      for (const call of turn.calls.slice(0, stage.calls)) {
        add(call.what, line);
        add(call.result ?? "", result);
      }
    }
    size = before + (size - before) * share;
  }
  return size;
}

function interestOf({ marks, calls, role }: TimelineTurn): number {
  if (marks.length > 0) return 3;
  if (calls.some(({ outcome }) => outcome === "failure")) return 2;
  return role === "user" ? 1 : 0;
}

/** `✓ t7`, linked to the turn where it is shown. */
export function turnLink(
  view: View,
  sessionId: string,
  turn: string,
  outcome: Sealed["evidence"][number]["outcome"] | null = null,
): Html {
  const session = view.sessions.get(sessionId);
  const sign =
    outcome === null
      ? null
      : html`<span aria-hidden="true">${SIGNS[outcome]} </span><span class="vh">${OUTCOME_WORDS[outcome]} in </span>`;
  const colour = outcome === "success" ? " good" : outcome === "failure" ? " bad" : "";
  return session?.shown.has(turn)
    ? html`<a class="turn${colour}" href="#${session.anchor}-${turn}">${sign}${turn}</a>`
    : html`<span class="turn${colour}">${sign}${turn}</span>`;
}

export const SIGNS: Readonly<Record<Sealed["evidence"][number]["outcome"], string>> = {
  success: "✓",
  failure: "✗",
  cancelled: "–",
  unknown: "?",
  not_seen: "∅",
};

/** Text in which ids of turns (`t7`) become links, where those turns are shown. */
export function linkedTurns(view: View, sessionId: string, text: string): Html {
  const session = view.sessions.get(sessionId);
  const pieces = text.split(/(?<![\w-])(t\d{1,9})(?![\w-])/);
  return html`${pieces.map((piece, at) =>
    at % 2 === 1 && session?.shown.has(piece)
      ? html`<a href="#${session.anchor}-${piece}">${piece}</a>`
      : piece,
  )}`;
}
