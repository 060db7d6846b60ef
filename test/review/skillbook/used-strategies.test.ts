import { describe, expect, it } from "vitest";
import { SKILLBOOK_INLINE_MAX_STRATEGIES } from "../../../src/core/limits.ts";
import { usedStrategies } from "../../../src/review/skillbook/used-strategies.ts";
import { EMPTY_SKILLBOOK } from "../../../src/skills/skillbook.ts";
import { renderSkillbookFiles } from "../../../src/skills/skillbook-files.ts";
import type { ToolCall } from "../../../src/transcript/session.ts";
import { ADD, applied, bookOf, HARNESS, ID } from "../../skills/skillbook-samples.ts";
import { ok, read, sessionOf, type TurnPart } from "../offline/session-of.ts";

const SKILLBOOK = applied(
  EMPTY_SKILLBOOK,
  ADD,
  HARNESS,
  { ...ADD, issue: "Removed." },
  { type: "REMOVE", skill_id: "context-00003" },
  { ...ADD, issue: "Named.", skill_id: "cents" },
);
const KNOWN = {
  skillbook: SKILLBOOK,
  skills: new Set(["release-flow", "labels"]),
  skillsRoot: ".qwen/skills",
};

function used(...parts: TurnPart[]): string[] {
  return usedStrategies(sessionOf(parts), null, KNOWN).map(
    ({ id, how, turn }) => `${id} ${how} ${turn}`,
  );
}

function skillTool(args: Record<string, unknown>, more: Partial<ToolCall> = {}): ToolCall {
  return { ...ok("", ""), name: "skill", kind: "other", command: null, args, ...more };
}

describe("what a session loaded", () => {
  it.each<[string, TurnPart]>([
    ["the skill tool", skillTool({ skill: "release-flow" })],
    ["under another name", skillTool({ name: "release-flow" }, { name: "activate_skill" })],
    ["with a prefix", skillTool({ skill: "project:release-flow" })],
    ["a read of its SKILL.md", read(".qwen/skills/release-flow/SKILL.md", "# Release")],
    ["a read of a reference", read(".qwen/skills/release-flow/references/a.md", "# Release")],
    ["a command that prints it", ok("cat .qwen/skills/release-flow/SKILL.md | head")],
  ])("a skill by %s", (_, part) => {
    expect(used("Hello.", part)).toEqual(["release-flow loaded t2"]);
  });

  it.each<[string, TurnPart]>([
    ["a folder that is no skill here", read(".qwen/skills/other/SKILL.md", "#")],
    ["another file", read(".qwen/skills/release-flow/notes.txt", "#")],
    ["another root", read("docs/release-flow/SKILL.md", "#")],
    ["a call that failed", skillTool({ skill: "release-flow" }, { outcome: "failure" })],
    ["a call that was declined", skillTool({ skill: "release-flow" }, { outcome: "cancelled" })],
    [
      "another tool with such an argument",
      skillTool({ name: "release-flow" }, { name: "grep_search" }),
    ],
  ])("not %s", (_, part) => {
    expect(used(part)).toEqual([]);
  });

  it("the strategies that the Skillbook's text showed, and not the Skillbook itself", () => {
    const text = `## context\n- [${ID}]\n- [context-00003]\n- [context-000011]\n`;
    expect(used(skillTool({ skill: "skillbook" }, { result: text }))).toEqual([`${ID} loaded t1`]);
    expect(used(read(".qwen/skills/skillbook/references/harness.md", "- [harness-00002]"))).toEqual(
      ["harness-00002 loaded t1"],
    );
  });
});

it("of a large Skillbook, the entries that were read, not the list of all ids in SKILL.md", () => {
  const large = bookOf(SKILLBOOK_INLINE_MAX_STRATEGIES + 1);
  const text = Object.fromEntries(
    renderSkillbookFiles(large).map(({ path, content }) => [path, content]),
  );
  const at = (path: string, result = text[path] ?? "") =>
    read(`.qwen/skills/skillbook/${path}`, result);
  const usedOf = (...parts: TurnPart[]) =>
    usedStrategies(sessionOf(parts), null, { ...KNOWN, skillbook: large }).map(({ id }) => id);
  expect(usedOf(at("SKILL.md"))).toEqual([]);
  const reference = "context";
  const path = `references/${reference}.md`;
  expect(usedOf(at("SKILL.md"), at(path)).sort()).toEqual([...large.sections[reference]].sort());
  const two = (text[path] ?? "").split("\n- ").slice(0, 3).join("\n- ");
  expect(usedOf(at(path, two))).toEqual(large.sections[reference].slice(0, 2));
});

describe("what a session named", () => {
  it("ids in the agent's words, as words of their own", () => {
    expect(used(`As [${ID}] says, and harness-00002.`)).toEqual([
      `${ID} cited t1`,
      "harness-00002 cited t1",
    ]);
    expect(used(`x${ID}`, `${ID}0`, `${ID}-b`, "context-00003 was removed")).toEqual([]);
  });

  it("a name that is a plain word only where it is quoted as an id", () => {
    expect(used("Add in cents.")).toEqual([]);
    expect(used("As [cents] says.")).toEqual(["cents cited t1"]);
  });

  it("not in the user's words, nor in a result that isn't the Skillbook's", () => {
    expect(used({ role: "user", text: `use ${ID}`, toolCalls: [] }, ok("ls", ID))).toEqual([]);
  });
});

it("each once, from the first turn that is new", () => {
  const session = sessionOf([`${ID}`, `${ID} again`, "harness-00002"]);
  const from = (turn: string | null) =>
    usedStrategies(session, turn, KNOWN).map(({ id, turn: at }) => `${id} ${at}`);
  expect(from(null)).toEqual([`${ID} t1`, "harness-00002 t3"]);
  expect(from("t3")).toEqual(["harness-00002 t3"]);
});
