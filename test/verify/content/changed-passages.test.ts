import { describe, expect, it } from "vitest";
import { passagesOnlyIn } from "../../../src/verify/content/changed-passages.ts";
import { createDocument } from "../../../src/verify/content/content-document.ts";

const PATH = ".qwen/skills/release-flow/SKILL.md";

/** The texts of the passages that the new version has and the old one hasn't; null where that can't be told. */
function changed(before: string, after: string, path = PATH): string[] | null {
  const passages = passagesOnlyIn(createDocument(path, after), createDocument(path, before));
  return passages?.map(({ block }) => block.text) ?? null;
}

describe("passagesOnlyIn", () => {
  it("gives what was written anew, wherever it stands", () => {
    expect(changed("one\n\ntwo\n", "two\n\nthree\n\none\n")).toEqual(["three"]);
    expect(changed("one\n", "one\n")).toEqual([]);
  });

  it("takes each passage of the old version once", () => {
    expect(changed("one\n\ntwo\n", "one\n\none\n\ntwo\n\none\n")).toEqual(["one", "one"]);
  });

  it("gives a passage whose heading, introduction, kind or marks are others", () => {
    expect(changed("# Bad\n\nrun it\n", "# Good\n\nrun it\n")).toEqual(["Good", "run it"]);
    expect(changed("Don't:\n\n- run it\n", "Do:\n\n- run it\n")).toEqual(["Do:", "run it"]);
    expect(changed("run it\n", "```\nrun it\n```\n")).toEqual(["run it"]);
    expect(changed("> run\n> it\n", ">  run\n>  it\n")).toEqual([" run\n it"]);
    expect(changed("> run\n> it\n", "> run\n>it\n")).toEqual(["run\nit"]);
  });

  it("says nothing where passages may share a line", () => {
    expect(changed("one\n", "one <!-- two -->\n")).toBeNull();
    expect(changed("one <!-- two -->\n", "one\n")).toBeNull();
    expect(changed("{}", '{"a b":"c d"}', ".qwen/skills/skillbook/skillbook.json")).toBeNull();
  });
});
