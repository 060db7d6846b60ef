import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { MARKED, type ToolBench, toolBench, UNMARKED } from "../tool-bench.ts";

const PATH = ".qwen/skills/marked/SKILL.md";
let tools: ToolBench;

beforeEach(async () => {
  tools = await toolBench();
  tools.skill("marked/SKILL.md", `${MARKED}\none two one $& end\n`);
  tools.skill("own/SKILL.md", UNMARKED);
  return () => tools[Symbol.asyncDispose]();
});

const edit = (old_string: string, new_string: string, more = {}) =>
  tools.call("edit", { file_path: PATH, old_string, new_string, ...more });
const text = () => readFileSync(join(tools.skillsDir, "marked/SKILL.md"), "utf8");

it("wants the file read first, by read_file or cat, and not by grep", async () => {
  expect((await edit("two", "2")).text).toContain("read_file first");
  await tools.call("shell", { command: "grep -r two .; cat .qwen/skills/own/SKILL.md" });
  expect((await edit("two", "2")).isError).toBe(true);
  await tools.call("shell", { command: `cd .qwen && cat -n skills/marked/SKILL.md` });
  expect(await edit("two", "2")).toMatchObject({
    isError: false,
    text: expect.stringContaining("in 1 place.\n"),
  });
  expect(text()).toContain("one 2 one");
  expect(tools.checked).toEqual(["marked"]);
});

it("replaces what occurs once, or all of it, as plain text", async () => {
  await tools.call("read_file", { file_path: PATH });
  expect((await edit("one", "1")).text).toContain("occurs in 2 places");
  expect(await edit("one", "$1 $$", { replace_all: "true" })).toMatchObject({ isError: false });
  expect(text()).toContain("$1 $$ two $1 $$ $& end");
  expect(await edit("$& end", "$& `end`")).toMatchObject({ isError: false });
  expect(text()).toContain("$& `end`");
});

it("refuses what doesn't fit, and leaves the file", async () => {
  await tools.call("read_file", { file_path: PATH });
  const before = text();
  expect((await edit("nowhere", "x")).text).toContain("does not occur");
  expect((await edit("", "x")).text).toContain("empty");
  expect((await edit("two", "two")).text).toContain("the same");
  expect((await edit("two", "x".repeat(65_530))).text).toContain("bytes");
  expect((await edit("two", "x".repeat(10_000_000))).text).toContain("characters");
  expect(text()).toBe(before);
  expect(tools.checked).toEqual([]);
});

it("keeps to marked skills: the unmarked one beside it has the message", async () => {
  const own = ".qwen/skills/own/SKILL.md";
  await tools.call("read_file", { file_path: own });
  expect(await tools.call("edit", { file_path: own, old_string: "Mine", new_string: "x" })).toEqual(
    {
      isError: true,
      text: "skill_review_agent: edit is only allowed on skills with 'source: auto-skill' in frontmatter. This skill appears to be user-created. Modify it manually or ask the user.",
    },
  );
});
