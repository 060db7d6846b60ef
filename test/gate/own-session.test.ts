import { describe, expect, it } from "vitest";
import { isOwnSession } from "../../src/gate/own-session.ts";
import { makeSession, makeTurn } from "../transcript/fixtures.ts";

describe("isOwnSession", () => {
  it.each([
    ["/tmp/skillpr-1000/4711-98765-a1b2c3", true],
    ["/tmp/skillpr-1000/4711-98765-a1b2c3/.qwen/skills", true],
    ["/private/var/folders/ab/cd/T/skillpr-501/4711-98765-a1b2c3", true],
    ["/home/runner/work/_temp/skillpr-1001/4711-98765-a1b2c3", true],
    ["C:\\Users\\user\\AppData\\Local\\Temp\\skillpr-user\\4711-98765-a1b2c3", true],
    ["/home/user/skillpr", false],
    ["/home/user/skillpr-fork/1-2-three", false],
    ["/tmp/skillpr-test/repository", false],
    ["/home/user/parcels", false],
    [null, false],
  ])("a session in %s: %s", (cwd, expected) => {
    expect(isOwnSession(makeSession({ cwd }))).toBe(expected);
  });

  it("knows the review agent's own turns, when there are no others", () => {
    const agent = makeTurn({ subagent: "managed-skill-extractor" });
    expect(isOwnSession(makeSession({ turns: [agent, agent] }))).toBe(true);
    expect(isOwnSession(makeSession({ turns: [agent, makeTurn({})] }))).toBe(false);
    expect(isOwnSession(makeSession({ turns: [] }))).toBe(false);
  });
});
