import { describe, expect, it } from "vitest";
import { OFFLINE_MAX_SKILLS } from "../../../src/core/limits.ts";
import { readMarker } from "../../../src/skills/marker.ts";
import { parseSkillFile } from "../../../src/skills/skill-file.ts";
import { isSkillName } from "../../../src/skills/skill-name.ts";
import {
  bodyOf,
  folders,
  NAME,
  removeSkill,
  review,
  textOf,
  useSkillsFolder,
} from "./review-of.ts";
import { ARC, CARTS_FAIL, edit, fail, ok, type TurnPart } from "./session-of.ts";

useSkillsFolder();

/** `count` arcs, each of a check and a file of its own. */
function arcs(count: number): TurnPart[] {
  return Array.from({ length: count }, (_none, i) => {
    const error = `not ok 1 - part ${"abc"[i]}\n  error: "'1' == '2'"`;
    return [
      fail(`npm run test:part${i}`, error),
      edit(`src/part${i}.js`, "one", "two"),
      fail(`npm run test:part${i}`, error),
      edit(`src/part${i}.js`, "two", "three"),
      ok(`npm run test:part${i}`, "# fail 0"),
    ];
  }).flat();
}

describe("a new skill", () => {
  it("has a valid name, the marker, a description, the four sections and the turns", async () => {
    const { notes, usage } = await review(ARC);
    expect(notes).toEqual([
      {
        skill: NAME,
        why: expect.stringMatching(/failed in t1 and succeeded in t7.*src\/cart\.js.*t6.*t3.*t5/),
      },
    ]);
    expect(usage).toMatchObject({
      reviewer: "offline",
      model: null,
      inputTokens: 0,
      incomplete: false,
    });
    const parsed = parseSkillFile(textOf());
    expect(parsed).toMatchObject({
      ok: true,
      skill: { name: NAME, version: "1.0.0", extractedAt: "2026-03-04T05:06:07Z" },
    });
    expect(isSkillName(NAME)).toBe(true);
    expect(readMarker(textOf())).toMatchObject({ isAutoSkill: true, where: ["metadata"] });
    expect(parsed.ok && parsed.skill.description).toMatch(
      /^Use when `npm test` fails at "adds up a cart"/,
    );
    expect(bodyOf().match(/^## .*$/gm)).toEqual([
      "## When to use",
      "## Steps",
      "## Pitfalls",
      "## How to check",
    ]);
  });

  it("reads as a procedure", async () => {
    await review(ARC);
    expect(bodyOf()).toMatchInlineSnapshot(`
      "
      # \`npm test\` fails: the change of \`src/cart.js\` that solved it

      ## When to use

      - \`npm test\` fails at \`adds up a cart\` (t1).
        The error: \`error: "'10.1' == '10.10'"\`

      ## Steps

      1. Run \`npm test\` and compare its error with the one above (t1).
      2. Change \`src/cart.js\` (t6): “Amounts need two digits.”
         \`\`\`diff
         -String(sum)
         +sum.toFixed(2)
         \`\`\`
      3. Run \`npm test\` again: it succeeds (t7).

      ## Pitfalls

      - This change of \`test/cart.test.js\` is not the solution (t3): \`CURRENCY=EUR npm test\` still failed (t4), and it was taken back (t5). “The expectation was right all along.”
        \`\`\`diff
        -'10.10'
        +'10.1'
        \`\`\`

      ## How to check

      - \`npm test\` succeeds (t7).
      - \`CURRENCY=EUR npm test\` succeeds (t8).

      _The offline reviewer (no model) wrote this from turns t1–t8 of session 5d3f0c9a; nothing here was judged, only observed._
      "
    `);
  });

  it("says at its end that no model wrote it, and from what", async () => {
    await review(ARC);
    expect(bodyOf().trimEnd().split("\n").at(-1)).toMatch(
      /offline reviewer \(no model\).*turns t1–t8 of session 5d3f0c9a/,
    );
  });

  it("names the script that the session added for checking", async () => {
    const added = edit("package.json", '"test": "tap"', '"test": "tap", "test:all": "tap --all"');
    await review([...ARC, added, ok("npm run test:all", "# fail 0")]);
    expect(bodyOf()).toMatch(
      /`npm run test:all` succeeds \(t10\)\. The script was added to `package\.json` for this \(t9\):/,
    );
  });

  it("holds no path of the author's machine", async () => {
    const output = `${CARTS_FAIL}\n  stack: file:///home/user/shop/src/cart.js\n`.replace(
      "'10.1' ==",
      "'/home/user/shop/a /home/kim/b' ==",
    );
    await review([fail("cd /home/user/shop && npm test", output), ...ARC.slice(1)]);
    expect(textOf()).not.toMatch(/\/home\/|shop/);
    expect(textOf()).toContain("'a ~/b'");
  });

  it("is the same bytes for the same session", async () => {
    await review(ARC);
    const first = textOf();
    removeSkill(NAME);
    await review(ARC);
    expect(textOf()).toBe(first);
  });

  it("carries the marker where the config says", async () => {
    await review(ARC, { marker: "both" });
    expect(readMarker(textOf()).where).toEqual(["metadata", "top-level"]);
  });
});

describe("nothing to save", () => {
  it("leaves the folder empty", async () => {
    expect(await review([ok("ls"), fail("npm test", CARTS_FAIL)])).toMatchObject({ notes: [] });
    expect(folders()).toEqual([]);
  });

  it("stops when it is told to", async () => {
    await expect(review(ARC, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(folders()).toEqual([]);
  });
});

describe("several arcs", () => {
  it("make a skill each", async () => {
    const { notes } = await review(arcs(2));
    expect(notes.map((note) => note.skill)).toEqual([
      "npm-run-test-part0-fails-src-part0",
      "npm-run-test-part1-fails-src-part1",
    ]);
  });

  it("are cut at OFFLINE_MAX_SKILLS", async () => {
    const { notes } = await review(arcs(OFFLINE_MAX_SKILLS + 1));
    expect(notes).toHaveLength(OFFLINE_MAX_SKILLS);
    expect(folders()).toHaveLength(OFFLINE_MAX_SKILLS);
  });
});
