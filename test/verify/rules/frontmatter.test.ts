import { describe, expect, it } from "vitest";
import { FLOW, findingsOf, flow, personalText, ROOT, skillText } from "../verify-input.ts";

const RULE = "structure.frontmatter";

function messagesOf(extra: string): string[] {
  const next = { [FLOW]: skillText("release-flow", { extra }) };
  return findingsOf(RULE, { next }).map(({ line, message }) => `${line}: ${message}`);
}

// The defects of one file are in test/fixtures/skills; here is what a fixture can't show.
describe("structure.frontmatter", () => {
  it.each([
    ["hooks: {}", "5: The key `hooks` does more than describe the skill: it would run commands"],
    ["Hooks: {}", "5: The key `Hooks` does more than describe the skill: it would run commands"],
    [
      "allowed_tools: []",
      "5: The key `allowed_tools` does more than describe the skill: it would widen",
    ],
    [
      "allowedTools: []",
      "5: The key `allowedTools` does more than describe the skill: it would widen",
    ],
    [
      "model: inherit",
      "5: The key `model` does more than describe the skill: it would change the model",
    ],
    ["paths: ['**']", "5: The key `paths` is not allowed"],
    ["license: 1", "5: `license` is not a string."],
    ["source: [auto-skill]", "5: `source` is not a string."],
  ])("says of %s why", (extra, message) => {
    expect(messagesOf(extra)).toEqual([expect.stringContaining(message)]);
  });

  it("quotes a foreign key escaped", () => {
    expect(messagesOf('"a\\e[31m`b": c')).toEqual([
      "null: The key `a\\u{1b}[31m'b` is not allowed in a frontmatter.",
    ]);
  });

  it("looks at a SKILL.md only where it changed", () => {
    const old = { [FLOW]: skillText("release-flow", { extra: "model: x" }) };
    const next = { ...old, [`${ROOT}/release-flow/references/a.md`]: "x\n" };
    expect(findingsOf(RULE, { parent: old, next })).toEqual([]);
  });

  it.each([
    ["an anchor", "license: &a MIT\nhooks: {}\n"],
    ["a repeated key", "license: MIT\nlicense: MIT\nhooks: {}\n"],
    ["a tag", "hooks: !!map {}\n"],
  ])("warns in a pull request of what it can't look into: %s", (_name, extra) => {
    const next = { [FLOW]: personalText("release-flow", extra) };
    const found = findingsOf(RULE, { profile: "pull-request", next });
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ level }) => level))).toEqual(new Set(["warning"]));
    expect(found[0]?.message).toContain("can't be read safely");
  });

  it("warns in a pull request of a person's skill that runs code, and holds for marked ones", () => {
    const profile = "pull-request";
    const hand = personalText("release-flow", "hooks: {}\npaths: [a]\nmodel: x\n");
    const found = findingsOf(RULE, { profile, next: { [FLOW]: hand } });
    expect(found.map(({ level, line }) => `${level}:${line}`)).toEqual(["warning:4", "warning:6"]);
    const marked = flow.replace("version: 1.0.0", "hooks: {}");
    expect(findingsOf(RULE, { profile, next: { [FLOW]: marked } })).toMatchObject([
      { level: "error" },
    ]);
  });
});
