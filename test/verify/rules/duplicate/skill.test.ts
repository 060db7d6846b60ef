import { describe, expect, it } from "vitest";
import { DUPLICATE_NEW_MAX } from "../../../../src/core/limits.ts";
import { summarizeSkill } from "../../../../src/skills/skill-summary.ts";
import { verify } from "../../../../src/verify/verify.ts";
import { findingsOf, inputOf, ROOT, skillText } from "../../verify-input.ts";

const RULE = "duplicate.skill";
const pathOf = (name: string) => `${ROOT}/${name}/SKILL.md`;
const RELEASE = pathOf("release");
const STEPS = `# Release

1. Run the tests and read the changelog for what is missing.
2. Raise the version in the manifest, and commit it on a branch.
3. Tag the commit after the pull request was merged, then push the tag.
4. Watch the pipeline until the package is published, and install it once.`;
const REWORDED = `# Publishing a version

First run all tests; read the changelog and add what is missing. Raise the version of the manifest and
commit on a branch. When the pull request is merged, tag that commit and push the tag. Watch the
pipeline: the package must be published. Install it.`;
const OTHER = `# Labels

Every parcel has a label. Its printer wants millimetres, the carrier's service sends inches: convert
before drawing, and compare one printed sheet with the sample in the warehouse folder.`;

const release = skillText("release", { body: STEPS });

describe("duplicate.skill", () => {
  it("names the skill that a reworded copy should have improved", () => {
    const parent = { [RELEASE]: release };
    const next = { ...parent, [pathOf("publish")]: skillText("publish", { body: REWORDED }) };
    expect(findingsOf(RULE, { parent, next })).toMatchObject([
      {
        level: "warning",
        path: pathOf("publish"),
        line: 1,
        message: expect.stringContaining("`.qwen/skills/release/SKILL.md`"),
        hint: "Add what is new to `release` instead.",
      },
    ]);
  });

  it("finds nothing in another lesson, in an update, and in texts of a few words", () => {
    const parent = { [RELEASE]: release, [pathOf("short")]: skillText("short") };
    const others = {
      [pathOf("labels")]: skillText("labels", { body: OTHER }),
      [pathOf("brief")]: skillText("brief"),
      [RELEASE]: skillText("release", { body: `${STEPS}\n5. Tell the team.` }),
    };
    expect(findingsOf(RULE, { parent, next: { ...parent, ...others } })).toEqual([]);
  });

  it("finds a copy however short it is, and no other short text", () => {
    const body = "# Labels\n\n1. Run `npm run labels`.\n2. Look at one.";
    const text = (name: string, more = "") => skillText(name, { body: `${body}${more}` });
    const parent = { [pathOf("labels")]: text("labels") };
    const found = (copy: string) =>
      findingsOf(RULE, { parent, next: { ...parent, [pathOf("copy")]: copy } });
    expect(found(text("copy"))).toMatchObject([{ hint: "Add what is new to `labels` instead." }]);
    expect(found(text("copy").replaceAll("Run", "**RUN**"))).toHaveLength(1);
    expect(found(text("copy", "\n3. Print it."))).toEqual([]);
    const otherwise = "description: Draws parcels in millimetres. Use when a printer is new.";
    expect(found(text("copy").replace(/description: .*/, otherwise))).toEqual([]);
  });

  it("says of two new ones once that they are alike, and looks at the other roots", () => {
    const next = {
      [pathOf("publish")]: skillText("publish", { body: REWORDED }),
      [RELEASE]: release,
    };
    expect(findingsOf(RULE, { next })).toHaveLength(1);
    const path = ".agents/skills/release/SKILL.md";
    const otherSkills = [summarizeSkill(path, "release", release)];
    const publish = { [pathOf("publish")]: skillText("publish", { body: REWORDED }) };
    const found = verify({ ...inputOf({ next: publish }), otherSkills });
    expect(found).toMatchObject([{ rule: RULE, message: expect.stringContaining(path) }]);
  });

  it("compares a whole collection with what was there, not with itself", () => {
    const names = Array.from({ length: DUPLICATE_NEW_MAX + 1 }, (_, n) => `copy-${n}`);
    const next = Object.fromEntries(
      names.map((name) => [pathOf(name), skillText(name, { body: STEPS })]),
    );
    expect(findingsOf(RULE, { next })).toEqual([]);
    const parent = { [RELEASE]: release };
    expect(findingsOf(RULE, { parent, next: { ...parent, ...next } })).toHaveLength(names.length);
  });
});
