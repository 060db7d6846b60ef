/** A session as the page shows it: what happened, in order, and why it matters. */
import { count, cut } from "../core/text.ts";
import { strip } from "./charts.ts";
import { type Html, html } from "./html.ts";
import type { Mark, Timeline, TimelineCall, TimelineTurn } from "./report-data.ts";
import { type ShownSession, SIGNS, type View } from "./view.ts";

/** Where a row of a skill's evidence stands in the page; null when it isn't shown. */
export type RowLink = (sessionId: string, skill: string, row: number) => string | null;

export function sessionPart(
  { session, anchor, turns }: ShownSession,
  view: View,
  rowLink: RowLink,
): Html {
  const { timeline, notes, agent, model, id, toolCallCount } = session;
  const shownTurns = turns.map(
    ({ turn, skipped }) =>
      html`${gap(skipped)}${turnItem(turn, session.id, anchor, view, rowLink)}`,
  );
  const last = timeline.isWhole ? leftBehind(turns, timeline.turnCount) : 0;
  const facts = [
    agent,
    model,
    timeline.isWhole ? count(timeline.turnCount, "turn") : null,
    count(toolCallCount, "completed tool call"),
    timeline.isWhole ? `${timeline.failedCallCount} failed` : null,
    timeOf(timeline.startedAt, timeline.endedAt),
  ].filter((fact) => fact !== null);
  return html`<section class="session" id="${anchor}"><h3>Session <code>${cut(id, view.stage.line)}</code></h3><p class="facts">${facts.join(" · ")}</p>${notes.map((note) => html`<p class="missing">${note}</p>`)}${overviewOf(timeline, anchor)}<ol class="timeline">${shownTurns}${gap(last)}</ol></section>`;
}

function overviewOf({ overview, failedCallCount }: Timeline, anchor: string): Html | null {
  if (overview.length < 2) return null;
  const summary = `Tool calls of the session from its first turn to its last, ${failedCallCount} of them failed`;
  return html`<figure>${strip(overview, summary, `${anchor}-strip`)}<figcaption>Tool calls from the first turn to the last; those that failed are on top, in red.</figcaption></figure>`;
}

function leftBehind(turns: ShownSession["turns"], total: number): number {
  return total - turns.reduce((sum, { skipped }) => sum + skipped + 1, 0);
}

function gap(skipped: number): Html | null {
  return skipped <= 0 ? null : html`<li class="gap">${count(skipped, "turn")} left out</li>`;
}

function turnItem(
  turn: TimelineTurn,
  sessionId: string,
  anchor: string,
  view: View,
  rowLink: RowLink,
): Html {
  const { stage } = view;
  const calls = turn.calls.slice(0, stage.calls);
  const left = turn.callsLeft + turn.calls.length - calls.length;
  const who = [
    turn.role,
    turn.subagent === null ? null : `sub-agent ${turn.subagent}`,
    turn.isRewound ? "rewound" : null,
  ];
  const marks = turn.marks.map((mark) => markChip(mark, sessionId, stage.line, rowLink));
  return html`<li class="t ${kindOf(turn)}" id="${anchor}-${turn.id}"><p class="who"><a href="#${anchor}-${turn.id}">${turn.id}</a> ${who.filter((one) => one !== null).join(" · ")} <time>${clockOf(turn.at)}</time></p>${words(turn.text, stage.text)}${marks.length === 0 ? null : html`<ul class="marks">${marks}</ul>`}${calls.length === 0 ? null : html`<ul class="calls">${calls.map((call) => callItem(call, view))}</ul>`}${left === 0 ? null : html`<p class="quiet">${count(left, "more call")}, not shown here.</p>`}</li>`;
}

/** The colour of its dot: what weighs most. */
function kindOf({ marks, calls, role }: TimelineTurn): string {
  for (const kind of ["correction", "fix", "failure"] as const)
    if (marks.some((mark) => mark.kind === kind)) return kind;
  if (calls.some(({ outcome }) => outcome === "failure")) return "failure";
  return role ?? "agent";
}

const MARK_WORDS: Readonly<Record<Mark["kind"], string>> = {
  failure: "failed, overcome later",
  fix: "works now",
  change: "changed in between",
  correction: "the user",
  step: "step of the skill",
};

function markChip(
  { kind, words: what, skill, row }: Mark,
  sessionId: string,
  most: number,
  rowLink: RowLink,
): Html {
  const href = skill === null || row === null ? null : rowLink(sessionId, skill, row);
  const said =
    kind === "correction" ? html`<q>${cut(what, most)}</q>` : html`<code>${cut(what, most)}</code>`;
  const title =
    href === null ? html`${MARK_WORDS[kind]}` : html`<a href="${href}">${MARK_WORDS[kind]}</a>`;
  return html`<li class="mark ${kind}"><b>${title}</b> ${said}</li>`;
}

/** A text that is long is folded after its beginning. */
function words(text: string, most: number): Html | null {
  if (text === "") return null;
  const shown = cut(text, most);
  const beginning = FOLDED_FROM < shown.length ? cut(shown.replace(/\s+/g, " "), FOLDED_TO) : null;
  return beginning === null
    ? html`<div class="words">${shown}</div>`
    : html`<details class="words"><summary>${beginning}</summary>${shown}</details>`;
}

/** In characters: a text that is a little longer than what folding it would show stays as it is. */
const FOLDED_FROM = 420;
const FOLDED_TO = 240;

function callItem({ name, what, outcome, exitCode, result }: TimelineCall, { stage }: View): Html {
  const code = exitCode === null || exitCode === 0 ? "" : `exit ${exitCode}`;
  const shown = result === null || stage.result === 0 ? "" : cut(result, stage.result);
  const head = html`<span class="sign" aria-hidden="true">${SIGNS[outcome]}</span><span class="vh">${CALL_WORDS[outcome]}: </span><span class="tool">${cut(name, stage.line)}</span> <code>${cut(what, stage.line)}</code> ${code}`;
  return shown === ""
    ? html`<li class="call ${outcome}">${head}</li>`
    : html`<li class="call ${outcome}"><details><summary>${head}</summary><pre tabindex="0">${shown}</pre></details></li>`;
}

const CALL_WORDS: Readonly<Record<TimelineCall["outcome"], string>> = {
  success: "succeeded",
  failure: "failed",
  cancelled: "cancelled",
  unknown: "result unknown",
};

function clockOf(at: string | null): string {
  const time = at === null ? null : /T(\d\d:\d\d)/.exec(at)?.[1];
  return time ?? "";
}

function timeOf(from: string | null, to: string | null): string | null {
  if (from === null) return null;
  const day = from.slice(0, 10);
  return `${day} ${clockOf(from)}${to === null ? "" : `–${to.startsWith(day) ? "" : `${to.slice(0, 10)} `}${clockOf(to)}`} UTC`;
}
