/**
 * Charts as SVG, made without a browser: d3 places and draws, and colours are classes, so that they
 * follow the page's light and dark, and its policy needs no inline style.
 */
import { scaleBand, scaleLinear } from "d3-scale";
import { stack, stackOffsetDiverging } from "d3-shape";
import { grouped } from "../core/text.ts";
import { type Html, html } from "./html.ts";

/** One bar, with a part for each series. */
export interface Bar {
  readonly label: string;
  /** In the order of the series; a negative one goes down from the line. */
  readonly values: readonly number[];
}

export interface Series {
  readonly name: string;
  /** Of the style sheet: `c1` to `c6`. */
  readonly colour: string;
}

export interface Chart {
  /** Unique in the page. */
  readonly id: string;
  /** What it shows, in a sentence, for who can't see it. */
  readonly summary: string;
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
}

/** Wide enough for thirty bars, small enough that its words can be read on a phone and in a third of a page. */
const WIDTH = 340;
const HEIGHT = 190;
const EDGE = { left: 40, right: 8, top: 10, bottom: 26 };

/** Bars beside each other, their parts stacked; with a legend, and the numbers in a table. */
export function stackedBars(chart: Chart): Html {
  const { bars, series } = chart;
  const stacked = stack<Bar, number>()
    .keys(series.map((_, at) => at))
    .value((bar, at) => bar.values[at] ?? 0)
    .offset(stackOffsetDiverging)([...bars]);
  const ends = stacked.flatMap((layer) => layer.flat());
  const y = scaleLinear(
    [Math.min(0, ...ends), Math.max(1, ...ends)],
    [HEIGHT - EDGE.bottom, EDGE.top],
  ).nice(4);
  const x = scaleBand(
    bars.map((_, at) => at),
    [EDGE.left, WIDTH - EDGE.right],
  )
    .paddingInner(0.25)
    .paddingOuter(0.1);
  const width = Math.min(x.bandwidth(), 48);
  const left = (at: number) => (x(at) ?? 0) + (x.bandwidth() - width) / 2;
  const rects = stacked.flatMap((layer, index) =>
    layer.map(([from, to], at) =>
      from === to
        ? null
        : html`<rect class="${series[index]?.colour ?? ""}" x="${round(left(at))}" y="${round(y(Math.max(from, to)))}" width="${round(width)}" height="${round(Math.abs(y(from) - y(to)))}"/>`,
    ),
  );
  const ticks = y.ticks(4).filter(Number.isInteger);
  const grid = ticks.map(
    (tick) =>
      html`<line class="${tick === 0 ? "axis" : "grid"}" x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${round(y(tick))}" y2="${round(y(tick))}"/><text class="end" x="${EDGE.left - 6}" y="${round(y(tick) + 4)}">${short(Math.abs(tick))}</text>`,
  );
  // As many names as fit beside each other.
  const every = Math.max(1, Math.ceil(bars.length / 5));
  const names = bars.map((bar, at) =>
    at % every === 0
      ? html`<text class="middle" x="${round(left(at) + width / 2)}" y="${HEIGHT - 8}">${bar.label}</text>`
      : null,
  );
  return figure(
    chart,
    html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${chart.id}-title"><title id="${chart.id}-title">${chart.summary}</title>${grid}${rects}${names}</svg>`,
  );
}

/** One line for each bar, its name above it: for names that are long. */
export function barList(chart: Chart): Html {
  const { bars, series } = chart;
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const x = scaleLinear([0, Math.max(1, ...sums)], [0, WIDTH]);
  const rows = bars.map((bar, index) => {
    let from = 0;
    const parts = bar.values.map((value, at) => {
      const start = x(from);
      from += value;
      return value === 0
        ? null
        : html`<rect class="${series[at]?.colour ?? ""}" x="${round(start)}" y="0" width="${round(Math.max(1, x(value)))}" height="14"/>`;
    });
    return html`<li><span class="bar-name">${bar.label}</span> <span class="bar-sum">${grouped(sums[index] ?? 0)}</span><svg viewBox="0 0 ${WIDTH} 14" preserveAspectRatio="none" class="bar" aria-hidden="true">${parts}</svg></li>`;
  });
  return figure(chart, html`<ul class="bars" aria-label="${chart.summary}">${rows}</ul>`);
}

/** How many calls each stretch of a session made, the failed ones in another colour. */
export function strip(
  slices: readonly { readonly succeeded: number; readonly failed: number }[],
  summary: string,
  id: string,
): Html {
  const height = 44;
  const y = scaleLinear(
    [0, Math.max(1, ...slices.map((one) => one.succeeded + one.failed))],
    [0, height],
  );
  const x = scaleBand(
    slices.map((_, at) => at),
    [0, WIDTH],
  ).paddingInner(0.2);
  const width = round(x.bandwidth());
  const rects = slices.map(({ succeeded, failed }, at) => {
    const [good, bad] = [y(succeeded), y(failed)];
    const left = round(x(at) ?? 0);
    return html`<rect class="c1" x="${left}" y="${round(height - good)}" width="${width}" height="${round(good)}"/><rect class="c5" x="${left}" y="${round(height - good - bad)}" width="${width}" height="${round(bad)}"/>`;
  });
  return html`<svg class="strip" viewBox="0 0 ${WIDTH} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="${id}"><title id="${id}">${summary}</title><line class="axis" x1="0" x2="${WIDTH}" y1="${height}" y2="${height}"/>${rects}</svg>`;
}

function figure(chart: Chart, drawing: Html): Html {
  const { series, bars, summary } = chart;
  const legend = series.map(
    ({ name, colour }) =>
      html`<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="${colour}" width="10" height="10"/></svg>${name}</li>`,
  );
  const rows = bars.map(
    ({ label, values }) =>
      html`<tr><th scope="row">${label}</th>${values.map((value) => html`<td>${grouped(Math.abs(value))}</td>`)}</tr>`,
  );
  return html`<figure><ul class="legend">${legend}</ul>${drawing}<figcaption>${summary}</figcaption><details><summary>The numbers</summary><div class="scroll" tabindex="0" role="group" aria-label="The numbers of the chart"><table><thead><tr><td></td>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details></figure>`;
}

/** `1.2k`, for an axis. */
function short(value: number): string {
  if (value < 1000) return String(value);
  return value < 1_000_000 ? `${round(value / 1000)}k` : `${round(value / 1_000_000)}M`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
