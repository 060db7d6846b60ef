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

it("counts what a replacement of everything would come to, and doesn't make it", async () => {
  tools.skill("marked/SKILL.md", MARKED + `${"a".repeat(100)}\n`.repeat(200));
  await tools.call("shell", { command: `cat ${PATH}` });
  // More than a string can hold: making it would fail otherwise, after it took the memory.
  const answer = await edit("a", "b".repeat(60_000), { replace_all: true });
  expect(answer).toMatchObject({
    isError: true,
    text: expect.stringMatching(/would have 1\d{9} bytes/),
  });
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

it("counts only what was shown: not a file that went to /dev/null, nor one line of it", async () => {
  await using tools = await toolBench();
  tools.skill("marked/SKILL.md", `${MARKED}\none\ntwo\nthree\n`);
  const file_path = ".qwen/skills/marked/SKILL.md";
  const edit = (from: string, to: string) =>
    tools.call("edit", { file_path, old_string: from, new_string: to });
  for (const command of [`cat ${file_path} > /dev/null`, `cat ${file_path} | head -2`]) {
    await tools.call("shell", { command });
    expect(await edit("two", "2"), command).toMatchObject({ isError: true });
  }
  await tools.call("read_file", { file_path, limit: 1 });
  expect((await edit("two", "2")).text).toContain("read all of it with read_file first");
  // In parts it is read whole.
  await tools.call("read_file", { file_path, offset: 1, limit: 5 });
  await tools.call("read_file", { file_path, offset: 6 });
  expect(await edit("two", "2\nand a half")).toMatchObject({ isError: false });
  expect(await edit("and a half", "and more")).toMatchObject({ isError: false });
});

it("of a file that no answer holds, the part that is edited is enough", async () => {
  await using tools = await toolBench();
  const lines = Array.from({ length: 1200 }, (_, index) => `line number ${index} of many.`);
  tools.skill("marked/SKILL.md", `${MARKED}\n${lines.join("\n")}\n`);
  const file_path = ".qwen/skills/marked/SKILL.md";
  const edit = (from: string) =>
    tools.call("edit", { file_path, old_string: from, new_string: "changed" });
  await tools.call("read_file", { file_path, limit: 20 });
  expect((await edit("line number 1000 of many.")).text).toContain("read it around line 1009");
  await tools.call("read_file", { file_path, offset: 1000, limit: 20 });
  expect(await edit("line number 1000 of many.")).toMatchObject({ isError: false });
  expect(await edit("line number 5 of many.\nline number 6")).toMatchObject({ isError: false });
});
