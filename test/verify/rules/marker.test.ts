import { describe, expect, it } from "vitest";
import { verify } from "../../../src/verify/verify.ts";
import {
  FLOW,
  findingsOf,
  flow,
  flowChanged,
  inputOf,
  personalText,
  ROOT,
  rulesOf,
} from "../verify-input.ts";

const RULE = "structure.marker";
const REFERENCE = `${ROOT}/release-flow/references/a.md`;
const hand = personalText("release-flow");

describe("structure.marker", () => {
  it("accepts an edit of a marked skill, also with another valid place for the marker", () => {
    expect(rulesOf({ parent: { [FLOW]: flow }, next: { [FLOW]: flowChanged } })).toEqual([]);
    const topLevel = flow.replace(
      "metadata:\n  source: auto-skill\n",
      "source: auto-skill\nmetadata:\n",
    );
    expect(rulesOf({ parent: { [FLOW]: topLevel }, next: { [FLOW]: flowChanged } })).toEqual([]);
  });

  it("refuses an edit of a skill that a person wrote, marked now or not, at every changed file", () => {
    const next = { [FLOW]: flow, [REFERENCE]: "x\n" };
    const found = findingsOf(RULE, { parent: { [FLOW]: hand }, next });
    expect(found.map(({ path }) => path)).toEqual([FLOW, REFERENCE]);
    expect(found[0]?.message).toBe(
      "This skill appears to be user-created (its parent version doesn't carry the line `source: auto-skill`).",
    );
    const added = { [FLOW]: hand, [REFERENCE]: "x\n" };
    expect(findingsOf(RULE, { parent: { [FLOW]: hand }, next: added })[1]?.message).toContain(
      "user-created",
    );
  });

  it("refuses a parent whose marker is broken, and says how", () => {
    const quotedMarker = flow.replace("source: auto-skill", "source: 'auto-skill'");
    const found = findingsOf(RULE, { parent: { [FLOW]: quotedMarker }, next: { [FLOW]: flow } });
    expect(found[0]?.message).toContain("not the plain line");
  });

  it("takes a folder that holds files without a SKILL.md for user-created", () => {
    const parent = { [`${ROOT}/release-flow/notes.txt`]: "x" };
    const found = findingsOf(RULE, { parent, next: { ...parent, [FLOW]: flow } });
    expect(found).toMatchObject([{ path: FLOW, message: expect.stringContaining("user-created") }]);
  });

  it("refuses an edit that drops the marker, with the line where it is broken", () => {
    const parent = { [FLOW]: flow };
    expect(findingsOf(RULE, { parent, next: { [FLOW]: hand } })).toMatchObject([
      { message: "The new version doesn't carry the line `source: auto-skill`." },
    ]);
    const commented = flowChanged.replace("auto-skill\n", "auto-skill # mine\n");
    expect(findingsOf(RULE, { parent, next: { [FLOW]: commented } })).toMatchObject([{ line: 6 }]);
  });

  it("refuses what can't be read", () => {
    const bytes = new Uint8Array([0xff, 0xfe, 0x00]);
    expect(findingsOf(RULE, { next: { [FLOW]: bytes } })).toHaveLength(1);
    expect(findingsOf(RULE, { next: { [FLOW]: flow }, unloaded: [FLOW] })).toHaveLength(1);
    const parent = { [FLOW]: bytes };
    expect(findingsOf(RULE, { parent, next: { [FLOW]: flow } })).toHaveLength(1);
  });
});

describe("structure.marker in a pull request", () => {
  const profile = "pull-request";

  it("leaves a person's skill alone: edited, new, or with another source", () => {
    const edited = hand.replace("By hand", "By hand again");
    expect(rulesOf({ profile, parent: { [FLOW]: hand }, next: { [FLOW]: edited } })).toEqual([]);
    expect(rulesOf({ profile, next: { [FLOW]: hand } })).toEqual([]);
    const learned = personalText("release-flow", "source: learned\n");
    expect(rulesOf({ profile, next: { [FLOW]: learned } })).toEqual([]);
  });

  it("notes that a person takes an auto-skill over by removing the marker, and lets it pass", () => {
    const next = { [FLOW]: hand.replace("---\n\n", "paths: [a]\n---\n\n") };
    const found = verify(inputOf({ profile, parent: { [FLOW]: flow }, next }));
    expect(found).toMatchObject([
      { rule: RULE, level: "warning", path: FLOW, message: expect.stringContaining("is removed") },
    ]);
  });

  it("lets a person delete a skill, marked or not, and no SKILL.md alone", () => {
    const parent = { [FLOW]: flow, [REFERENCE]: "x\n" };
    expect(rulesOf({ profile, parent, next: {} })).toEqual([]);
    expect(rulesOf({ profile, parent: { [FLOW]: hand }, next: {} })).toEqual([]);
    const left = verify(inputOf({ profile, parent, next: { [REFERENCE]: "x\n" } }));
    expect(left).toMatchObject([{ rule: "structure.skill-file", path: REFERENCE }]);
  });

  it.each([
    ["becomes marked", hand, flow],
    ["has a broken marker", null, flow.replace("auto-skill", "'auto-skill'")],
    ["hides the marker in a broken frontmatter", null, flow.replace("name:", "name: a: b:")],
  ])("holds for a skill that %s", (_name, before, after) => {
    const parent = before === null ? {} : { [FLOW]: before };
    expect(findingsOf(RULE, { profile, parent, next: { [FLOW]: after } })).not.toEqual([]);
  });
});
