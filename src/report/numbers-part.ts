/** What the reviews cost, and how the Skillbook and the queue went, as charts. */
import * as limits from "../core/limits.ts";
import { count, cut } from "../core/text.ts";
import { barList, stackedBars } from "./charts.ts";
import { type Html, html } from "./html.ts";
import { isMissing, QUEUE_STATUSES, type ReportData } from "./report-data.ts";

export function numbersPart(data: ReportData): Html {
  return html`<div class="charts"><section><h3>Tokens</h3>${tokensPart(data)}</section><section><h3>The Skillbook</h3>${skillbookPart(data)}</section><section><h3>The queue</h3>${queuePart(data)}</section></div>`;
}

/** Of a session that gave several proposals, its one review counts once. */
function tokensPart({ proposals }: ReportData): Html {
  const reviews = new Map<string, { label: string; values: number[]; isApart: boolean }>();
  for (const { skill, sealed } of proposals) {
    if (isMissing(sealed)) continue;
    const { session, usage } = sealed;
    const known = reviews.get(session.digest);
    reviews.set(session.digest, {
      label: known === undefined ? skill : `${known.label}, ${skill}`,
      values: tokenValues(usage),
      isApart: usage.parts !== undefined,
    });
  }
  const bars = [...reviews.values()].filter(({ values }) => values.some((value) => value > 0));
  if (bars.length === 0)
    return html`<p class="missing">${reviews.size === 0 ? "What the reviews cost is not known here." : "No model was asked, or its server did not say what it counted."}</p>`;
  const most = bars.slice(0, limits.REPORT_BARS_MAX);
  const isApart = most.some((one) => one.isApart);
  return barList({
    id: "tokens",
    summary: `Tokens of ${count(most.length, "review")}: what was sent${isApart ? ", by its share of the bytes," : ""} and what was answered`,
    series: [
      { name: sessionName(most), colour: "c1" },
      ...(isApart ? OTHER_PARTS : []),
      { name: "answered", colour: "c3" },
    ],
    bars: most.map(({ label, values }) => ({
      label: cut(label, limits.QUOTE_MAX_CHARS),
      values: isApart ? values : [values.at(0) ?? 0, values.at(-1) ?? 0],
    })),
  });
}

const OTHER_PARTS = [
  { name: "instructions and tools", colour: "c4" },
  { name: "what its tools answered", colour: "c2" },
  { name: "its own words, sent again", colour: "c6" },
];

/** Of reviews without a model's parts, such as those of an older skillpr, the first part is all that was sent. */
function sessionName(reviews: readonly { readonly isApart: boolean }[]): string {
  if (reviews.every(({ isApart }) => isApart)) return "the session";
  if (reviews.some(({ isApart }) => isApart))
    return "the session, or all where it isn't told apart";
  return "sent";
}

/** In the order of the chart. What was sent is told apart by bytes: servers count tokens of a request as a whole. */
function tokenValues({
  inputTokens,
  outputTokens,
  parts,
}: {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly parts?: SentParts | undefined;
}): number[] {
  const { session, instructions, tools, model } = parts ?? NO_PARTS;
  const bytes = session + instructions + tools + model;
  const share = (part: number) => (bytes === 0 ? 0 : Math.round((inputTokens * part) / bytes));
  const others = [share(instructions), share(tools), share(model)];
  // The rest, so that the parts add up to what the server counted; all of it where nothing is known of parts.
  const rest = others.reduce((left, value) => left - value, inputTokens);
  return [rest, ...others, outputTokens];
}

const NO_PARTS = { session: 0, instructions: 0, tools: 0, model: 0 };
type SentParts = typeof NO_PARTS;

function skillbookPart({ skillbook }: ReportData): Html {
  if (isMissing(skillbook)) return html`<p class="missing">${skillbook.missing}</p>`;
  const months = skillbook.months.slice(-limits.REPORT_BARS_MAX);
  const size = html`<p>${skillbook.active} of ${count(skillbook.strategies, "strategy", "strategies")} in use.</p>`;
  if (months.length === 0)
    return html`${size}<p class="missing">None of them was marked so far.</p>`;
  const chart = stackedBars({
    id: "skillbook",
    summary: "Marks of each month: helpful above the line, harmful below",
    series: [
      { name: "helpful", colour: "c2" },
      { name: "neutral", colour: "c4" },
      { name: "harmful", colour: "c5" },
    ],
    bars: months.map(({ month, helpful, neutral, harmful }) => ({
      label: month,
      values: [helpful, neutral, -harmful],
    })),
  });
  const rows = skillbook.marks.map(
    ({ id, words, helpful, harmful, neutral }) =>
      html`<tr><th scope="row"><code>${id}</code> ${cut(words, limits.QUOTE_MAX_CHARS)}</th><td>${helpful}</td><td>${harmful}</td><td>${neutral}</td></tr>`,
  );
  return html`${size}${chart}<details><summary>The strategies with the most marks</summary><div class="scroll" tabindex="0" role="group" aria-label="Strategies"><table><thead><tr><th scope="col">Strategy</th><th scope="col">helpful</th><th scope="col">harmful</th><th scope="col">neutral</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

const STATUS_COLOURS: Readonly<Record<(typeof QUEUE_STATUSES)[number], string>> = {
  proposed: "c2",
  nothing_to_save: "c1",
  skipped: "c4",
  refused: "c3",
  failed: "c5",
};

function queuePart({ queue }: ReportData): Html {
  if (isMissing(queue)) return html`<p class="missing">${queue.missing}</p>`;
  const waiting = html`<p>${queue.waiting === 0 ? "No captured session waits." : `${count(queue.waiting, "captured session")} without an outcome so far.`}</p>`;
  const days = queue.days.slice(-limits.REPORT_BARS_MAX);
  if (days.length === 0) return waiting;
  const chart = stackedBars({
    id: "queue",
    summary: "What became of captured sessions, by the day of their review",
    series: QUEUE_STATUSES.map((status) => ({
      name: status.replaceAll("_", " "),
      colour: STATUS_COLOURS[status],
    })),
    bars: days.map(({ day, counts }) => ({
      label: day.slice(5),
      values: QUEUE_STATUSES.map((status) => counts[status]),
    })),
  });
  return html`${waiting}${chart}`;
}
