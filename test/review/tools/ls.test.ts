import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LS_ENTRIES_MAX } from "../../../src/core/limits.ts";
import { MARKED, toolBench } from "../tool-bench.ts";

it("lists the project with the skills as they are now, folders first", async () => {
  await using tools = await toolBench({
    files: { "b.txt": "x", "src/a.ts": "x", ".qwen/skills/old/SKILL.md": MARKED, ".qwen/x": "x" },
    prepare: async (repository) => {
      symlinkSync("..", join(repository.dir, "up"));
      await repository.commit();
      repository.write("untracked", "x");
    },
  });
  tools.skill("new/SKILL.md", MARKED);
  const ls = async (path: string) => (await tools.call("ls", { path })).text;
  expect(await ls(".")).toBe(".qwen/\nsrc/\nb.txt\nup (symbolic link, not followed)");
  expect(await ls(tools.root)).toBe(await ls("."));
  expect(await ls(".qwen")).toBe("skills/\nx");
  expect(await ls(".qwen/skills")).toBe("new/");
  expect(await ls("/transcript")).toBe("session.md");
  expect(await ls("/")).toContain("transcript/");
});

it("knows a skills root that is in no commit yet", async () => {
  await using tools = await toolBench();
  expect((await tools.call("ls", { path: ".qwen" })).text).toBe("skills/");
  expect((await tools.call("ls", { path: ".qwen/skills" })).text).toBe("[The folder is empty.]");
});

it("says what it left out", async () => {
  const names = Array.from({ length: LS_ENTRIES_MAX + 5 }, (_, index) => `f${index}`);
  await using tools = await toolBench({
    files: Object.fromEntries(names.map((name) => [`many/${name}`, ""])),
  });
  const listed = (await tools.call("ls", { path: "many" })).text.split("\n");
  expect(listed).toHaveLength(LS_ENTRIES_MAX + 1);
  expect(listed.at(-1)).toContain(`5 more of ${LS_ENTRIES_MAX + 5}`);
});

it.each([
  ["README.md", "is a file"],
  ["nowhere", "no tracked file"],
  [".git", "no tracked file"],
  ["/etc", "is outside"],
])("refuses %j", async (path, reason) => {
  await using tools = await toolBench();
  const answer = await tools.call("ls", { path });
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(reason) });
});

it("shows above the project only the way to it", async () => {
  await using tools = await toolBench();
  expect((await tools.call("ls", { path: ".." })).text).toBe("repository/");
});
