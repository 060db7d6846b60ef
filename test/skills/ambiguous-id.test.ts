/** A strategy and a whole skill of one name: a mark must not go to the wrong one of them. */
import { describe, expect, it } from "vitest";
import { usedStrategies } from "../../src/review/skillbook/used-strategies.ts";
import { withMarks, withoutMarks } from "../../src/skills/join-marks.ts";
import { mergeImported } from "../../src/skills/merge-import.ts";
import type { TagOperation } from "../../src/skills/operation.ts";
import { rebaseSkillbook } from "../../src/skills/rebase-skillbook.ts";
import { NO_TAGS, tagsOf } from "../../src/skills/skill-tags.ts";
import {
  EMPTY_SKILLBOOK,
  renderSkillbook,
  type Skillbook,
  strategyOf,
} from "../../src/skills/skillbook.ts";
import { renderSkillbookFiles } from "../../src/skills/skillbook-files.ts";
import { marksByMonth, skillbookStats } from "../../src/skills/skillbook-stats.ts";
import { ok, read, sessionOf } from "../review/offline/session-of.ts";
import { findingsOf, personalText, ROOT, skillText } from "../verify/verify-input.ts";
import { ADD, applied, apply, tag } from "./skillbook-samples.ts";

const NAME = "release-flow";
const skills = new Set([NAME]);
/** The strategy came first, the folder later. */
const made = apply(EMPTY_SKILLBOOK, [ADD, { ...ADD, issue: "Named.", skill_id: NAME }]);
if (!made.ok) throw new Error("it applies");
const BOOK = made.skillbook;
const REMOVE = { type: "REMOVE", skill_id: NAME };

describe("a mark of an id that names both", () => {
  it("is refused, and the error names both and what to do", () => {
    const result = apply(BOOK, [tag(1, NAME)], { skills });
    expect(result).toEqual({
      ok: false,
      problems: [
        {
          code: "ambiguous_skill_id",
          operation: 0,
          field: "skill_id",
          message: `operation 0: skill_id "${NAME}" is both a strategy and the folder of a skill`,
          hint: expect.stringContaining("rename the skill's folder, or REMOVE the strategy"),
        },
      ],
    });
  });

  it("without such a folder, or for another, it is as before", () => {
    expect(apply(BOOK, [tag(1, NAME)])).toMatchObject({ ok: true });
    expect(apply(BOOK, [tag(1)], { skills })).toMatchObject({ ok: true });
  });

  it("what the error says helps: the strategy is removed, and the name is the skill's", () => {
    const update = { type: "UPDATE", skill_id: NAME, issue: "Better." };
    const result = apply(BOOK, [update, REMOVE, tag(-1, NAME), ADD], { skills });
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    expect(strategyOf(result.skillbook, NAME)).toMatchObject({
      harmful_count: 0,
      issue: "Better.",
    });
    expect(tagsOf(result.skillbook, NAME)).toMatchObject({ harmful_count: 1 });
  });

  it("that waited is named", () => {
    const marks = [tag(1, NAME)] as unknown as TagOperation[];
    const joined = withMarks(BOOK, [{ operations: marks }], skills);
    expect(joined).toEqual({
      skillbook: BOOK,
      dropped: [`a mark that waited for "${NAME}" no longer applies`],
    });
  });

  it("of the skill stays the skill's when it is applied again, or taken back", () => {
    const base = applied(BOOK, REMOVE);
    const mark = { ...tag(1, NAME), reason: "It helped." };
    const to = applied(base, mark);
    const { skillbook, dropped } = rebaseSkillbook(base, to, applied(base, ADD));
    expect(dropped).toEqual([]);
    expect(tagsOf(skillbook, NAME)).toMatchObject({
      helpful_count: 1,
      reasons: [{ type: "TAG", delta: 1, reason: "It helped." }],
    });
    expect(strategyOf(skillbook, NAME)).toEqual(strategyOf(base, NAME));
    const back = withoutMarks(to, [mark as unknown as TagOperation]);
    expect(tagsOf(back, NAME)).toMatchObject({ helpful_count: 0 });
  });

  it("of the strategy is applied again as that, also where the skill has old marks", () => {
    const both: Skillbook = { ...BOOK, skill_tags: { [NAME]: NO_TAGS } };
    const mark = apply(both, [tag(1, NAME)]);
    if (!mark.ok) throw new Error("it applies");
    const { skillbook, dropped } = rebaseSkillbook(both, mark.skillbook, both);
    expect(dropped).toEqual([]);
    expect(strategyOf(skillbook, NAME)).toMatchObject({ helpful_count: 1 });
  });

  it("isn't asked of a model: what a session shows is neither", () => {
    const known = { skillbook: BOOK, skills, skillsRoot: ".qwen/skills" };
    const session = sessionOf([
      "Hello.",
      read(".qwen/skills/release-flow/SKILL.md", "# Release"),
      ok(`echo [${NAME}]`),
      `As [${NAME}] and [context-00001] say.`,
    ]);
    expect(usedStrategies(session, null, known).map(({ id }) => id)).toEqual(["context-00001"]);
  });
});

it("import gives a strategy that is called like a skill another id, and says so", () => {
  const { skillbook, notes } = mergeImported(BOOK, EMPTY_SKILLBOOK, { skills, history: [] });
  expect(strategyOf(skillbook, NAME)).toBeNull();
  expect(strategyOf(skillbook, "context-00002")).toMatchObject({ issue: "Named." });
  expect(notes).toEqual([
    `"${NAME}" is the folder of a skill here, so that of the file is "context-00002"`,
  ]);
});

it("stats tell the two apart", () => {
  const marked = applied(applied(BOOK, tag(1, "context-00001")), REMOVE);
  const book: Skillbook = {
    ...marked,
    skill_tags: { [NAME]: { ...NO_TAGS, harmful_count: 2 } },
  };
  const strategy = { ...strategyOf(book, NAME), helpful_count: 3 } as never;
  const both = { ...book, skills: { ...book.skills, [NAME]: strategy } };
  expect(skillbookStats(both).marks.map(({ key, kind }) => `${key}: ${kind}`)).toEqual([
    "context-00001: context",
    `${NAME}: context`,
    `${NAME} (skill): skill`,
  ]);
  const [month] = marksByMonth([{ at: "2026-03-01T00:00:00Z", skillbook: both }]);
  expect(month?.marks).toMatchObject({
    [NAME]: { helpful: 3, harmful: 0 },
    [`${NAME} (skill)`]: { helpful: 0, harmful: 2 },
  });
});

describe("the verifier warns", () => {
  const treeOf = (book: Skillbook) =>
    Object.fromEntries(
      renderSkillbookFiles(book).map(({ path, content }) => [`${ROOT}/skillbook/${path}`, content]),
    );
  const SKILL = `${ROOT}/${NAME}/SKILL.md`;
  const warned = (options: Parameters<typeof findingsOf>[1]) =>
    findingsOf("structure.skillbook", options).map(({ level, path, message }) => {
      expect(message).toContain(`\`${NAME}\` is both a strategy of the Skillbook and the folder`);
      return `${level} ${path}`;
    });

  it("of a new skill that is called like a strategy in use", () => {
    const parent = treeOf(BOOK);
    const next = { ...parent, [SKILL]: skillText(NAME) };
    expect(warned({ parent, next })).toEqual([`warning ${SKILL}`]);
    const personal = { ...parent, [SKILL]: personalText(NAME) };
    expect(warned({ parent, next: personal, profile: "pull-request" })).toEqual([
      `warning ${SKILL}`,
    ]);
    const removed = treeOf(applied(BOOK, REMOVE));
    expect(warned({ parent: removed, next: { ...removed, [SKILL]: skillText(NAME) } })).toEqual([]);
  });

  it("of a new strategy that is called like a skill", () => {
    const parent = { [SKILL]: skillText(NAME) };
    const json = `${ROOT}/skillbook/skillbook.json`;
    expect(warned({ parent, next: { ...parent, ...treeOf(BOOK) } })).toEqual([`warning ${json}`]);
  });

  it("not again of what was so before", () => {
    const parent = { ...treeOf(BOOK), [SKILL]: skillText(NAME) };
    const other = `${ROOT}/labels/SKILL.md`;
    expect(warned({ parent, next: { ...parent, [other]: skillText("labels") } })).toEqual([]);
    expect(renderSkillbook(BOOK)).toContain(NAME);
  });
});
