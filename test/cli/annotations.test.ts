import { describe, expect, it } from "vitest";
import { annotation } from "../../src/cli/annotations.ts";

const finding = {
  rule: "quality.placeholder",
  level: "warning",
  path: ".qwen/skills/a/SKILL.md",
  line: 11,
  column: 3,
  message: "It is a placeholder.",
  hint: "Write it.",
} as const;

describe("annotation", () => {
  it("stands at the line and column of a finding", () => {
    expect(annotation(finding)).toBe(
      "::warning file=.qwen/skills/a/SKILL.md,line=11,col=3,title=quality.placeholder::It is a placeholder. Write it.",
    );
  });

  it("leaves out what a finding doesn't know", () => {
    const whole = { ...finding, line: null };
    expect(annotation(whole)).toMatch(/^::warning file=\.qwen\/skills\/a\/SKILL\.md,title=/);
    expect(annotation({ ...whole, path: null, level: "error" })).toMatch(/^::error title=quality/);
  });

  it("lets no path and no message end the command or begin another", () => {
    const path = "a,line=1::error::x\n::stop-commands::y%0A.md";
    const message = "100 %\r\n::set-env name=A::b\u2028::error::c";
    const text = annotation({ ...finding, path, message });
    expect(text).not.toMatch(/[\r\n\u2028]/);
    expect(text).toContain(
      "file=a%2Cline=1%3A%3Aerror%3A%3Ax\\n%3A%3Astop-commands%3A%3Ay%250A.md,",
    );
    expect(text).toContain("::100 %25\\r\\n::set-env");
  });
});
