import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rebaseSkillbook } from "../../src/skills/rebase-skillbook.ts";
import { EMPTY_SKILLBOOK, type Skillbook, strategyOf } from "../../src/skills/skillbook.ts";
import { ADD, applied, apply, HARNESS, ID, tag } from "./skillbook-samples.ts";

const BASE = applied(EMPTY_SKILLBOOK, ADD, HARNESS);
const other = (issue: string) => ({ ...ADD, issue });

describe("the same changes on a base that moved", () => {
  it("new strategies get new ids, with what was said of them", () => {
    const to = applied(BASE, other("Mine."), tag(1, "context-00003"));
    const onto = applied(BASE, other("Theirs."));
    const { skillbook, ids, dropped } = rebaseSkillbook(BASE, to, onto);
    expect([...ids]).toEqual([["context-00003", "context-00004"]]);
    expect(strategyOf(skillbook, "context-00003")?.issue).toBe("Theirs.");
    expect(strategyOf(skillbook, "context-00004")).toMatchObject({
      issue: "Mine.",
      helpful_count: 1,
    });
    expect(skillbook.sections.context).toEqual([ID, "context-00003", "context-00004"]);
    expect(skillbook.next_id).toBe(4);
    expect(dropped).toEqual([]);
  });

  it("marks add up, for whole skills too", () => {
    const mark = [tag(1), tag(-1), tag(0, "release-flow")];
    const { skillbook } = rebaseSkillbook(BASE, applied(BASE, ...mark), applied(BASE, ...mark));
    expect(strategyOf(skillbook, ID)).toMatchObject({ helpful_count: 2, harmful_count: 2 });
    expect(skillbook.skill_tags?.["release-flow"]).toMatchObject({ neutral_count: 2 });
  });

  it("a skill whose folder is called like what every object has is marked like any other", () => {
    const mark = (book: Skillbook) => {
      const result = apply(book, [tag(1, "constructor")], { skills: new Set(["constructor"]) });
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      return result.skillbook;
    };
    const { skillbook } = rebaseSkillbook(BASE, mark(BASE), mark(BASE));
    expect(skillbook.skill_tags?.["constructor"]).toMatchObject({ helpful_count: 2 });
  });

  it("what no longer applies is named, and the rest is done", () => {
    const to = applied(BASE, tag(1), {
      type: "UPDATE",
      skill_id: "harness-00002",
      issue: "Better.",
    });
    const onto = applied(BASE, { type: "REMOVE", skill_id: ID });
    const { skillbook, dropped } = rebaseSkillbook(BASE, to, onto);
    expect(dropped).toEqual([`TAG ${ID} no longer applies: "${ID}" was removed`]);
    expect(strategyOf(skillbook, "harness-00002")?.issue).toBe("Better.");
  });

  it("what the base has learned meanwhile isn't added twice", () => {
    const to = applied(BASE, other("Both."));
    const { skillbook, ids, dropped } = rebaseSkillbook(
      BASE,
      to,
      applied(BASE, HARNESS, other("Both.")),
    );
    expect(ids.get("context-00003")).toBe("context-00004");
    expect(Object.keys(skillbook.skills)).toHaveLength(4);
    expect(dropped).toEqual([expect.stringContaining("context-00004 says the same already")]);
  });

  it("an id of somebody's own is kept where it is free", () => {
    const to = applied(BASE, { ...other("Mine."), skill_id: "own" });
    expect(rebaseSkillbook(BASE, to, BASE).ids.get("own")).toBe("own");
    const taken = applied(BASE, { ...other("Theirs."), skill_id: "own" });
    expect(rebaseSkillbook(BASE, to, taken).ids.get("own")).toBe("context-00003");
  });
});

const words = fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 6 });
/** Additions, marks and removals of what the base has. */
const changes = fc.array(
  fc.oneof(
    words.map((parts) => other(parts.join(" "))),
    fc.constantFrom(tag(1), tag(-1), tag(0), tag(1, "harness-00002")),
  ),
  { maxLength: 6 },
);

/** What a Skillbook says, without ids. */
function contents(book: Skillbook): string[] {
  return Object.values(book.skills)
    .map(({ id: _, ...rest }) => JSON.stringify(rest))
    .toSorted();
}

describe("whatever was done", () => {
  it("on the base itself it gives what it gave", () => {
    fc.assert(
      fc.property(changes, (operations) => {
        const to = applied(BASE, ...operations);
        const { skillbook } = rebaseSkillbook(BASE, to, BASE);
        // Two additions that say the same are one.
        expect(new Set(contents(skillbook))).toEqual(new Set(contents(to)));
      }),
    );
  });

  it("two batches in either order, ids given again, give the same strategies", () => {
    fc.assert(
      fc.property(changes, changes, (one, two) => {
        const [first, second] = [applied(BASE, ...one), applied(BASE, ...two)];
        const there = rebaseSkillbook(BASE, second, first).skillbook;
        const back = rebaseSkillbook(BASE, first, second).skillbook;
        expect(new Set(contents(there))).toEqual(new Set(contents(back)));
        for (const book of [there, back]) {
          const listed = [...book.sections.context, ...book.sections.harness];
          expect(listed.toSorted()).toEqual(Object.keys(book.skills).toSorted());
        }
      }),
    );
  });
});
