import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { READ_LINE_MAX_CHARS, TOOL_OUTPUT_MAX_CHARS } from "../../../src/core/limits.ts";
import { MARKED, type ToolBench, toolBench } from "../tool-bench.ts";

const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`);

async function bench(): Promise<ToolBench> {
  return toolBench({
    files: {
      "a.txt": "one\ntwo\nthree\n",
      "long.txt": `${lines.join("\n")}\n`,
      "wide.txt": `short\n${"x".repeat(READ_LINE_MAX_CHARS * 2)}\nend\n`,
      "empty.txt": "",
      ".gitignore": "ignored.txt\n",
    },
    prepare: async (repository) => {
      symlinkSync("/etc/passwd", join(repository.dir, "link"));
      repository.write("image.png", Buffer.from([0x89, 0x50, 0, 1, 2]));
      repository.write("large.txt", "0123456789abcde\n".repeat(300_000));
      await repository.commit();
      repository.write("a.txt", "changed, not committed");
      repository.write("untracked.txt", "x");
    },
    transcript: ["# Session\n\nt1 user: hello\n"],
  });
}

let tools: ToolBench;
beforeAll(async () => {
  tools = await bench();
});
afterAll(() => tools[Symbol.asyncDispose]());

describe("read_file", () => {
  it("reads what is committed, a skill as it is now, and the transcript", async () => {
    tools.skill("marked/SKILL.md", MARKED);
    const read = (file_path: string) => tools.call("read_file", { file_path });
    const whole = { text: "one\ntwo\nthree\n", isError: false };
    expect(await read("a.txt")).toEqual(whole);
    expect(await read(`${tools.root}/./b/../a.txt`)).toEqual(whole);
    expect(await tools.call("read_file", { absolute_path: "a.txt" })).toEqual(whole);
    expect((await read(".qwen/skills/marked/SKILL.md")).text).toBe(MARKED);
    expect((await read("/transcript/session.md")).text).toContain("t1 user: hello");
    expect((await read("empty.txt")).text).toBe("[The file is empty.]");
  });

  it("gives a long file in parts that join without a gap", async () => {
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { text } = await tools.call("read_file", { file_path: "long.txt", offset });
      expect(text.length).toBeLessThan(TOOL_OUTPUT_MAX_CHARS + 200);
      const [head, ...part] = text.split("\n");
      seen.push(...part);
      const next = /of 5000; read on with offset (\d+)\]$/.exec(head ?? "")?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(seen).toEqual(lines);
    const window = { file_path: "long.txt", offset: "10", limit: 2 };
    expect((await tools.call("read_file", window)).text).toBe(
      "[lines 11 to 12 of 5000; read on with offset 12]\nline 10\nline 11",
    );
    expect(await tools.call("read_file", { ...window, offset: 5000 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("behind its end"),
    });
  });

  it("cuts a long line, and says that a file is too large to be read whole", async () => {
    const wide = (await tools.call("read_file", { file_path: "wide.txt" })).text;
    expect(wide).toMatch(/^\[lines 1 to 3 of 3; lines longer than 2000 characters are cut/);
    expect(wide.length).toBeLessThan(READ_LINE_MAX_CHARS + 200);
    const large = (await tools.call("read_file", { file_path: "large.txt", limit: 1 })).text;
    expect(large).toContain("too large to be read whole");
  });

  it.each([
    ["image.png", "binary"],
    ["link", 'symbolic link to "/etc/passwd"'],
    ["untracked.txt", "no tracked file"],
    ["ignored.txt", "no tracked file"],
    [".git/config", "no tracked file"],
    ["link/x", "no tracked file"],
    [".qwen", "is a folder"],
    [".qwen/skills/no/SKILL.md", "no tracked file"],
    ["/etc/passwd", "is outside"],
    ["../outside.txt", "is outside"],
    ["~/.ssh/id_rsa", "outside the project"],
    ["/transcript/../etc/passwd", "is outside"],
    ["/transcript", "is a folder"],
    ["a\0.txt", "is not a path"],
  ])("refuses %j", async (file_path, reason) => {
    const answer = await tools.call("read_file", { file_path });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(reason);
  });

  it.each([
    [undefined, "must be an object"],
    [[], "must be an object"],
    ["a.txt", "must be an object"],
    [{}, '"file_path" is missing'],
    [{ file_path: null }, '"file_path" is missing'],
    [{ file_path: 5 }, "must be a string"],
    [{ file_path: "a.txt", offset: -1 }, "whole number"],
    [{ file_path: "a.txt", limit: "many" }, "whole number"],
    [{ file_path: "x".repeat(10_000_000) }, "characters"],
  ])("answers to arguments that are none: %#", async (args, reason) => {
    const answer = await tools.call("read_file", args);
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(reason) });
    expect(answer.text.length).toBeLessThan(1000);
  });
});
