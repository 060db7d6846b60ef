import { describe, expect, it } from "vitest";
import { contentKey } from "../../../src/skills/content-key.ts";
import { readMarker } from "../../../src/skills/marker.ts";
import { parseSkillFile, renderSkillFile } from "../../../src/skills/skill-file.ts";
import {
  bodyOf,
  folders,
  NAME,
  place,
  removeSkill,
  review,
  textOf,
  useSkillsFolder,
} from "./review-of.ts";
import { ARC, CARTS_FAIL, edit, fail, ok, type TurnPart } from "./session-of.ts";

useSkillsFolder();

/** The same arc with another wrong turn and another check: a second session about the same lesson. */
const SECOND: readonly TurnPart[] = [
  fail("npm test", CARTS_FAIL),
  edit("src/round.js", "Math.floor", "Math.round"),
  fail("npm test", CARTS_FAIL),
  edit("src/round.js", "Math.round", "Math.floor"),
  edit("src/cart.js", "String(sum)", "sum.toFixed(2)"),
  ok("npm test", "# fail 0"),
  ok("CURRENCY=JPY npm test", "# fail 0"),
];

describe("an auto-skill of the same lesson", () => {
  it("is left alone when nothing new would be said", async () => {
    await review(ARC);
    const before = textOf();
    const { notes } = await review(ARC, { existing: [place(NAME, before)] }, { id: "another" });
    expect(notes).toEqual([]);
    expect(textOf()).toBe(before);
  });

  it("gets what is new, keeps the rest, and its patch version is raised", async () => {
    await review(ARC);
    const edited = textOf().replace("## Pitfalls\n", "## Pitfalls\n\n- A person added this.\n");
    const existing = [place(NAME, edited)];
    const { notes } = await review(
      SECOND,
      { existing, extractedAt: "2026-04-01T00:00:00Z" },
      { id: "aaaabbbb-1" },
    );
    expect(notes.map((note) => note.skill)).toEqual([NAME]);
    expect(parseSkillFile(textOf())).toMatchObject({
      ok: true,
      skill: { version: "1.0.1", extractedAt: "2026-04-01T00:00:00Z" },
    });
    const body = bodyOf();
    expect(body).toContain("- A person added this.");
    expect(body).toContain("`CURRENCY=EUR npm test` succeeds (t8).");
    expect(body).toContain("`CURRENCY=JPY npm test` succeeds (t7 of session aaaabbbb).");
    // The session is named once in an entry.
    expect(body).toContain(
      "This change of `src/round.js` is not the solution (t2 of session aaaabbbb): `npm test` still failed (t3), and it was taken back (t4).",
    );
    expect(body.match(/^## /gm)).toHaveLength(4);
    expect(body.match(/sum\.toFixed\(2\)/g)).toHaveLength(1);
    expect(body.indexOf("JPY")).toBeGreaterThan(body.indexOf("## How to check"));
    expect(body.trimEnd().split("\n").at(-1)).toMatch(
      /wrote this from turns t1–t8 of session 5d3f0c9a and last added to it from turns t1–t7 of session aaaabbbb;/,
    );
  });

  it("says the same after a second update from the same session", async () => {
    await review(ARC);
    await review(SECOND, { existing: [place(NAME, textOf())] }, { id: "aaaabbbb-1" });
    const updated = textOf();
    expect(
      await review(SECOND, { existing: [place(NAME, updated)] }, { id: "aaaabbbb-1" }),
    ).toMatchObject({ notes: [] });
    expect(textOf()).toBe(updated);
  });

  it("keeps its marker where it is, and its other keys", async () => {
    await review(ARC, { marker: "top-level" });
    const old = textOf().replace("version: 1.0.0\n", "version: 1.4.9\nlicense: MIT\n");
    await review(SECOND, { existing: [place(NAME, old)] });
    expect(readMarker(textOf()).where).toEqual(["top-level"]);
    expect(parseSkillFile(textOf())).toMatchObject({
      ok: true,
      skill: { version: "1.4.10", frontmatter: { license: "MIT" } },
    });
  });

  it("is not trusted when only the list says that it is one", async () => {
    const text = `---\nname: ${NAME}\ndescription: Mine.\n---\n\nAbout \`src/cart.js\`.\n`;
    const existing = [{ ...place(NAME, text), isAutoSkill: true }];
    expect(await review(ARC, { existing })).toMatchObject({ notes: [] });
    expect(textOf()).toBe(text);
  });
});

describe("a person's skill of that name", () => {
  const skill = (body: string) => `---\nname: ${NAME}\ndescription: Mine.\n---\n\n${body}\n`;

  it("about something else: the lesson takes another name", async () => {
    const text = skill("About something else.");
    const { notes } = await review(ARC, { existing: [place(NAME, text)] });
    expect(notes.map((note) => note.skill)).toEqual([`${NAME}-2`]);
    expect(textOf()).toBe(text);
    expect(parseSkillFile(textOf(`${NAME}-2`))).toMatchObject({
      ok: true,
      skill: { name: `${NAME}-2` },
    });
  });

  it("about the same file: nothing is said", async () => {
    const text = skill("Cents are rounded in `src/cart.js`.");
    expect(await review(ARC, { existing: [place(NAME, text)] })).toMatchObject({ notes: [] });
    expect(folders()).toEqual([NAME]);
  });

  it("counts when only its frontmatter has the name, in any case", async () => {
    const existing = [{ ...place("carts", skill("Else.")), name: NAME.toUpperCase() }];
    expect(await review(ARC, { existing })).toMatchObject({ notes: [{ skill: `${NAME}-2` }] });
  });
});

describe("another lesson of the same check and file", () => {
  /** Another test, another cause, in the file of ARC. */
  const EMPTY_FAIL = "not ok 7 - an empty cart\n  error: \"'undefined' == '0'\"\n# fail 1";
  const OTHER: readonly TurnPart[] = [
    fail("npm test", EMPTY_FAIL),
    edit("src/cart.js", "sum;", "sum ?? '0';"),
    fail("npm test", EMPTY_FAIL),
    edit("src/cart.js", "let sum;", "let sum = 0;"),
    ok("npm test", "# fail 0"),
    ok("LOCALE=de npm test", "# fail 0"),
  ];

  it("gets a name of its own and leaves the first as it is", async () => {
    await review(ARC);
    const before = textOf();
    const { notes } = await review(OTHER, { existing: [place(NAME, before)] });
    expect(notes.map((note) => note.skill)).toEqual([`${NAME}-2`]);
    expect(textOf()).toBe(before);
    expect(bodyOf(`${NAME}-2`)).not.toContain("adds up a cart");
  });

  it("is found again under that name", async () => {
    await review(ARC);
    const first = place(NAME, textOf());
    await review(OTHER, { existing: [first] });
    const existing = [first, place(`${NAME}-2`, textOf(`${NAME}-2`))];
    expect(await review(OTHER, { existing })).toMatchObject({
      notes: [],
      silence: `the lesson is in the skill ${NAME}-2 already`,
    });
    // Also when the first name is free again.
    removeSkill(NAME);
    expect(await review(OTHER, { existing: existing.slice(1) })).toMatchObject({ notes: [] });
  });

  it.each([
    ["another error of the same test", "adds up a cart", "TypeError: sum is not a function"],
    ["a test whose name begins alike", "adds up a cart twice", "error: \"'10.1' == '10.10'\""],
    ["a test named like the file", "cart", "error: \"'10.1' == '10.10'\""],
  ])("%s", async (_name, test, error) => {
    await review(ARC);
    const output = `not ok 1 - ${test}\n  ${error}\n# fail 1`;
    const parts = OTHER.map((part, i) => (i % 2 === 0 && i < 3 ? fail("npm test", output) : part));
    const { notes } = await review(parts, { existing: [place(NAME, textOf())] });
    expect(notes.map((note) => note.skill)).toEqual([`${NAME}-2`]);
  });

  it.each([
    ["numbers", "error: \"'17.2' == '17.20'\""],
    ["quotes", 'error: \'"10.1" == "10.10"\''],
  ])("the same with other %s is no other", async (_name, error) => {
    await review(ARC);
    const output = `not ok 9 - adds up a cart\n  ${error}\n# fail 1`;
    const parts = SECOND.map((part, i) => (i === 0 || i === 2 ? fail("npm test", output) : part));
    const { notes } = await review(parts, { existing: [place(NAME, textOf())] });
    expect(notes.map((note) => note.skill)).toEqual([NAME]);
  });

  it("a second fix of the same failure never comes into the steps", async () => {
    await review(ARC);
    const steps = bodyOf().split(/^## /m)[2];
    const parts = SECOND.map((part, i) =>
      i === 4 ? edit("src/cart.js", "String(sum)", "money(sum)") : part,
    );
    await review(parts, { existing: [place(NAME, textOf())] }, { id: "aaaabbbb-1" });
    expect(bodyOf()).toContain("JPY");
    expect(bodyOf()).not.toContain("money(sum)");
    expect(bodyOf().split(/^## /m)[2]).toBe(steps);
  });

  it("the same fix for another failing test adds when to use it", async () => {
    await review(ARC);
    const parts = SECOND.map((part, i) =>
      i === 0 || i === 2 ? fail("npm test", EMPTY_FAIL) : part,
    );
    const { notes } = await review(parts, { existing: [place(NAME, textOf())] });
    expect(notes.map((note) => note.skill)).toEqual([NAME]);
    expect(bodyOf()).toMatch(/`npm test` fails at `an empty cart`[\s\S]*## Steps/);
  });

  it("keeps one credit line through many updates", async () => {
    await review(ARC);
    for (const [i, name] of ["JPY", "CHF", "SEK"].entries()) {
      const parts = [...SECOND.slice(0, -1), ok(`CURRENCY=${name} npm test`, "# fail 0")];
      await review(parts, { existing: [place(NAME, textOf())] }, { id: `aaaa000${i}-1` });
    }
    expect(bodyOf().match(/_The offline reviewer/g)).toHaveLength(1);
    expect(bodyOf()).toMatch(/session 5d3f0c9a and last added to it from .* session aaaa0002;/);
    expect(bodyOf()).toMatch(/JPY[\s\S]*CHF[\s\S]*SEK/);
  });

  it("in one session: no second text over the first", async () => {
    const twice = [...ARC, ...OTHER.map((part) => part)];
    const { notes } = await review(twice);
    expect(new Set(notes.map((note) => note.skill)).size).toBe(notes.length);
  });

  describe("of which one was declined", () => {
    const descriptionOf = (folder: string) => {
      const parsed = parseSkillFile(textOf(folder));
      return parsed.ok ? parsed.skill.description : null;
    };

    it("the other is proposed under its own name", async () => {
      await review(ARC);
      const declined = [
        { folder: NAME, contentKey: "x", reason: null, description: descriptionOf(NAME) },
      ];
      removeSkill(NAME);
      expect(await review(ARC, { declined })).toMatchObject({
        notes: [],
        silence: `${NAME} was declined`,
      });
      expect((await review(OTHER, { declined })).notes).toMatchObject([{ skill: `${NAME}-2` }]);
      expect(await review(SECOND, { declined })).toMatchObject({ notes: [] });
    });

    it("a number in its name, and in its error, changes nothing", async () => {
      await review(ARC);
      const kept = place(NAME, textOf());
      await review(OTHER, { existing: [kept] });
      const folder = `${NAME}-2`;
      const declined = [
        { folder, contentKey: "x", reason: null, description: descriptionOf(folder) },
      ];
      removeSkill(folder);
      const again = [...OTHER];
      again[0] = fail("npm test", EMPTY_FAIL.replace("'0'", "'3'"));
      expect(await review(again, { existing: [kept], declined })).toMatchObject({
        notes: [],
        silence: `${folder} was declined`,
      });
    });

    it("an item that holds the words of a description is recognised", async () => {
      const odd = 'prints "a" with care';
      const parts = OTHER.map((part, i) =>
        i % 2 === 0 && i < 3 ? fail("npm test", EMPTY_FAIL.replace("an empty cart", odd)) : part,
      );
      await review(parts);
      const declined = [
        { folder: NAME, contentKey: "x", reason: null, description: descriptionOf(NAME) },
      ];
      removeSkill(NAME);
      expect(await review(parts, { declined })).toMatchObject({ notes: [] });
    });
  });
});

describe("a declined lesson", () => {
  it("is not proposed again when nobody knows what it said but its name", async () => {
    const declined = [{ folder: NAME, contentKey: "x", reason: null, description: null }];
    expect(await review(ARC, { declined })).toMatchObject({ notes: [] });
    expect(folders()).toEqual([]);
  });

  it("is recognised by its content under another name too", async () => {
    await review(ARC);
    const key = contentKey([{ path: "SKILL.md", content: textOf() }]);
    removeSkill(NAME);
    const declined = [{ folder: "renamed", contentKey: key, reason: "no", description: null }];
    expect(await review(ARC, { declined })).toMatchObject({ notes: [] });
  });

  it("keeps an accepted skill up to date unless that very update was declined", async () => {
    await review(ARC);
    const accepted = textOf();
    const declined = [{ folder: NAME, contentKey: "x", reason: null, description: null }];
    await review(SECOND, { existing: [place(NAME, accepted)], declined });
    const updated = textOf();
    expect(updated).not.toBe(accepted);
    const again = [
      {
        folder: NAME,
        contentKey: contentKey([{ path: "SKILL.md", content: updated }]),
        reason: null,
        description: null,
      },
    ];
    expect(
      await review(SECOND, { existing: [place(NAME, accepted)], declined: again }),
    ).toMatchObject({ notes: [] });
  });
});

describe("an existing skill whose frontmatter can't be read", () => {
  it("is left alone", async () => {
    const text = renderSkillFile({
      name: NAME,
      description: "d",
      version: "1.0.0",
      extractedAt: "x",
      marker: "metadata",
      body: "`src/cart.js`",
    }).replace("description: d", "description: d\ndescription: e");
    const existing = [{ ...place(NAME, text), isAutoSkill: true }];
    expect(await review(ARC, { existing })).toMatchObject({ notes: [] });
    expect(textOf()).toBe(text);
  });
});

describe("a skill in place that nobody committed", () => {
  const inPlace = (folder: string, text: string, description = "") => [
    { path: `.qwen/skills/${folder}`, folder, name: folder, description, text },
  ];

  it("that has the name of the lesson keeps it from being written", async () => {
    const { notes, silence } = await review(ARC, { inPlace: inPlace(NAME, "anything") });
    expect(notes).toEqual([]);
    expect(silence).toBe(`.qwen/skills/${NAME}, which is in place and not committed, covers it`);
    expect(folders()).toEqual([]);
  });

  it("that has the lesson under another name does so too", async () => {
    await review(ARC);
    const text = textOf();
    removeSkill(NAME);
    const { notes } = await review(ARC, { inPlace: inPlace("another-name", text) });
    expect(notes).toEqual([]);
    const parsed = parseSkillFile(text);
    const description = (parsed.ok ? parsed.skill.description : null) ?? "";
    const told = await review(ARC, { inPlace: inPlace("another-name", "", description) });
    expect(told.notes).toEqual([]);
  });

  it("about something else changes nothing", async () => {
    const { notes } = await review(ARC, { inPlace: inPlace("labels", "# Labels\n") });
    expect(notes.map((note) => note.skill)).toEqual([NAME]);
  });

  it("leaves an auto-skill that has the lesson to be updated", async () => {
    await review(ARC);
    const existing = [place(NAME, textOf())];
    const second = await review(
      SECOND,
      { existing, inPlace: inPlace("another-name", textOf()) },
      { id: "aaaabbbb-1" },
    );
    expect(second.notes.map((note) => note.skill)).toEqual([NAME]);
  });
});
