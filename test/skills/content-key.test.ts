import { describe, expect, it } from "vitest";
import { contentKey } from "../../src/skills/content-key.ts";

function skill(frontmatter: string, body = "# Steps\n"): { path: string; content: string } {
  return { path: "SKILL.md", content: `---\n${frontmatter}\n---\n\n${body}` };
}

const reference = { path: "references/a.md", content: "More.\n" };
const first = skill(
  "name: a\ndescription: b\nversion: 1.0.0\nmetadata:\n  source: auto-skill\n  extracted_at: '2026-11-29T12:00:00Z'",
);

describe("contentKey", () => {
  it("is a sha256 in hex", () => expect(contentKey([first])).toMatch(/^[0-9a-f]{64}$/));

  it.each([
    [
      "a raised version",
      "name: a\ndescription: b\nversion: 1.0.1\nmetadata:\n  source: auto-skill",
    ],
    ["another order", "metadata:\n  source: auto-skill\nversion: 2.0.0\ndescription: b\nname: a"],
    ["other quotes", "name: 'a'\ndescription: \"b\"\nmetadata: {source: auto-skill}"],
    [
      "extracted_at elsewhere",
      "name: a\ndescription: b\nextracted_at: x\nmetadata:\n  source: auto-skill",
    ],
  ])("is the same with %s", (_name, frontmatter) => {
    expect(contentKey([skill(frontmatter)])).toBe(contentKey([first]));
  });

  it("doesn't depend on the order of the files", () => {
    expect(contentKey([reference, first])).toBe(contentKey([first, reference]));
  });

  it.each([
    ["another body", [skill("name: a\ndescription: b", "# Other\n")]],
    ["another description", [skill("name: a\ndescription: c")]],
    ["another file", [skill("name: a\ndescription: b"), reference]],
    ["a file that is no SKILL.md", [{ path: "x.md", content: "---\nversion: 1\n---\n" }]],
    ["a broken frontmatter", [skill("name: a\nname: b")]],
  ])("differs with %s", (_name, files) => {
    expect(contentKey(files)).not.toBe(contentKey([skill("name: a\ndescription: b")]));
  });

  it("compares what can't be parsed byte for byte", () => {
    const broken = (version: string) => [skill(`name: a\nname: b\nversion: ${version}`)];
    expect(contentKey(broken("1.0.0"))).not.toBe(contentKey(broken("1.0.1")));
  });
});
