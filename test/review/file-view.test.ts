import { expect, test } from "vitest";
import { decodeText } from "../../src/review/decode-text.ts";
import { createFileView } from "../../src/review/file-view.ts";
import { openSkillFolder } from "../../src/review/skill-folder.ts";
import { asSessionText } from "../support/session-text.ts";
import { toolBench } from "./tool-bench.ts";

test("a submodule is described, and holds nothing", async () => {
  await using tools = await toolBench({
    prepare: async (repository) => {
      const head = await repository.git("rev-parse", "HEAD");
      await repository.git("update-index", "--add", "--cacheinfo", `160000,${head},module`);
      await repository.git("commit", "--quiet", "--message", "a submodule");
    },
  });
  const { view, root } = tools;
  expect(await view.kindOf(`${root}/module`)).toBe("submodule");
  expect(await view.read(`${root}/module`)).toMatchObject({
    ok: false,
    reason: expect.stringContaining("a submodule"),
  });
  expect((await tools.call("shell", { command: "ls module | wc -l" })).text).toBe("0");
});

test("a tree with names that mean something elsewhere hides them", async () => {
  await using tools = await toolBench();
  const names = [".git/config", "a/.GIT/x", ".g\u200cit/x", "git~1", "../up", "a//b", "./c", "ok"];
  const view = createFileView({
    project: {
      list: async () => names.map((path) => ({ path, mode: "100644" })),
      read: async () => ({ bytes: Buffer.from("x"), isCut: false }),
    },
    projectRoot: "/work/app",
    skillsRoot: ".qwen/skills",
    skillFolder: openSkillFolder(tools.skillsDir),
    transcript: asSessionText(""),
    links: new Set(),
    redact: async (text) => text,
  });
  expect(await view.list("/work/app")).toEqual([
    { name: ".qwen", kind: "folder" },
    { name: "ok", kind: "file" },
  ]);
  expect(await view.list("/work")).toEqual([{ name: "app", kind: "folder" }]);
});

test("the skills of the base are those of the workspace", async () => {
  await using tools = await toolBench({ files: { ".qwen/skills/gone/SKILL.md": "x", a: "x" } });
  expect(await tools.view.kindOf(`${tools.root}/.qwen/skills/gone`)).toBeNull();
  tools.skill("new/SKILL.md", "x");
  expect(await tools.view.kindOf(`${tools.root}/.qwen/skills/new/SKILL.md`)).toBe("file");
});

test("what a partial clone left out is said to be elsewhere", async () => {
  const view = createFileView({
    project: { list: async () => [{ path: "a", mode: "100644" }], read: async () => null },
    projectRoot: "/work/app",
    skillsRoot: ".qwen/skills",
    skillFolder: openSkillFolder("/nowhere"),
    transcript: asSessionText(""),
    links: new Set(),
    redact: async (text) => text,
  });
  expect(await view.read("/work/app/a")).toMatchObject({
    ok: false,
    reason: expect.stringContaining("not on this machine"),
  });
});

test("text and what is none", () => {
  expect(decodeText(Buffer.from("ü"))).toBe("ü");
  expect(decodeText(Buffer.from([65, 0, 66]))).toBeNull();
});
