import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SKILL_FILE_MAX_BYTES } from "../../../src/core/limits.ts";
import { MARKED, toolBench, UNMARKED } from "../tool-bench.ts";

it("creates a skill and its references, and tells what the verifier says", async () => {
  await using tools = await toolBench({
    findings: [
      {
        rule: "structure.marker",
        level: "error",
        path: ".qwen/skills/new/SKILL.md",
        line: 2,
        message: "The marker is missing.",
        hint: "Add it.",
      },
    ],
  });
  const answer = await tools.call("write_file", {
    file_path: `${tools.root}/.qwen/skills/new/SKILL.md`,
    content: UNMARKED,
  });
  expect(answer).toEqual({
    isError: false,
    text: `Created .qwen/skills/new/SKILL.md.
The verifier has 1 finding (an error refuses the whole review: correct it with edit):
- error structure.marker (.qwen/skills/new/SKILL.md, line 2): The marker is missing. Add it.`,
  });
  expect(readFileSync(join(tools.skillsDir, "new/SKILL.md"), "utf8")).toBe(UNMARKED);
  const more = { file_path: ".qwen/skills/new/references/a/b.md", content: "x" };
  expect(await tools.call("write_file", more)).toMatchObject({ isError: false });
  expect(tools.checked).toEqual(["new", "new"]);
  const edit = { file_path: ".qwen/skills/new/SKILL.md", old_string: "Mine", new_string: "Ours" };
  expect(await tools.call("edit", edit)).toMatchObject({ isError: false });
});

it("says that there is nothing to correct", async () => {
  await using tools = await toolBench();
  const call = { file_path: ".qwen/skills/new/SKILL.md", content: MARKED };
  expect((await tools.call("write_file", call)).text).toContain("no objection");
});

it("overwrites nothing", async () => {
  await using tools = await toolBench();
  tools.skill("marked/SKILL.md", MARKED);
  tools.skill("own/SKILL.md", UNMARKED);
  const write = (folder: string) =>
    tools.call("write_file", { file_path: `.qwen/skills/${folder}/SKILL.md`, content: "x" });
  expect((await write("marked")).text).toContain("change it with edit");
  expect((await write("own")).text).toContain("appears to be user-created");
  expect(readFileSync(join(tools.skillsDir, "marked/SKILL.md"), "utf8")).toBe(MARKED);
  expect(readFileSync(join(tools.skillsDir, "own/SKILL.md"), "utf8")).toBe(UNMARKED);
  expect(tools.checked).toEqual([]);
});

it.each([
  ["a text that is too large", { content: "x".repeat(SKILL_FILE_MAX_BYTES + 1) }],
  ["too many bytes in few characters", { content: "ä".repeat(SKILL_FILE_MAX_BYTES - 1) }],
  ["10 MB", { content: "x".repeat(10_000_000) }],
  ["no text", {}],
  ["a text that is none", { content: { a: 1 } }],
])("refuses %s, and makes no folder", async (_, args) => {
  await using tools = await toolBench();
  const answer = await tools.call("write_file", {
    file_path: ".qwen/skills/new/SKILL.md",
    ...args,
  });
  expect(answer.isError).toBe(true);
  expect(answer.text.length).toBeLessThan(500);
  expect(existsSync(join(tools.skillsDir, "new"))).toBe(false);
  expect(readdirSync(tools.skillsDir)).toEqual([]);
});
