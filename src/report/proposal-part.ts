/** One proposal: why, what the session shows of it, the skill, the diff, what the verifier says. */
import { REPORT_ORIGIN_TURNS_MAX, REPORT_OTHER_SESSIONS_MAX } from "../core/limits.ts";
import { count, cut, grouped, shortCommit } from "../core/text.ts";
import { OUTCOME_WORDS } from "../proposal/evidence.ts";
import type { Evidence } from "../proposal/proposal.ts";
import {
  evidenceSummary,
  otherSessionLines,
  reasonBeside,
  signalSentences,
} from "../proposal/proposal-words.ts";
import { diffPart, findingBox } from "./diff-part.ts";
import { type Html, html } from "./html.ts";
import { isMissing, type ReportProposal, type Sealed } from "./report-data.ts";
import { skillPart } from "./skill-part.ts";
import { linkedTurns, turnLink, type View } from "./view.ts";

/** Foreign text goes into a template, which escapes it. */
const AS_IT_IS = { code: (text: string) => text, text: (text: string) => text };

export function proposalPart(proposal: ReportProposal, anchor: string, view: View): Html {
  const { skill, operation, branch, commit, sealed, findings, foreignAuthor } = proposal;
  const evidence = isMissing(sealed) ? [] : sealed.evidence;
  const origin = originsOf(sealed, view);
  const noted = findings
    .slice(0, view.stage.findings)
    .map((finding, at) => ({ finding, id: `${anchor}-f${at + 1}` }));
  const facts = [
    operation === "ADD" ? "new skill" : "update",
    branch === null ? "sealed, on no branch" : branch,
    commit === null ? null : shortCommit(commit),
    foreignAuthor === null ? null : `with a commit by ${foreignAuthor}`,
  ].filter((fact) => fact !== null);
  return html`<article class="proposal" id="${anchor}"><h2>${skill}</h2><p class="facts">${facts.join(" · ")}</p>
<section><h3>Why</h3>${isMissing(sealed) ? html`<p class="missing">${sealed.missing}</p>` : whyPart(sealed, view)}</section>
<section><h3>Findings</h3>${findings.length === 0 ? html`<p class="good-note">The verifier found nothing to say.</p>` : html`<p>${count(findings.length, "finding")}; those about a line stand at it in the diff.${noted.length < findings.length ? ` The first ${noted.length} are shown.` : ""}</p><ul class="finding-list">${noted.map(({ finding, id }) => html`<li class="${finding.level}"><b>${finding.level}</b> <a href="#${id}"><code>${finding.rule}</code></a> ${finding.path === null ? null : html`<code>${finding.path}${finding.line === null ? "" : `:${finding.line}`}</code> `}${cut(finding.message, view.stage.text)}</li>`)}</ul>`}</section>
<section><h3>Evidence</h3>${isMissing(sealed) ? html`<p class="missing">${sealed.missing}</p>` : evidencePart(sealed, evidence, anchor, view)}</section>
<section><h3>The skill</h3>${skillPart(proposal, origin.of, view.stage)}</section>
<section><h3>The change</h3>${changePart(proposal, noted, origin.inLine, view)}</section></article>`;
}

function whyPart(sealed: Sealed, view: View): Html {
  const reason = reasonBeside(sealed);
  const { session, usage } = sealed;
  const signals = signalSentences(sealed.signals, AS_IT_IS, view.stage.line);
  const linked = (text: string) => linkedTurns(view, session.id, cut(text, view.stage.text));
  const incomplete = usage.incomplete
    ? html`<p class="missing">The review ended at its bound of rounds: it may be incomplete.</p>`
    : null;
  const tokens = usage.inputTokens + usage.outputTokens;
  const by = `Reviewed by ${usage.reviewer}${usage.model === null ? "" : ` (${usage.model})`}, ${tokens === 0 ? "without a model’s tokens" : `${grouped(tokens)} tokens in ${count(usage.turns, "round")}`}.`;
  return html`${reason === "" ? null : html`<p>${linked(reason)}</p>`}${signals.length === 0 ? null : html`<ul>${signals.map((one) => html`<li>${linked(one)}</li>`)}</ul>`}${reason === "" && signals.length === 0 ? html`<p class="missing">No reason was given.</p>` : null}<p class="facts">${by}</p>${incomplete}`;
}

/** Where a row of a skill's evidence stands. */
export function rowAnchor(anchor: string, row: number): string {
  return `${anchor}-e${row + 1}`;
}

function evidencePart(
  { session, alsoFrom }: Sealed,
  evidence: readonly Evidence[],
  anchor: string,
  view: View,
): Html {
  const others = otherSessionLines(alsoFrom, AS_IT_IS, {
    rows: REPORT_OTHER_SESSIONS_MAX,
    commandMax: view.stage.line,
  });
  const also =
    others.length === 0
      ? null
      : html`<h4>Other sessions that taught the same</h4><ul>${others.map((one) => html`<li>${one}</li>`)}</ul>`;
  if (evidence.length === 0) return html`<p>The skill names no command.</p>${also}`;
  const rows = evidence.map(
    ({ command, outcome, turns }, row) =>
      html`<tr id="${rowAnchor(anchor, row)}"><td><code>${cut(command, view.stage.line)}</code></td><td class="${outcome}">${OUTCOME_WORDS[outcome]}</td><td>${turns.map((turn) => html`${turnLink(view, session.id, turn)} `)}</td></tr>`,
  );
  return html`<p>${evidenceSummary(evidence)}</p><div class="scroll" tabindex="0" role="group" aria-label="Evidence"><table class="evidence"><thead><tr><th scope="col">Command in the skill</th><th scope="col">In the session</th><th scope="col">Turns</th></tr></thead><tbody>${rows}</tbody></table></div>${also}`;
}

function changePart(
  { diff }: ReportProposal,
  findings: Parameters<typeof diffPart>[1]["findings"],
  origin: (line: string) => Html | null,
  view: View,
): Html {
  const elsewhere = findings.filter(
    ({ finding }) => finding.path === null || isMissing(diff) || !diff.includes(finding.path),
  );
  const drawn = isMissing(diff)
    ? html`<p class="missing">${diff.missing}</p>`
    : diffPart(
        diff,
        { findings: findings.filter((one) => !elsewhere.includes(one)), origin },
        view.stage,
      );
  return html`${elsewhere.map((one) => findingBox(one, view.stage.text))}${drawn}`;
}

/** The turns of each command that the evidence has. */
function originsOf(sealed: ReportProposal["sealed"], view: View) {
  const rows = new Map<string, Evidence[]>();
  if (!isMissing(sealed))
    for (const row of sealed.evidence)
      rows.set(row.command, [...(rows.get(row.command) ?? []), row]);
  const id = isMissing(sealed) ? "" : sealed.session.id;
  const of = (command: string): Html | null => {
    const ways = rows.get(command);
    if (ways === undefined) return null;
    const links = ways.flatMap(({ outcome, turns }) =>
      turns.length === 0
        ? [html`<span class="turn">∅ not seen</span>`]
        : turns.slice(0, REPORT_ORIGIN_TURNS_MAX).map((turn) => turnLink(view, id, turn, outcome)),
    );
    return html` <span class="origin">${links}</span>`;
  };
  // The longest first: `npm test -- --seed 7` is no `npm test`.
  const commands = [...rows.keys()].sort((a, b) => b.length - a.length);
  const inLine = (line: string) => {
    const found = commands.find((command) => line.includes(command));
    return found === undefined ? null : of(found);
  };
  return { of, inLine };
}
