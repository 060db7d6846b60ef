/** Where the Skillbook is nearly full, people are told before a change is refused. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkSkillbook } from "../src/check-skillbook.ts";
import {
  SKILL_FILE_MAX_BYTES,
  SKILLBOOK_FILE_MAX_BYTES,
  SKILLBOOK_FULL_SHARE,
  SKILLBOOK_REFERENCE_MAX_BYTES,
  STRATEGY_TEXT_MAX_CHARS,
} from "../src/core/limits.ts";
import { DEFAULT_RULE_LEVELS } from "../src/core/rule-levels.ts";
import { openRepository } from "../src/git/repository.ts";
import { showProposal } from "../src/proposals.ts";
import { pullRequestText } from "../src/publish/pull-request-text.ts";
import { EMPTY_SKILLBOOK, type Skillbook } from "../src/skills/skillbook.ts";
import { renderSkillbookFiles } from "../src/skills/skillbook-files.ts";
import { limitWarnings } from "../src/skills/skillbook-limits.ts";
import { readTemplate } from "../src/templates.ts";
import { sampleProposal } from "./proposal/sample-proposal.ts";
import { ADD, applied, bookOf } from "./skills/skillbook-samples.ts";
import { applyIn } from "./support/apply-run.ts";
import { temporaryRepository } from "./support/temp-repository.ts";
import { findingsOf, ROOT } from "./verify/verify-input.ts";

const text = (at: number) => `${at} `.padEnd(STRATEGY_TEXT_MAX_CHARS, "long text ");
const long = (n: number) =>
  Array.from({ length: n }, (_, at) => ({ ...ADD, issue: text(at), insight: text(at) }));
const NEAR = Math.ceil((SKILLBOOK_FULL_SHARE * SKILLBOOK_REFERENCE_MAX_BYTES) / 3070);
const config = {
  base: "main",
  publish: "branch",
  rules: DEFAULT_RULE_LEVELS,
  skillsRoot: ".qwen/skills",
} as const;
const REFERENCE = /^references\/context\.md has \d+ of at most \d+ bytes \(8\d %\).*REMOVE/;

const sizeOf = (book: Skillbook, path: string) =>
  Buffer.byteLength(renderSkillbookFiles(book).find((each) => each.path === path)?.content ?? "");

/** With a field of somebody else's that brings a file to a size. */
function ofSize(bytes: number): Skillbook {
  const book = { ...EMPTY_SKILLBOOK, note: "" } as Skillbook;
  const rest = bytes - sizeOf(book, "skillbook.json");
  return { ...book, note: "x".repeat(rest) } as Skillbook;
}

describe("a limit of the Skillbook", () => {
  it("is told of from its share on, to the byte", () => {
    const near = Math.ceil(SKILLBOOK_FULL_SHARE * SKILLBOOK_FILE_MAX_BYTES);
    expect(limitWarnings(ofSize(near - 1))).toEqual([]);
    const [json, all] = limitWarnings(ofSize(near));
    expect(json).toContain(`skillbook.json has ${near} of at most ${SKILLBOOK_FILE_MAX_BYTES}`);
    expect(json).toContain("(80 %)");
    expect(json).toContain("in a pull request of your own");
    expect(all).toBeUndefined();
  });

  it("each file has its own, and all together have one", () => {
    const [json, all] = limitWarnings(ofSize(SKILLBOOK_FILE_MAX_BYTES));
    expect([json, all]).toEqual([
      expect.stringContaining("(100 %)"),
      expect.stringMatching(/^the Skillbook’s files together have \d+ /),
    ]);
    const names = (n: number) => {
      const keywords = Array.from({ length: 20 }, (_, at) => `${"k".repeat(75)}${at}`);
      return applied(
        EMPTY_SKILLBOOK,
        ...Array.from({ length: n }, (_, at) => ({ ...ADD, keywords, issue: `${at}` })),
      );
    };
    const index = names(34);
    expect(sizeOf(index, "SKILL.md")).toBeGreaterThan(SKILLBOOK_FULL_SHARE * SKILL_FILE_MAX_BYTES);
    expect(limitWarnings(index)).toEqual([expect.stringMatching(/^SKILL\.md has .*REMOVE/)]);
    expect(limitWarnings(bookOf(120))).toEqual([]);
  });

  it("one that is exceeded says how to make room", () => {
    const next = (book: Skillbook) =>
      Object.fromEntries(
        renderSkillbookFiles(book).map(({ path, content }) => [
          `${ROOT}/skillbook/${path}`,
          content,
        ]),
      );
    const findings = findingsOf("structure.size", {
      next: next(ofSize(SKILLBOOK_FILE_MAX_BYTES + 1)),
    });
    expect(findings.map(({ hint }) => hint)).toEqual([
      expect.stringMatching(/^Keep|^In a pull request of your own/),
    ]);
    const large = applied(EMPTY_SKILLBOOK, ...long(70));
    expect(findingsOf("structure.size", { next: next(large) })).toEqual([
      expect.objectContaining({ hint: "REMOVE strategies that harm, or that nobody needs." }),
    ]);
  });
});

it("apply, show, the page of the pull request and validate say so", {
  timeout: 60_000,
}, async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "# Project\n" } });
  const { dir } = repository;
  const outcome = await applyIn(dir, long(NEAR));
  expect(outcome.status).toBe("proposed");
  expect(outcome.warnings).toEqual([expect.stringMatching(REFERENCE)]);
  const place = { repository: await openRepository(dir), config };
  expect((await showProposal(place, "skillbook")).operations.at(-1)).toMatch(/^- references/);
  await repository.git("checkout", "--quiet", "auto-skill/skillbook");
  const file = join(dir, ".qwen/skills/skillbook/skillbook.json");
  const check = await checkSkillbook(file, false);
  expect(check).toMatchObject({ ok: true, warnings: [expect.stringMatching(REFERENCE)] });

  const after = applied(EMPTY_SKILLBOOK, ...long(NEAR));
  const page = (book: Skillbook) =>
    pullRequestText({
      proposal: sampleProposal({ skill: "skillbook" }),
      findings: [],
      template: readTemplate("skillbook-pull-request.md"),
      operation: "ADD",
      baseRef: "main",
      handOver: { branch: "auto-skill/skillbook", stopLabel: "skillpr: stop" },
      skillbook: { before: EMPTY_SKILLBOOK, after: book, wasOpen: null },
    }).body;
  expect(page(after)).toMatch(/### Nearly full\n\n- references\/context\.md has .*\.\n/);
  expect(page(bookOf(2))).not.toContain("Nearly full");
});
