/**
 * The report as one HTML page that needs nothing else: no script, no request, one style that its
 * policy names by hash. What doesn't fit into REPORT_MAX_BYTES is shortened in stages, and said so.
 */
import { createHash } from "node:crypto";
import * as limits from "../core/limits.ts";
import { count } from "../core/text.ts";
import { Html, html } from "./html.ts";
import { numbersPart } from "./numbers-part.ts";
import { proposalPart, rowAnchor } from "./proposal-part.ts";
import { isMissing, type ReportData } from "./report-data.ts";
import { type RowLink, sessionPart } from "./timeline-part.ts";
import { leastSize, viewOf } from "./view.ts";

/**
 * @param style the page's style sheet, `templates/report/page.css`
 * @returns at most REPORT_MAX_BYTES bytes of UTF-8
 */
export function reportPage(data: ReportData, style: string): string {
  for (const [at, stage] of limits.REPORT_STAGES.entries()) {
    // What is far too large isn't made first: it may be hundreds of megabytes.
    if (leastSize(data, stage) > limits.REPORT_MAX_BYTES) continue;
    const page = pageAt(data, style, at);
    if (Buffer.byteLength(page) <= limits.REPORT_MAX_BYTES) return page;
  }
  throw new Error("the last stage of a report is larger than a report may be");
}

function pageAt(data: ReportData, style: string, at: number): string {
  const stage = limits.REPORT_STAGES[at] ?? limits.REPORT_STAGES[0];
  const proposals = data.proposals.slice(0, stage.proposals);
  const sessions = data.sessions.slice(0, stage.proposals);
  const leftOut = data.leftOut + data.proposals.length - proposals.length;
  const view = viewOf({ ...data, sessions }, stage);
  // The same skill may be proposed from two sessions.
  const anchors = new Map(
    proposals.map(({ skill, sealed }, index) => [
      `${isMissing(sealed) ? "" : sealed.session.id} ${skill}`,
      `p${index + 1}`,
    ]),
  );
  const rowLink: RowLink = (sessionId, skill, row) => {
    const anchor = anchors.get(`${sessionId} ${skill}`);
    return anchor === undefined ? null : `#${rowAnchor(anchor, row)}`;
  };
  const notes = [
    at === 0
      ? null
      : `All of it would be larger than ${limits.REPORT_MAX_BYTES / 1024 / 1024} MB, so it is shortened.`,
    leftOut === 0 ? null : `${count(leftOut, "more proposal")} are not in it: name one to see it.`,
    sessions.length < data.sessions.length
      ? `${count(data.sessions.length - sessions.length, "more session")} not shown here.`
      : null,
    proposals.length === 0 ? "No proposal is open here." : null,
  ].filter((note) => note !== null);
  const body = html`${header(data, proposals)}<main id="main">${notes.map((note) => html`<p class="missing">${note}</p>`)}${proposals.map((proposal, index) => proposalPart(proposal, `p${index + 1}`, view))}${sessionsPart(view, rowLink)}<section id="numbers"><h2>Numbers</h2>${numbersPart(data)}</section></main><footer><p>Made by skillpr at ${data.generatedAt.slice(0, 16).replace("T", " ")} UTC. Secrets are replaced; still, look before you pass it on.</p></footer>`;
  return document(`skillpr: ${data.repository}`, style, body).text;
}

function sessionsPart(view: ReturnType<typeof viewOf>, rowLink: RowLink): Html {
  const sessions = [...view.sessions.values()];
  if (sessions.length === 0)
    return html`<section id="sessions"><h2>Sessions</h2><p class="missing">No session is known for what is shown here.</p></section>`;
  return html`<section id="sessions"><h2>${sessions.length === 1 ? "The session" : "The sessions"}</h2>${sessions.map((session) => sessionPart(session, view, rowLink))}</section>`;
}

function header({ repository, sessions }: ReportData, proposals: ReportData["proposals"]): Html {
  const findings = proposals.flatMap((proposal) => proposal.findings);
  const errors = findings.filter(({ level }) => level === "error").length;
  const facts = [
    count(proposals.length, "proposal"),
    count(sessions.length, "session"),
    `${count(findings.length, "finding")}${errors === 0 ? "" : `, ${count(errors, "error")}`}`,
  ];
  const links = proposals.map(({ skill }, at) => html`<li><a href="#p${at + 1}">${skill}</a></li>`);
  return html`<header><a class="skip" href="#main">To the content</a><p class="brand">skillpr report</p><h1>${repository}</h1><p class="facts">${facts.join(" · ")}</p><nav aria-label="Parts of the report"><ul>${links}<li><a href="#sessions">Sessions</a></li><li><a href="#numbers">Numbers</a></li></ul></nav></header>`;
}

function document(title: string, style: string, body: Html): Html {
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
