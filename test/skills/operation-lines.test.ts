import { describe, expect, it } from "vitest";
import { STRATEGY_REASONS_MAX } from "../../src/core/limits.ts";
import type { Operation } from "../../src/skills/operation.ts";
import {
  changeLines,
  countByType,
  harmLines,
  operationLines,
  PLAIN_LINES,
} from "../../src/skills/operation-lines.ts";
import { rebaseSkillbook } from "../../src/skills/rebase-skillbook.ts";
import {
  EMPTY_SKILLBOOK,
  parseSkillbook,
  renderSkillbook,
  type Skillbook,
} from "../../src/skills/skillbook.ts";
import { ADD, applied, apply, HARNESS, ID, tag } from "./skillbook-samples.ts";

const BOOK = applied(EMPTY_SKILLBOOK, ADD, HARNESS);

function linesOf(before: Skillbook, ...operations: object[]): string[] {
  const result = apply(before, operations, { skills: new Set(["release-flow"]) });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return operationLines(operations as Operation[], result.ids, { before, after: result.skillbook });
}

describe("operations in words", () => {
  it("say what is new, what it was before, what a mark is about, and why", () => {
    const source = { trace_uid: "qwen-code:s1", display_name: "s1" };
    expect(
      linesOf(
        BOOK,
        { ...ADD, issue: "New.", insight: "Do it.", insight_source: [source, { trace_id: "s2" }] },
        { type: "UPDATE", skill_id: ID, issue: "Better." },
        { ...tag(-1, "harness-00002"), reason: "It misled (t4)." },
        tag(1, "release-flow"),
        { type: "REMOVE", skill_id: "harness-00002", reason: "Stale." },
      ),
    ).toEqual([
      "- **ADD** `context-00003`: New. → Do it. (seen in s1, s2)",
      `- **UPDATE** \`${ID}\`: now Better. → ${ADD.insight} Before: ${ADD.issue} → ${ADD.insight}`,
      `- **TAG** \`harness-00002\`: it harmed. ${HARNESS.issue} Because: It misled (t4).`,
      "- **TAG** `release-flow`: it helped. the skill",
      `- **REMOVE** \`harness-00002\`: no longer used. ${HARNESS.issue} Because: Stale.`,
    ]);
  });

  it("foreign words stay words: no mention, no markup, one line", () => {
    const [line] = linesOf(EMPTY_SKILLBOOK, {
      ...ADD,
      issue: "Ask @all\n\n# Fixes #1 <img>",
      insight: "[x](y)",
    });
    expect(line).toBe(
      "- **ADD** `context-00001`: Ask `@all` `#` Fixes `#1` &lt;img&gt; → \\[x\\](y)",
    );
  });

  it("are found again in the difference of two files", () => {
    const sourced = {
      ...tag(1),
      insight_source: { trace_uid: "qwen-code:s1", display_name: "s1" },
    };
    const marks = [tag(-1, "harness-00002"), tag(0), sourced, tag(1)];
    const after = applied(BOOK, ...marks, { ...ADD, issue: "New." });
    expect(changeLines(BOOK, after)).toEqual([
      `- **ADD** \`context-00003\`: New. → ${ADD.insight}`,
      `- **TAG** \`${ID}\`: it helped, 2 times. ${ADD.issue} → ${ADD.insight} (seen in s1)`,
      `- **TAG** \`${ID}\`: it made no difference. ${ADD.issue} → ${ADD.insight} (seen in s1)`,
      `- **TAG** \`harness-00002\`: it harmed. ${HARNESS.issue}`,
    ]);
    expect(changeLines(BOOK, BOOK)).toEqual([]);
  });

  it("with their reasons, and each mark with its own source, wherever they are told", () => {
    const from = (id: string) => ({
      insight_source: { trace_uid: `qwen-code:${id}`, display_name: id },
    });
    const operations = [
      { ...ADD, issue: "New.", justification: "It came up twice.", evidence: "See t3." },
      { type: "UPDATE", skill_id: ID, issue: "Better.", reason: "It was vague.", ...from("s1") },
      { ...tag(1, "harness-00002"), reason: "It saved a run.", ...from("s1") },
      { ...tag(1, "harness-00002"), reason: "The tests passed at once.", ...from("s2") },
      { ...tag(-1, "release-flow"), reason: "Its step 3 is old." },
    ];
    const after = applied(BOOK, ...operations);
    const expected = [
      `- **ADD** \`context-00003\`: New. → ${ADD.insight} Because: It came up twice. See t3.`,
      expect.stringMatching(/UPDATE.* now Better\..* Because: It was vague\. \(seen in s1\)$/),
      `- **TAG** \`harness-00002\`: it helped. ${HARNESS.issue} Because: It saved a run. (seen in s1)`,
      `- **TAG** \`harness-00002\`: it helped. ${HARNESS.issue} Because: The tests passed at once. (seen in s2)`,
      "- **TAG** `release-flow`: it harmed. the skill Because: Its step 3 is old.",
    ];
    expect(changeLines(BOOK, after)).toEqual(expected);
    // Also of a file that was written and read, and made again on a base that moved.
    const read = parseSkillbook(renderSkillbook(after));
    expect(read.ok && changeLines(BOOK, read.skillbook)).toEqual(expected);
    const moved = applied(BOOK, { ...tag(1, "harness-00002"), reason: "Theirs." });
    expect(changeLines(moved, rebaseSkillbook(BOOK, after, moved).skillbook)).toEqual(expected);
  });

  it("a mark of what the same proposal adds stands with it", () => {
    const after = applied(BOOK, { ...ADD, issue: "New." }, tag(-1, "context-00003"), {
      ...tag(-1, "context-00003"),
      reason: "It misled.",
    });
    expect(changeLines(BOOK, after)).toEqual([
      `- **ADD** \`context-00003\`: New. → ${ADD.insight} Marked since: it harmed, 2 times (It misled.).`,
    ]);
  });

  it("what the same proposal adds and removes is told as both, with the reason", () => {
    const remove = { type: "REMOVE", skill_id: "context-00003", reason: "It was wrong." };
    const after = applied(BOOK, { ...ADD, issue: "New." }, remove);
    expect(changeLines(BOOK, after)).toEqual([
      `- **ADD** \`context-00003\`: New. → ${ADD.insight}`,
      `- **REMOVE** \`context-00003\`: no longer used. New. → ${ADD.insight} Because: It was wrong.`,
    ]);
  });

  it("a trace that came with no change of the text is told", () => {
    const update = { type: "UPDATE", skill_id: ID, issue: ADD.issue };
    const after = applied(BOOK, { ...update, insight_source: { trace_uid: "qwen-code:s1" } });
    expect(changeLines(BOOK, after)).toEqual([
      `- **UPDATE** \`${ID}\`: its text stays: ${ADD.issue} → ${ADD.insight} (seen in qwen-code:s1)`,
    ]);
  });

  it("keeps the newest reasons, and leaves somebody else's field of that name alone", () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ ...tag(0), reason: `No. ${at}` }));
    const kept = applied(BOOK, ...many).skills[ID]?.reasons ?? [];
    expect([kept.length, kept.at(-1)]).toEqual([
      STRATEGY_REASONS_MAX,
      { type: "TAG", delta: 0, reason: "No. 29" },
    ]);
    const strategy = { ...BOOK.skills[ID], reasons: "theirs" };
    const theirs = { ...BOOK, skills: { ...BOOK.skills, [ID]: strategy } } as unknown as Skillbook;
    expect(applied(theirs, ...many).skills[ID]?.reasons).toBe("theirs");
    expect(changeLines(theirs, applied(theirs, ...many))).toHaveLength(1);
  });

  it("on a terminal: without markup, and without what a terminal would obey", () => {
    const after = applied(BOOK, { ...ADD, issue: "Ask *@all*.", insight: "N" });
    expect(changeLines(BOOK, after, PLAIN_LINES)).toEqual(["- ADD context-00003: Ask *@all*. → N"]);
  });

  it("many traces are counted", () => {
    const insight_source = Array.from({ length: 20 }, (_, n) => ({ trace_id: `s${n}` }));
    const [line] = linesOf(EMPTY_SKILLBOOK, { ...ADD, insight_source });
    expect(line).toContain("s6, s7 and 12 more)");
  });
});

it("warns of what harms more than it helps, as long as it is in use", () => {
  const even = applied(BOOK, tag(1), tag(-1), tag(-1, "harness-00002"), tag(-1, "release-flow"));
  expect(harmLines(even)).toEqual([
    expect.stringContaining("`harness-00002` harmed 1 time"),
    expect.stringContaining("`release-flow` harmed 1 time"),
  ]);
  const removed = applied(even, { type: "REMOVE", skill_id: "harness-00002" });
  expect(harmLines(removed)).toHaveLength(1);
});

it("counts operations by type", () => {
  const of = (...types: Operation["type"][]) => countByType(types.map((type) => ({ type })));
  expect(of("TAG", "ADD", "TAG")).toBe("1 ADD, 2 TAG");
  expect(of()).toBe("");
});
