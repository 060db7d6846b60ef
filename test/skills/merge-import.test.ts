import { describe, expect, it } from "vitest";
import { UPDATE_BATCH_MAX_OPERATIONS } from "../../src/core/limits.ts";
import { marksText, parseMarks } from "../../src/publish/marks-branch.ts";
import { importSkillbook } from "../../src/skills/import-skillbook.ts";
import { withMarks, withoutMarks } from "../../src/skills/join-marks.ts";
import { marksBetween, shareOut } from "../../src/skills/marks-between.ts";
import { mergeImported } from "../../src/skills/merge-import.ts";
import type { TagOperation } from "../../src/skills/operation.ts";
import { changeLines } from "../../src/skills/operation-lines.ts";
import { operationsBetween } from "../../src/skills/operations-between.ts";
import { rebaseSkillbook } from "../../src/skills/rebase-skillbook.ts";
import {
  EMPTY_SKILLBOOK,
  renderSkillbook,
  type Skillbook,
  strategyOf,
} from "../../src/skills/skillbook.ts";
import { ADD, applied, apply, HARNESS, ID, tag } from "./skillbook-samples.ts";

const AT = "2026-01-01T00:00:00.000Z";
const DECISION = {
  decision: "KEEP",
  reasoning: "Two things",
  decided_at: "2026-04-01",
  similarity_at_decision: 0.8,
};
const SOURCE = { trace_uid: "qwen-code:s1", relation: "seed" };
const made = apply(
  EMPTY_SKILLBOOK,
  [
    { ...ADD, insight_source: SOURCE, reason: "It was seen." },
    HARNESS,
    tag(1),
    tag(1, "release-flow"),
  ],
  { at: AT, skills: new Set(["release-flow"]) },
);
if (!made.ok) throw new Error(JSON.stringify(made.problems));
const OURS = made.skillbook;

/** What a merge gives, after the file was written and read like any other. */
function merged(file: object, onto: Skillbook, history: readonly Skillbook[] = []) {
  const imported = importSkillbook(JSON.stringify(file));
  if (!imported.ok) throw new Error(JSON.stringify(imported.problems));
  const known = { skills: new Set(["release-flow"]), history };
  return mergeImported(imported.skillbook, onto, known);
}

type File = { skills: Record<string, Record<string, unknown>>; skill_tags?: unknown };

/** As ACE saves what it loaded: only its own fields, and the names of every trace written out. */
function savedByAce(book: Skillbook): File {
  const file = JSON.parse(renderSkillbook(book)) as File;
  delete file.skill_tags;
  for (const each of Object.values(file.skills)) {
    delete each["reasons"];
    delete each["removed_reason"];
    each["occurrences"] = (each["occurrences"] as { trace_uid: string }[]).map((source) => ({
      ...source,
      source_system: source.trace_uid.split(":")[0],
      trace_id: source.trace_uid.split(":")[1],
      display_name: source.trace_uid,
    }));
  }
  return file;
}

function changed(book: Skillbook, id: string, fields: object): File {
  const file = savedByAce(book);
  file.skills[id] = { ...file.skills[id], ...fields };
  return file;
}

describe("what an import brings to a Skillbook that has it already", () => {
  it("our own file changes nothing, however often it comes", () => {
    const own = JSON.parse(renderSkillbook(OURS)) as object;
    const { skillbook, notes } = merged(own, OURS);
    expect(skillbook).toEqual(OURS);
    expect(notes).toEqual(["2 strategies are here already"]);
    expect(merged(savedByAce(OURS), OURS).skillbook).toEqual(OURS);
  });

  it("a file without dates counts once too", () => {
    const old = { skills: { a: { section: "A", content: "Do it.", helpful: 2 } } };
    const once = merged(old, OURS).skillbook;
    expect(Object.keys(once.skills)).toHaveLength(3);
    expect(merged(old, once).skillbook).toEqual(once);
  });

  it("higher counts and new traces are taken over as marks, the difference alone", () => {
    const occurrences = [SOURCE, { trace_uid: "ace:t9", relation: "supporting" }];
    const file = changed(OURS, ID, { helpful_count: 3, harmful_count: 1, occurrences });
    const { skillbook, notes } = merged(file, OURS);
    expect(skillbook.skills[ID]).toMatchObject({ helpful_count: 3, harmful_count: 1 });
    expect(skillbook.skills[ID]?.occurrences.map((each) => each["trace_uid"])).toEqual([
      "qwen-code:s1",
      "ace:t9",
    ]);
    expect(skillbook.skills[ID]?.reasons).toEqual(OURS.skills[ID]?.reasons);
    expect(notes[0]).toBe(
      `"${ID}" is known here; from the file it gets 2 helpful marks, 1 harmful mark, 1 source`,
    );
    expect(operationsBetween(OURS, skillbook).operations.map(({ type }) => type)).toEqual([
      "TAG",
      "TAG",
      "TAG",
    ]);
    expect(merged(file, skillbook).skillbook).toEqual(skillbook);
  });

  it("how often it was used alone is told as an UPDATE that changes no text", () => {
    const { skillbook } = merged(changed(OURS, ID, { used_count: 3 }), OURS);
    expect(skillbook.skills[ID]?.used_count).toBe(3);
    const { operations } = operationsBetween(OURS, skillbook);
    expect(operations).toMatchObject([{ type: "UPDATE", skill_id: ID, issue: ADD.issue }]);
    expect(changeLines(OURS, skillbook)).toEqual([
      expect.stringContaining("It was used 3 times more."),
    ]);
    // Made again on another base, it adds up as marks do.
    const onto = changed(OURS, ID, { used_count: 2 });
    const again = rebaseSkillbook(OURS, skillbook, merged(onto, OURS).skillbook).skillbook;
    expect(again.skills[ID]?.used_count).toBe(5);
  });

  it("with a mark, how often it was used waits and comes in with it", () => {
    const file = changed(OURS, ID, { used_count: 3, helpful_count: 3 });
    const { skillbook } = merged(file, OURS);
    const marks = marksBetween(OURS, skillbook);
    expect(marks).toMatchObject([{ type: "TAG", used: 3 }, { type: "TAG" }]);
    expect(operationsBetween(OURS, skillbook).operations).toHaveLength(2);
    const kept = parseMarks(marksText({ operations: marks }));
    const joined = withMarks(OURS, [kept ?? { operations: [] }], new Set()).skillbook;
    expect(joined.skills[ID]).toMatchObject({ used_count: 3, helpful_count: 3 });
    expect(withoutMarks(joined, marks).skills[ID]).toMatchObject({ used_count: 0 });
    // Of two batches one is known: the rest has the uses that it doesn't have.
    const known = [{ ...tag(1), used: 1 }] as TagOperation[];
    const { rest } = shareOut(marks, [{ operations: known }]);
    expect(rest).toMatchObject([{ type: "TAG", used: 2 }]);
  });

  it("a changed text is an UPDATE, and a removal a REMOVE, of the same strategy", () => {
    const file = changed(OURS, ID, { insight: "ACE's own." });
    file.skills["harness-00002"] = { ...file.skills["harness-00002"], active: false };
    const { skillbook, notes } = merged(file, OURS);
    expect(Object.keys(skillbook.skills)).toHaveLength(2);
    expect(skillbook.skills[ID]?.insight).toBe("ACE's own.");
    expect(skillbook.skills["harness-00002"]?.active).toBe(false);
    expect(operationsBetween(OURS, skillbook).operations.map(({ type }) => type)).toEqual([
      "UPDATE",
      "REMOVE",
    ]);
    expect(notes).toEqual([
      `"${ID}" is known here; from the file it gets its changed text`,
      '"harness-00002" is known here; from the file it gets its removal',
    ]);
  });

  it("the insight of a harness strategy can be emptied, though no operation can", () => {
    const book = applied(OURS, { ...HARNESS, issue: "Full.", insight: "Do it." });
    const file = changed(book, "harness-00003", { insight: null });
    const { skillbook, notes } = merged(file, book);
    expect(skillbook.skills["harness-00003"]?.insight).toBeNull();
    expect(notes).toContainEqual(expect.stringContaining("its changed text"));
    const { operations } = operationsBetween(book, skillbook);
    expect(operations).toMatchObject([{ type: "UPDATE", skill_id: "harness-00003" }]);
    expect(changeLines(book, skillbook)[0]).toContain("now Full. Before: Full. → Do it.");
    const onto = applied(book, { ...ADD, issue: "In between." });
    const again = rebaseSkillbook(book, skillbook, onto);
    expect(again.skillbook.skills["harness-00003"]?.insight).toBeNull();
    const other = applied(book, {
      type: "UPDATE",
      skill_id: "harness-00003",
      issue: "Full.",
      insight: "Else.",
    });
    const both = rebaseSkillbook(book, skillbook, other);
    expect(both.skillbook.skills["harness-00003"]?.insight).toBeNull();
    expect(both.dropped[0]).toContain("both changed its insight");
    expect(rebaseSkillbook(book, skillbook, skillbook).skillbook).toEqual(skillbook);
  });

  it("of a context strategy an empty insight changes nothing", () => {
    const { skillbook, notes } = merged(changed(OURS, ID, { insight: null }), OURS);
    expect(skillbook).toEqual(OURS);
    expect(notes).toEqual(["2 strategies are here already"]);
  });

  it("a text that stood here before is no change: what was changed here since stays", () => {
    const now = applied(OURS, { type: "UPDATE", skill_id: ID, issue: "Better." });
    const { skillbook } = merged(savedByAce(OURS), now, [now, OURS]);
    expect(skillbook).toEqual(now);
  });

  it("what was removed here stays removed, and that is said of what the file goes on with", () => {
    const now = applied(OURS, { type: "REMOVE", skill_id: ID, reason: "Stale." });
    const { skillbook, notes } = merged(changed(OURS, ID, { helpful_count: 9 }), now, [OURS]);
    expect(skillbook).toEqual(now);
    expect(notes[0]).toContain("nothing: it was removed here");
  });

  it("a similarity decision alone is told as an UPDATE that changes no text", () => {
    const pair = `${ID},harness-00002`;
    const file = { ...savedByAce(OURS), similarity_decisions: { [pair]: DECISION } };
    const { skillbook, notes } = merged(file, OURS);
    expect(skillbook.similarity_decisions).toEqual({ [pair]: DECISION });
    expect(notes).toContain(`from the file, "${ID}" and "harness-00002" stay apart`);
    const { operations } = operationsBetween(OURS, skillbook);
    expect(operations).toMatchObject([{ type: "UPDATE", skill_id: ID, issue: ADD.issue }]);
    expect(changeLines(OURS, skillbook)[0]).toContain(
      "stays apart from `harness-00002`: Two things",
    );
    expect(merged(file, skillbook).skillbook).toEqual(skillbook);
  });

  it("a similarity decision is about the ids that its strategies get here", () => {
    const one = { section: "context", issue: "One.", insight: "N", created_at: "2025-05-05" };
    const theirs = {
      schema_version: "2",
      skills: { [ID]: one, "a b": { ...one, issue: "Two." }, gone: { ...one, active: false } },
      similarity_decisions: {
        [`a b,${ID}`]: DECISION,
        [`${ID},gone`]: DECISION,
        [`${ID},harness-00002`]: DECISION,
      },
    };
    const { skillbook, notes } = merged(theirs, OURS);
    expect(skillbook.skills["context-00003"]?.issue).toBe("One.");
    expect(skillbook.skills["imported-2"]?.issue).toBe("Two.");
    expect(skillbook.similarity_decisions).toEqual({ "context-00003,imported-2": DECISION });
    expect(notes).toContainEqual(expect.stringMatching(/^1 similarity decision is left out/));
    expect(notes.join()).not.toContain("stay apart");
    // Made again on another base, they go with their strategies.
    const onto = applied(OURS, { ...ADD, issue: "In between." });
    const again = rebaseSkillbook(OURS, skillbook, onto).skillbook;
    expect(again.skills["context-00004"]?.issue).toBe("One.");
    expect(again.similarity_decisions).toEqual({ "context-00004,imported-2": DECISION });
    const read = importSkillbook(JSON.stringify(theirs));
    expect(read).toMatchObject({
      mapped: expect.arrayContaining([
        "1 similarity decision is left out: the file doesn't have both strategies",
      ]),
    });
  });

  it("another strategy under a taken id gets a new one", () => {
    const file = changed(OURS, ID, { issue: "Another.", created_at: "2025-05-05T00:00:00Z" });
    const { skillbook, notes } = merged(file, OURS);
    expect(skillbook.skills[ID]?.issue).toBe(ADD.issue);
    expect(skillbook.skills["context-00003"]?.issue).toBe("Another.");
    expect(notes).toContain(
      `"${ID}" is another strategy here, so that of the file is "context-00003"`,
    );
  });

  it("without a moment in either, the id says which strategy is meant", () => {
    const undated = applied(EMPTY_SKILLBOOK, ADD, HARNESS);
    const file = changed(undated, ID, { issue: "Better said.", insight: "Otherwise." });
    const { skillbook } = merged(file, undated);
    expect(Object.keys(skillbook.skills)).toHaveLength(2);
    expect(skillbook.skills[ID]?.issue).toBe("Better said.");
  });

  it("where ACE made a moment up, it is what shares something with ours", () => {
    const undated = applied(EMPTY_SKILLBOOK, ADD, HARNESS);
    const file = changed(undated, ID, { issue: "Better said.", created_at: AT });
    expect(Object.keys(merged(file, undated).skillbook.skills)).toHaveLength(2);
    const other = changed(undated, ID, { issue: "Else.", insight: "Else.", created_at: AT });
    expect(Object.keys(merged(other, undated).skillbook.skills)).toHaveLength(3);
  });

  it("new strategies stand in the order of the file's sections", () => {
    const of = (issue: string) => ({ section: "context", issue, insight: "N" });
    const file = {
      schema_version: "2",
      skills: { "2": of("Two."), "10": of("Ten."), "my skill": of("Mine."), [ID]: of("One.") },
      sections: { context: ["10", "my skill", ID, "2"] },
    };
    const { skillbook } = merged(file, OURS);
    const issues = (book: Skillbook) =>
      book.sections.context.map((id) => strategyOf(book, id)?.issue);
    const all = [ADD.issue, "Ten.", "Mine.", "One.", "Two."];
    expect(issues(skillbook)).toEqual(all);
    // Made again on another base, too.
    const onto = applied(OURS, { ...ADD, issue: "In between." });
    const again = rebaseSkillbook(OURS, skillbook, onto).skillbook;
    expect(issues(again)).toEqual([ADD.issue, "In between.", ...all.slice(1)]);
  });

  it("marks of skills: the higher counts, of skills that are here", () => {
    const tags = { helpful_count: 4, harmful_count: 0, neutral_count: 0, occurrences: [] };
    const file = { ...savedByAce(OURS), skill_tags: { "release-flow": tags, gone: tags } };
    const { skillbook, notes } = merged(file, OURS);
    expect(skillbook.skill_tags).toMatchObject({ "release-flow": { helpful_count: 4 } });
    expect(skillbook.skill_tags).not.toHaveProperty("gone");
    expect(notes).toContain('the marks of "gone" are left out: there is no such skill here');
    expect(merged(file, skillbook).skillbook).toEqual(skillbook);
  });

  it("a count that nobody could have given is taken over as far as a batch goes", () => {
    const file = changed(OURS, ID, { helpful_count: Number.MAX_SAFE_INTEGER });
    const { skillbook } = merged(file, OURS);
    expect(skillbook.skills[ID]?.helpful_count).toBe(1 + UPDATE_BATCH_MAX_OPERATIONS);
  });
});
