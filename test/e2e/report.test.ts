/** `skillpr report`, as a user calls it: on a terminal, as JSON, as a page. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ReportData } from "../../src/report/report-data.ts";
import { beside, DEMO_SESSION, reviewDemo, runCli } from "../support/built-cli.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

test("a proposal with its session, in three forms", async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
  expect((await reviewDemo(repository)).code).toBe(0);

  const lines = await runCli(repository, ["report", "--transcript", DEMO_SESSION]);
  expect(lines).toMatchObject({ code: 0 });
  for (const said of [
    "npm test: failed (t3)",
    "  t3        failure: npm test",
    "+# `npm test` fails",
  ])
    expect(lines.stdout).toContain(said);
  expect(lines.stdout).toContain("This repository has no accepted Skillbook.");

  const page = join(beside(repository, "out"), "report.html");
  const made = await runCli(repository, [
    ...["report", "--html", page, "--json"],
    ...["--transcript", DEMO_SESSION],
  ]);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const data = made.json<ReportData>();
  expect(data.proposals).toHaveLength(1);
  expect(data.sessions).toMatchObject([{ timeline: { isWhole: true, turnCount: 17 } }]);
  const html = readFileSync(page, "utf8");
  expect(html).toContain("default-src &#39;none&#39;".replaceAll("&#39;", "'"));
  expect(html).not.toContain("<script");
  expect(html).toContain('id="s1-t14"');
  expect(statSync(page).mode & 0o777).toBe(0o600);
}, 120_000);

test("what isn't at hand is said", async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
  const empty = await runCli(repository, ["report"]);
  expect(empty).toMatchObject({ code: 0 });
  expect(empty.stdout).toContain("No proposal is waiting here.");
  expect(empty.stdout).toContain("there is no queue");

  const out = beside(repository, "sealed");
  expect((await reviewDemo(repository, "--publish", "none", "--out", out)).code).toBe(0);
  const data = (
    await runCli(repository, ["report", "--proposals", out, "--json"])
  ).json<ReportData>();
  expect(data.proposals).toMatchObject([{ branch: null, operation: "ADD" }]);
  expect(data.proposals[0]?.diff).toContain("+---");
  expect(data.sessions[0]?.timeline.isWhole).toBe(false);
  expect(data.sessions[0]?.notes[0]).toContain("was not found on this machine");
  expect(data.sessions[0]?.timeline.turns.map(({ id }) => id)).toContain("t14");

  const off = await runCli(repository, ["report", "--proposals", out, "--no-sessions", "--json"]);
  expect(off.json<ReportData>().sessions[0]?.notes[0]).toContain("--no-sessions");
}, 120_000);

test("what can't be done is said, with what to do", async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
  const unknown = await runCli(repository, ["report", "no-such-skill"]);
  expect(unknown).toMatchObject({ code: 1 });
  expect(unknown.stderr).toContain("no open proposal");
  const file = join(repository.home, "missing", "report.html");
  const nowhere = await runCli(repository, ["report", "--html", file]);
  expect(nowhere).toMatchObject({ code: 1 });
  expect(nowhere.stderr).toContain("can't be written");
  expect(existsSync(file)).toBe(false);
});
