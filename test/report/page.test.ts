/** The page without a browser: its bound, its policy, and what its parts make of odd input. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import * as limits from "../../src/core/limits.ts";
import { strip } from "../../src/report/charts.ts";
import { escapeHtml, html } from "../../src/report/html.ts";
import { renderMarkdown } from "../../src/report/markdown.ts";
import { reportPage } from "../../src/report/page.ts";
import { parseDiff } from "../../src/report/parse-diff.ts";
import { isMissing, type ReportData } from "../../src/report/report-data.ts";
import { chosen } from "../../src/report/timeline.ts";
import { PAGE_STYLE, sampleReport } from "./sample-report.ts";

describe("a giant report", () => {
  test("stays within its bound, says that it is shortened, and keeps what matters", async () => {
    const page = reportPage(await giant("a few words of it "), PAGE_STYLE);
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(limits.REPORT_MAX_BYTES);
    expect(page).toContain("so it is shortened");
    expect(page).toContain("turns left out");
    // Every turn that the signals name is still there.
    for (const turn of ["t3", "t7", "t14"]) expect(page).toContain(`id="s1-${turn}"`);
  });

  test("also where every character takes the most bytes", async () => {
    const page = reportPage(await giant("\u{e0041}\u0000'\"&"), PAGE_STYLE);
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(limits.REPORT_MAX_BYTES);
  });

  test("a small one is shown whole", async () => {
    const page = reportPage(await sampleReport(), PAGE_STYLE);
    expect(page).not.toContain("shortened");
    expect(page).not.toContain("left out");
    expect(page.match(/<li class="t /g)).toHaveLength(17);
  });
});

describe("the chart of tokens", () => {
  test("tells apart what was sent, and adds up to what the server counted", async () => {
    const page = reportPage(await sampleReport(), PAGE_STYLE);
    expect(legendOfTokens(page)).toEqual([
      "the session",
      "instructions and tools",
      "what its tools answered",
      "its own words, sent again",
      "answered",
    ]);
    const numbers = numbersOfTokens(page);
    expect(numbers).toHaveLength(5);
    expect(numbers.slice(0, 4).reduce((sum, one) => sum + one, 0)).toBe(41_200);
    expect(numbers[4]).toBe(2300);
    // By its share of the bytes: 66,000 of 164,000.
    expect(numbers[1]).toBe(Math.round((41_200 * 66_000) / 164_000));
  });

  test("where nothing is known of parts, there is one for all that was sent", async () => {
    const page = reportPage(withoutParts(await sampleReport()), PAGE_STYLE);
    expect(legendOfTokens(page)).toEqual(["sent", "answered"]);
    expect(numbersOfTokens(page)).toEqual([41_200, 2300]);
  });

  test("where it is known of some reviews only, the first part says so", async () => {
    const sample = await sampleReport();
    const older = withoutParts(sample).proposals.map((one) =>
      isMissing(one.sealed)
        ? one
        : {
            ...one,
            sealed: { ...one.sealed, session: { ...one.sealed.session, digest: "sha256:0" } },
          },
    );
    const both = { ...sample, proposals: [...sample.proposals, ...older] };
    const page = reportPage(both, PAGE_STYLE);
    expect(legendOfTokens(page)[0]).toBe("the session, or all where it isn&#39;t told apart");
    expect(numbersOfTokens(page).slice(5)).toEqual([41_200, 0, 0, 0, 2300]);
  });
});

function withoutParts(data: ReportData): ReportData {
  const proposals = data.proposals.map((one) => {
    if (isMissing(one.sealed)) return one;
    const { parts: _, ...usage } = one.sealed.usage;
    return { ...one, sealed: { ...one.sealed, usage } };
  });
  return { ...data, proposals };
}

function tokensOf(page: string): string {
  return page.slice(page.indexOf("<h3>Tokens</h3>"), page.indexOf("<h3>The Skillbook</h3>"));
}

function legendOfTokens(page: string): string[] {
  const legend = tokensOf(page).split('<ul class="legend">')[1]?.split("</ul>")[0] ?? "";
  return legend
    .replaceAll(/<svg.*?<\/svg>/g, "")
    .split("</li>")
    .map((item) => item.replace("<li>", ""))
    .filter((item) => item !== "");
}

function numbersOfTokens(page: string): number[] {
  const cells = tokensOf(page).matchAll(/<td>([\d,]+)<\/td>/g);
  return Array.from(cells, ([, number = ""]) => Number(number.replaceAll(",", "")));
}

/** As much of everything as the data may hold. */
async function giant(text: string): Promise<ReportData> {
  const sample = await sampleReport();
  const [proposal] = sample.proposals;
  const [session] = sample.sessions;
  if (proposal === undefined || session === undefined) throw new Error("an empty sample");
  const [turn] = session.timeline.turns;
  if (turn === undefined) throw new Error("an empty timeline");
  const long = (length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
  const call = {
    name: long(600),
    what: long(600),
    outcome: "failure",
    exitCode: 1,
    result: long(1000),
  } as const;
  const content = `${long(120)}\n`.repeat(500);
  const lines = content.split("\n").slice(0, -1);
  const diff = `--- /dev/null\n+++ b/x\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join("\n")}\n`;
  const { timeline } = session;
  const turns = Array.from({ length: 280 }, (_, at) => ({
    ...turn,
    id: `t${at + 100}`,
    skipped: at % 3,
    text: long(2000),
    calls: Array.from({ length: 40 }, () => call),
  }));
  const proposals = Array.from({ length: limits.REPORT_PROPOSALS_MAX }, (_, at) => ({
    ...proposal,
    skill: `skill-${at}`,
    files: Array.from({ length: 4 }, (_, n) => ({ path: `file-${n}.txt`, text: content })),
    diff,
    findings: Array.from({ length: limits.FINDINGS_MAX }, () => ({
      rule: "content.example",
      level: "warning" as const,
      path: null,
      line: null,
      message: long(2000),
      hint: long(2000),
    })),
  }));
  const sessions = Array.from({ length: limits.REPORT_PROPOSALS_MAX }, (_, at) => ({
    ...session,
    id: at === 0 ? session.id : `session-${at}`,
    timeline: { ...timeline, turnCount: 100_000, turns: [...timeline.turns, ...turns] },
  }));
  return { ...sample, proposals, sessions };
}

test("the policy names the one style by its hash and allows nothing else", async () => {
  const page = reportPage(await sampleReport(), PAGE_STYLE);
  const hash = createHash("sha256").update(PAGE_STYLE).digest("base64");
  expect(page).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  );
  expect(page.indexOf("Content-Security-Policy")).toBeLessThan(page.indexOf("<style>"));
});

test("a template escapes what is put into it, and only that", () => {
  const list = ["<a>", html`<b>${"&"}</b>`, null, 3];
  expect(html`<p title="${`"'`}">${list}</p>`.text).toBe(
    '<p title="&quot;&#39;">&lt;a&gt;<b>&amp;</b>3</p>',
  );
  expect(escapeHtml("a\u202eb\u0000\n")).toBe("a\\u{202e}b\\u{0}\n");
});

describe("rendered Markdown", () => {
  test("keeps the lines of a code block behind a paragraph of a tight list", () => {
    const { text } = renderMarkdown("1. do\n   ```diff\n   -a\n   +b\n   ```\n2. x\n", 5);
    expect(text).toContain("<code>-a\n+b\n</code>");
  });
  test("skips no level of headings", () => {
    const levels = renderMarkdown("# A\n\n### B\n\n## C\n\n# D\n\n###### E", 4).text.match(/<h\d/g);
    expect(levels).toEqual(["<h4", "<h5", "<h5", "<h4", "<h5"]);
  });
  test("goes on counting where the list does", () => {
    expect(renderMarkdown("3. c\n4. d", 4).text).toContain('<ol start="3">');
  });
});

describe("a diff", () => {
  test("is taken apart by the counts of its hunks", () => {
    const diff = [
      "diff --git a/x.md b/x.md",
      "--- a/x.md",
      "+++ b/x.md",
      "@@ -1,3 +1,3 @@",
      " same",
      "--- a/looks-like-a-header",
      "+++ b/looks-like-one-too",
      "-@@ -1 +1 @@",
      "+last",
      "\\ No newline at end of file",
      "diff --git a/y b/y",
      "--- a/y",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-gone",
    ].join("\n");
    expect(parseDiff(diff)).toEqual([
      {
        path: "x.md",
        lines: [
          { kind: "hunk", number: null, text: "@@ -1,3 +1,3 @@" },
          { kind: "same", number: 1, text: "same" },
          { kind: "remove", number: 2, text: "-- a/looks-like-a-header" },
          { kind: "add", number: 2, text: "++ b/looks-like-one-too" },
          { kind: "remove", number: 3, text: "@@ -1 +1 @@" },
          { kind: "add", number: 3, text: "last" },
        ],
      },
      {
        path: "y",
        lines: [
          { kind: "hunk", number: null, text: "@@ -1 +0,0 @@" },
          { kind: "remove", number: 1, text: "gone" },
        ],
      },
    ]);
  });
});

test("what is chosen of a list stays in order, with what was passed over before each", () => {
  const kept = chosen([0, 1, 2, 3, 4, 5], 3, (item) => (item % 2 === 1 ? 1 : 0));
  expect(kept).toEqual([
    { item: 1, skipped: 1 },
    { item: 3, skipped: 1 },
    { item: 5, skipped: 1 },
  ]);
});

test("a strip draws each slice as high as its calls", () => {
  const { text } = strip(
    [
      { succeeded: 3, failed: 1 },
      { succeeded: 0, failed: 0 },
    ],
    "calls",
    "x",
  );
  expect([...text.matchAll(/height="([\d.]+)"/g)].map(([, height]) => height)).toEqual([
    "33",
    "11",
    "0",
    "0",
  ]);
});
