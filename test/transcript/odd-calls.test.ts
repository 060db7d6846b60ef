/** Calls and results as real files hold them, in every format that records them by id. */
import { describe, expect, it } from "vitest";
import type { Session } from "../../src/transcript/session.ts";
import { skillWrites } from "../../src/transcript/skill-writes.ts";
import { callList, readText } from "./fixtures.ts";
import { type Step, WRITERS, WRITERS_OF_WHOLE_CALLS } from "./write-session.ts";

const outcomes = (list: readonly string[]) => list.map((call) => call.split(" ").at(-1));

type Read = (...steps: Step[]) => Promise<Session>;

function readerOf(format: string, write: (steps: readonly Step[]) => string): Read {
  return async (...steps) => {
    const session = await readText(write([{ say: "Sort the parcels." }, ...steps]));
    expect(session.format).toBe(format);
    return session;
  };
}

/** What holds whether calls and results are records of their own or not. */
function countsCalls(read: Read): void {
  it("takes a call without a result for issued and not completed", async () => {
    const session = await read({ call: "c1" }, { call: "c2" }, { result: "c2" });
    expect(outcomes(callList(session))).toEqual(["unknown", "success"]);
    expect(session).toMatchObject({ toolCallCount: 1, issuedToolCallCount: 2 });
  });

  it("counts different calls under one id each", async () => {
    const session = await read(
      { call: "c1", command: "npm ci" },
      { result: "c1" },
      { call: "c1", command: "npm test" },
      { result: "c1" },
    );
    expect(session).toMatchObject({ toolCallCount: 2, issuedToolCallCount: 2 });
  });

  it.each([
    ["empty ids", ""],
    ["no ids", undefined],
    ["ids that a redactor replaced", "REDACTED"],
    ["ids that a fixture's maker replaced", "[trimmed for fixture]"],
  ])("counts calls by their place with %s", async (_, id) => {
    const session = await read(
      { call: id },
      { result: id, text: "one" },
      { call: id },
      { result: id, text: "two" },
      { call: id },
    );
    expect(session).toMatchObject({ toolCallCount: 2, issuedToolCallCount: 3 });
    const results = session.turns.flatMap((turn) => turn.toolCalls).map((call) => call.result);
    expect(results).toEqual(["one", "two", null]);
  });
}

describe.each(Object.entries(WRITERS))("%s", (format, write) => {
  const read = readerOf(format, write);
  countsCalls(read);

  it("says that a result without a call is there", async () => {
    const session = await read({ result: "lost" }, { call: "c1" }, { result: "c1" });
    expect(session).toMatchObject({
      toolCallCount: 1,
      notes: ["1 result belongs to calls that the file doesn't hold"],
    });
  });

  it("gives a result to a call that comes behind it", async () => {
    const session = await read(
      { result: "c2", text: "early" },
      { call: "c1" },
      { call: "c2" },
      { result: "c1" },
    );
    expect(outcomes(callList(session))).toEqual(["success", "success"]);
    const results = session.turns.flatMap((turn) => turn.toolCalls).map((call) => call.result);
    expect(results).toEqual(["fine", "early"]);
    expect(session.notes).toEqual([]);
  });

  it("counts a call that is written down twice once", async () => {
    const call = { call: "c1", command: "npm test" };
    const session = await read(call, call, { result: "c1" }, call);
    expect(session).toMatchObject({ toolCallCount: 1, issuedToolCallCount: 1 });
  });

  it("takes the first of two results", async () => {
    const session = await read({ call: "c1" }, { result: "c1" }, { result: "c1", text: "again" });
    expect(session.turns.flatMap((turn) => turn.toolCalls)[0]?.result).toBe("fine");
    expect(session).toMatchObject({ toolCallCount: 1, notes: [] });
  });

  it("doesn't count a call that the user declined as completed or failed", async () => {
    const text = "The user doesn't want to proceed with this tool use.";
    const declined = { call: "c1", command: "echo x > .qwen/skills/a/SKILL.md" };
    const session = await read(declined, { result: "c1", text, isError: true });
    expect(outcomes(callList(session))).toEqual(["cancelled"]);
    expect(session).toMatchObject({
      toolCallCount: 0,
      issuedToolCallCount: 1,
      failedToolCallCount: 0,
    });
    const options = { skillsRoot: ".qwen/skills", projectRoots: [] };
    expect(skillWrites(session, options)).toEqual([]);
    const done = await read(declined, { result: "c1" });
    expect(skillWrites(done, options)).toHaveLength(1);
  });
});

/** There are no results without calls, and none before its call. */
describe.each(Object.entries(WRITERS_OF_WHOLE_CALLS))("%s", (format, write) => {
  const read = readerOf(format, write);
  countsCalls(read);

  it("doesn't count a call that the user declined as completed or failed", async () => {
    const text = "The user rejected permission to use this specific tool call.";
    const declined = { call: "c1", command: "echo x > .qwen/skills/a/SKILL.md" };
    const session = await read(declined, { result: "c1", text, isError: true });
    expect(outcomes(callList(session))).toEqual(["cancelled"]);
    expect(session).toMatchObject({
      toolCallCount: 0,
      issuedToolCallCount: 1,
      failedToolCallCount: 0,
    });
    expect(skillWrites(session, { skillsRoot: ".qwen/skills", projectRoots: [] })).toEqual([]);
  });
});

describe("a session that was logged while it streamed", () => {
  const base = { sessionId: "s", timestamp: "2026-03-02T10:00:00Z", isSidechain: false };
  const streamed = (n: number, ...content: object[]) =>
    JSON.stringify({
      ...base,
      uuid: `r${n}`,
      type: "assistant",
      message: { id: "m1", role: "assistant", content },
    });
  const text = (words: string) => ({ type: "text", text: words });
  const use = (input: object) => ({ type: "tool_use", id: "c1", name: "Bash", input });

  it("says each word once and counts each call once", async () => {
    const session = await readText(
      [
        streamed(1, text("I run")),
        streamed(2, text("I run the tests.")),
        streamed(3, text("I run the tests."), use({})),
        streamed(4, text("I run the tests."), use({ command: "npm" })),
        streamed(5, text("I run the tests."), use({ command: "npm test" })),
      ].join("\n"),
    );
    expect(session.turns.map((turn) => turn.text)).toEqual(["I run the tests."]);
    expect(session.issuedToolCallCount).toBe(1);
    expect(session.turns[0]?.toolCalls[0]?.command).toBe("npm test");
  });

  it("keeps two calls apart that an agent made under one id in two messages", async () => {
    const other = streamed(6, use({ command: "npm test -- --watch" })).replace('"m1"', '"m2"');
    const session = await readText([streamed(5, use({ command: "npm test" })), other].join("\n"));
    expect(session.issuedToolCallCount).toBe(2);
  });
});
