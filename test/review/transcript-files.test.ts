/** A session that is longer than the shell takes: `/transcript/session.md`, and its parts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ToolBench, toolBench } from "./tool-bench.ts";

const part = (n: number) =>
  Array.from({ length: 3000 }, (_, line) => `  part ${n}, line ${line}\n`).join("");

let tools: ToolBench;
beforeAll(async () => {
  tools = await toolBench({ transcript: [part(1), part(2), part(3)] });
});
afterAll(() => tools[Symbol.asyncDispose]());

const shell = (command: string) => tools.call("shell", { command });
const read = (offset: number, limit: number, file_path = "/transcript/session.md") =>
  tools.call("read_file", { file_path, offset, limit });

describe("a session in parts", () => {
  it("is listed whole and in parts", async () => {
    expect((await tools.call("ls", { path: "/transcript" })).text).toMatch(
      /session-001\.md[\s\S]*session-002\.md[\s\S]*session-003\.md[\s\S]*session\.md/,
    );
  });

  it("is read from any line on, also across the parts", async () => {
    expect((await read(2999, 2)).text).toBe(
      "[lines 3000 to 3001 of 9000; read on with offset 3001]\n  part 1, line 2999\n  part 2, line 0",
    );
    expect((await read(8999, 5)).text).toBe("[lines 9000 to 9000 of 9000]\n  part 3, line 2999");
    expect(await read(9000, 5)).toMatchObject({
      isError: true,
      text: expect.stringContaining("9000 lines"),
    });
    expect((await read(0, 1, "/transcript/session-003.md")).text).toContain("  part 3, line 0");
  });

  it("is searched by the shell in its parts, and the whole says so", async () => {
    expect((await shell("grep -n 'part 2, line 17$' /transcript/session-*.md")).text).toBe(
      "/transcript/session-002.md:18:  part 2, line 17",
    );
    const refused = await shell("grep 'part 2' /transcript/session.md");
    expect(refused.text).toContain("3 parts /transcript/session-001.md to session-003.md");
  });

  it("has no other parts", async () => {
    for (const name of ["session-004.md", "session-000.md", "session-01.md", "session-1.md", "x"])
      expect(await read(0, 1, `/transcript/${name}`)).toMatchObject({ isError: true });
  });
});

it("a session of one part is one file", async () => {
  await using bench = await toolBench({ transcript: [part(1)] });
  expect((await bench.call("ls", { path: "/transcript" })).text).not.toContain("session-001.md");
  const answer = await bench.call("shell", { command: "grep -c 'part 1' /transcript/session.md" });
  expect(answer.text).toBe("3000");
  const one = await bench.call("read_file", { file_path: "/transcript/session-001.md" });
  expect(one.isError).toBe(true);
});
