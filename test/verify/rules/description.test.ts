import { describe, expect, it } from "vitest";
import { SKILL_DESCRIPTION_MAX_CHARS } from "../../../src/core/limits.ts";
import { FLOW, findingsOf, flow } from "../verify-input.ts";

function messageOf(description: string): string | undefined {
  const text = flow.replace(/^description: .*$/m, () => `description: ${description}`);
  const [finding] = findingsOf("structure.description", { next: { [FLOW]: text } });
  return finding?.message;
}

describe("structure.description", () => {
  it("counts characters, not bytes or UTF-16 units", () => {
    expect(messageOf("\u{1f600}".repeat(SKILL_DESCRIPTION_MAX_CHARS))).toBeUndefined();
    expect(messageOf("x".repeat(SKILL_DESCRIPTION_MAX_CHARS + 1))).toContain(
      `has ${SKILL_DESCRIPTION_MAX_CHARS + 1} characters`,
    );
  });

  it.each([
    ["''", "is empty"],
    ["'   '", "is empty"],
    ["~", "no `description`"],
    ["12", "no `description`"],
    ['"a\\nb"', "line break"],
    ['"a\\tb"', "tab"],
    ['"a\\x1bb"', "control character"],
    ['"a\\u2028b"', "line break"],
  ])("refuses %s", (description, message) => {
    expect(messageOf(description)).toContain(message);
  });
});
