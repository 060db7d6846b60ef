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
    expect(body).toMatch(
      /This change of `src\/round\.js` is not the solution \(t2 of session aaaabbbb\)/,
    );
    expect(body.match(/^## /gm)).toHaveLength(4);
    expect(body.match(/sum\.toFixed\(2\)/g)).toHaveLength(1);
    expect(body.indexOf("JPY")).toBeGreaterThan(body.indexOf("## How to check"));
    expect(body.trimEnd().split("\n").at(-1)).toMatch(
      /added to this from turns t1–t7 of session aaaabbbb/,
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

describe("a declined lesson", () => {
  it("is not proposed again, under no name", async () => {
    const declined = [{ folder: NAME, contentKey: "x", reason: null }];
    expect(await review(ARC, { declined })).toMatchObject({ notes: [] });
    expect(folders()).toEqual([]);
  });

  it("is recognised by its content under another name too", async () => {
    await review(ARC);
    const key = contentKey([{ path: "SKILL.md", content: textOf() }]);
    removeSkill(NAME);
    const declined = [{ folder: "renamed", contentKey: key, reason: "no" }];
    expect(await review(ARC, { declined })).toMatchObject({ notes: [] });
  });

  it("keeps an accepted skill up to date unless that very update was declined", async () => {
    await review(ARC);
    const accepted = textOf();
    const declined = [{ folder: NAME, contentKey: "x", reason: null }];
    await review(SECOND, { existing: [place(NAME, accepted)], declined });
    const updated = textOf();
    expect(updated).not.toBe(accepted);
    const again = [
      {
        folder: NAME,
        contentKey: contentKey([{ path: "SKILL.md", content: updated }]),
        reason: null,
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
