/** The page in a real browser: nothing runs, nothing leaves, everybody can read it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { reportPage } from "../../src/report/page.ts";
import { isMissing, type ReportData, type ReportProposal } from "../../src/report/report-data.ts";
import { launchBrowser, openPage, SKIP_BROWSER } from "../support/browser.ts";
import { hostileReport } from "./hostile-report.ts";
import { PAGE_STYLE, sampleReport } from "./sample-report.ts";

/** `SCREENSHOTS=dir` leaves pictures there; `report.png` of them is the README's. */
const SCREENSHOTS = process.env["SCREENSHOTS"];

/** Run in the page; strings, because the types of a browser aren't those of this project. */
const HIT = "window.hit";
const WIDTH = "document.documentElement.scrollWidth";
const OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true";
const PRESS_ALL = `for (const one of document.querySelectorAll("a, summary, [tabindex]")) {
  one.focus();
  one.click();
  one.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
}`;
const LOOK = `(() => {
  const all = [...document.querySelectorAll("*")];
  const active = /^(script|iframe|object|embed|img|form|input|base|link|math)$/i;
  return {
    active: all.filter((one) => active.test(one.tagName)).map((one) => one.outerHTML),
    attributes: all.flatMap((one) => [...one.attributes].map(({ name }) => name).filter((name) => /^on|^style$|^src/.test(name))),
    links: [...document.querySelectorAll("a")].map((one) => one.getAttribute("href")).filter((href) => !/^#[\\w-]+$/.test(href)),
    styles: document.querySelectorAll("style").length,
    text: document.body.textContent,
  };
})()`;
const REACHABLE = `[...document.querySelectorAll("a, summary, [tabindex]")].filter((one) => one.checkVisibility()).length`;
const FOCUSED = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const isSeen = outlineStyle !== "none" && outlineWidth !== "0px";
  return { place: [...document.querySelectorAll("*")].indexOf(one), isSeen };
})()`;
const BROKEN_LINKS = `[...document.querySelectorAll("a")].map((one) => one.getAttribute("href")).filter((href) => document.getElementById(href.slice(1)) === null)`;
const TWICE = `(() => {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
})()`;

interface Looked {
  readonly active: readonly string[];
  readonly attributes: readonly string[];
  readonly links: readonly string[];
  readonly styles: number;
  readonly text: string;
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

describe.skipIf(SKIP_BROWSER)("the page of a report, in Chromium", () => {
  let browser: Browser;
  let dir: string;
  let files: { sample: string; hostile: string };

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "skillpr-report-"));
    files = { sample: join(dir, "sample.html"), hostile: join(dir, "hostile.html") };
    writeFileSync(files.sample, reportPage(await sampleReport(), PAGE_STYLE));
    writeFileSync(files.hostile, reportPage(await hostileReport(), PAGE_STYLE));
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test("the attacks do what they say, where nothing stops them", async () => {
    const file = join(dir, "open.html");
    writeFileSync(file, "<script>window.hit = 1</script><img src='http://127.0.0.1:9/pixel.png'>");
    const { page, requests } = await openPage(browser, file);
    expect(await page.evaluate(HIT)).toBe(1);
    expect(requests).toEqual(["http://127.0.0.1:9/pixel.png"]);
  });

  test("hostile content runs nothing and asks for nothing", async () => {
    const { page, requests, tried, messages, events } = await openPage(browser, files.hostile);
    // Everything that can be opened is opened, everything that can be pressed is pressed.
    await page.evaluate(OPEN_ALL);
    await page.evaluate(PRESS_ALL);
    await page.waitForTimeout(300);
    expect(await page.evaluate(HIT)).toBeUndefined();
    expect({ requests, tried, messages, events }).toEqual({
      requests: [],
      tried: [],
      messages: [],
      events: [],
    });
    expect(page.url().split("#")[0]).toBe(`file://${files.hostile}`);
  });

  test("it holds no element and no attribute that could do anything, and shows what was hidden", async () => {
    const { page } = await openPage(browser, files.hostile);
    const found = await page.evaluate<Looked>(LOOK);
    expect(found).toMatchObject({ active: [], attributes: [], links: [], styles: 1 });
    for (const shown of ["<!-- hidden words -->", "\\u{202e}gnp.exe", "(javascript:window.hit=1)"])
      expect(found.text).toContain(shown);
    expect(found.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
  });

  test("without our escaping the policy alone would stop scripts and requests", async () => {
    const page = readFileSync(files.sample, "utf8").replace(
      "</main>",
      "<script>window.hit = 1</script><img src='http://127.0.0.1:9/pixel.png' onerror='window.hit=2'><p style='color:red'>x</p></main>",
    );
    const file = join(dir, "unescaped.html");
    writeFileSync(file, page);
    const opened = await openPage(browser, file);
    await opened.page.waitForTimeout(200);
    expect(await opened.page.evaluate(HIT)).toBeUndefined();
    expect(opened.requests).toEqual([]);
    expect(opened.messages.length).toBeGreaterThanOrEqual(3);
  });

  for (const scheme of ["light", "dark"] as const)
    for (const name of ["sample", "hostile"] as const)
      test(`axe finds nothing (${scheme}, ${name})`, async () => {
        const { page } = await openPage(browser, files[name], { scheme });
        await page.evaluate(OPEN_ALL);
        // Into the page's world from outside: its policy allows no script of its own.
        await page.evaluate(axe.source);
        const violations = await page.evaluate<Violation[]>(
          "axe.run(document).then(({ violations }) => violations)",
        );
        const told = violations.map(({ id, nodes }) => ({
          id,
          first: nodes
            .slice(0, 2)
            .map(({ html, failureSummary }) => [html.slice(0, 300), failureSummary]),
        }));
        expect(told).toEqual([]);
      });

  test("a command that ran in many turns has links that a finger can tell apart", async () => {
    const file = join(dir, "crowded.html");
    writeFileSync(file, reportPage(crowded(await sampleReport()), PAGE_STYLE));
    const { page } = await openPage(browser, file, { width: 390 });
    await page.evaluate(axe.source);
    const nodes = await page.evaluate<string[]>(
      `axe.run(document, { runOnly: ["target-size"] }).then(({ violations }) =>
        violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)))`,
    );
    expect(await page.locator(".evidence a.turn").count()).toBeGreaterThan(8);
    expect(nodes).toEqual([]);
  });

  test("a word without an end in a table leaves the cell beside it readable", async () => {
    const file = join(dir, "table.html");
    writeFileSync(file, reportPage(withLongWord(await sampleReport()), PAGE_STYLE));
    const { page } = await openPage(browser, file, { width: 390 });
    const cell = page.locator("td:has(code:text('curl example.com'))");
    const [box, view] = [await cell.boundingBox(), 390];
    expect((box?.x ?? view) + (box?.width ?? 0)).toBeLessThanOrEqual(view);
    expect(box?.height).toBeLessThan(400);
    expect(box?.width).toBeGreaterThan(60);
  });

  test("everything is reached by the keyboard, and one sees where one is", async () => {
    const { page } = await openPage(browser, files.sample);
    const wanted = await page.evaluate<number>(REACHABLE);
    const seen = new Set<string>();
    let invisible = 0;
    for (let at = 0; at < wanted; at += 1) {
      await page.keyboard.press("Tab");
      const now = await page.evaluate<{ place: number; isSeen: boolean } | null>(FOCUSED);
      if (now === null) continue;
      seen.add(String(now.place));
      if (!now.isSeen) invisible += 1;
    }
    expect(seen.size).toBe(wanted);
    expect(invisible).toBe(0);
    await page.keyboard.press("Home");
    await page.locator("details summary").first().focus();
    await page.keyboard.press("Enter");
    expect(await page.locator("details").first().getAttribute("open")).not.toBeNull();
  });

  test("every link leads somewhere", async () => {
    const { page } = await openPage(browser, files.sample);
    expect(await page.evaluate(BROKEN_LINKS)).toEqual([]);
    expect(await page.evaluate(TWICE)).toEqual([]);
  });

  for (const width of [320, 390, 768])
    for (const name of ["sample", "hostile"] as const)
      test(`fits ${width} pixels (${name})`, async () => {
        const { page } = await openPage(browser, files[name], { width });
        await page.evaluate(OPEN_ALL);
        expect(await page.evaluate(WIDTH)).toBeLessThanOrEqual(width);
      });

  test.runIf(SCREENSHOTS)(
    "pictures",
    async () => {
      for (const [name, scheme, width] of [
        ["light", "light", 1100],
        ["dark", "dark", 1100],
        ["phone", "light", 390],
        ["phone-dark", "dark", 390],
      ] as const) {
        const { page } = await openPage(browser, files.sample, { scheme, width });
        await page.screenshot({ path: join(SCREENSHOTS ?? "", `${name}.png`), fullPage: true });
        await page.context().close();
      }
      const { page } = await openPage(browser, files.hostile);
      await page.screenshot({ path: join(SCREENSHOTS ?? "", "hostile.png"), fullPage: false });
      await takeOverview(browser, files.sample, join(SCREENSHOTS ?? "", "report.png"));
    },
    300_000,
  );
});

/** The same with commands that ran in many turns, as in long sessions. */
function crowded(report: ReportData): ReportData {
  return withProposal(report, (proposal) => {
    if (isMissing(proposal.sealed)) throw new Error("the sample has its evidence");
    const turns = Array.from({ length: 12 }, (_, at) => `t${at + 2}`);
    const evidence = proposal.sealed.evidence.map((row) => ({ ...row, turns }));
    return { ...proposal, sealed: { ...proposal.sealed, evidence } };
  });
}

function withLongWord(report: ReportData): ReportData {
  const text = `# T\n\n| a | b |\n|---|---|\n| ${"longword".repeat(30)} | \`curl example.com --output script.sh\` |\n`;
  return withProposal(report, (proposal) => ({ ...proposal, files: [{ path: "SKILL.md", text }] }));
}

function withProposal(
  report: ReportData,
  change: (proposal: ReportProposal) => ReportProposal,
): ReportData {
  return { ...report, proposals: report.proposals.map(change) };
}

/** A skill by day, its session by night and the numbers on a phone, beside each other. */
async function takeOverview(browser: Browser, file: string, picture: string): Promise<void> {
  const height = 1240;
  const views = [
    { scheme: "light", width: 720, from: "article h3:text('The skill')" },
    { scheme: "dark", width: 720, from: "#sessions" },
    { scheme: "light", width: 372, from: "#numbers" },
  ] as const;
  const shots: string[] = [];
  for (const { scheme, width, from } of views) {
    const { page } = await openPage(browser, file, { scheme, width });
    const box = await page.locator(from).first().boundingBox();
    const clip = { x: 0, y: Math.max(0, (box?.y ?? 0) - 24), width, height };
    shots.push((await page.screenshot({ clip, fullPage: true })).toString("base64"));
    await page.context().close();
  }
  const width = views.reduce((sum, one) => sum + one.width, 0);
  const page = await browser.newPage({ viewport: { width, height } });
  const images = shots.map((shot) => `<img src="data:image/png;base64,${shot}">`).join("");
  await page.setContent(`<body style="margin: 0; display: flex">${images}</body>`);
  await page.screenshot({ path: picture });
  await page.close();
}
