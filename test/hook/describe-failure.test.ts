import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeFailure } from "../../src/hook/describe-failure.ts";

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("what the system refused is told with path and code", () => {
  const error = thrownBy(() => readFileSync("/not/there\n"));
  expect(describeFailure(error)).toBe("open /not/there\\n failed: ENOENT");
});

test("a bug is told by its place, never by its words", () => {
  const error = thrownBy(() => JSON.parse("private words"));
  const text = describeFailure(error);
  expect(text).toMatch(/^a bug in skillpr: SyntaxError at /);
  expect(text).not.toContain("private");
  expect(text).not.toContain("\n");
  expect(describeFailure("private words")).toBe("a bug in skillpr: string was thrown");
});
