/** A unified diff, with the findings and the session's turns at the lines that they are about. */
import { count, cut } from "../core/text.ts";
import { type Html, html } from "./html.ts";
import { type DiffFile, parseDiff } from "./parse-diff.ts";
import type { ReportFinding } from "./report-data.ts";
import type { Stage } from "./view.ts";

/** Something to say at a line of the new file. */
export interface DiffNotes {
  readonly findings: readonly { readonly finding: ReportFinding; readonly id: string }[];
  /** What the session shows of the commands in a line; null when there is nothing. */
  readonly origin: (line: string) => Html | null;
}

export function diffPart(diff: string, notes: DiffNotes, stage: Stage): Html {
  let room = stage.diff;
  const files = parseDiff(diff).map((file) => {
    const lines = file.lines.slice(0, Math.max(0, room));
    room -= lines.length;
    return fileDiff({ ...file, lines }, file.lines.length - lines.length, notes, stage);
  });
  return html`${files}`;
}

function fileDiff(
  file: DiffFile,
  left: number,
  { findings, origin }: DiffNotes,
  stage: Stage,
): Html {
  const mine = findings.filter(({ finding }) => finding.path === file.path);
  const placed = new Set<string>();
  const lines = file.lines.map(({ kind, number, text }) => {
    const isNew = kind === "add" || kind === "same";
    const here = isNew ? mine.filter(({ finding }) => finding.line === number) : [];
    for (const { id } of here) placed.add(id);
    const from = isNew ? origin(text) : null;
    return html`<div class="l ${kind}"><span class="n" aria-hidden="true">${number}</span><code>${SIGN[kind]}${cut(text, stage.line)}</code>${from}</div>${here.map((one) => findingBox(one, stage.text))}`;
  });
  const others = mine.filter(({ id }) => !placed.has(id)).map((one) => findingBox(one, stage.text));
  const more =
    left === 0 ? null : html`<p class="quiet">${count(left, "more line")}, not shown here.</p>`;
  return html`<div class="file"><h4 class="path">${file.path}</h4>${others}<div class="diff">${lines}</div>${more}</div>`;
}

const SIGN = { add: "+", remove: "-", same: " ", hunk: "" } as const;

export function findingBox({ finding, id }: DiffNotes["findings"][number], most: number): Html {
  const { level, rule, message, hint } = finding;
  return html`<div class="finding ${level}" id="${id}"><strong>${level}</strong> <code>${rule}</code> ${cut(message, most)} <em>${cut(hint, most)}</em></div>`;
}
