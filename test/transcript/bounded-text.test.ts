import { describe, expect, it } from "vitest";
import { JSON_DEPTH_MAX, TOOL_ARGUMENT_MAX_VALUES } from "../../src/core/limits.ts";
import { keepArguments, keepText } from "../../src/transcript/bounded-text.ts";

describe("keepText", () => {
  it("keeps what fits as it is", () => {
    expect(keepText("x".repeat(100), 100)).toBe("x".repeat(100));
  });

  it("keeps head and tail within the bound and says how much is missing", () => {
    const text = `${"head ".repeat(100)}middle ${"tail ".repeat(100)}`;
    const kept = keepText(text, 300);
    expect(kept.length).toBeLessThanOrEqual(300);
    expect(kept).toMatch(/^head head .*\n\[… (\d+) characters left out …\]\n.* tail tail $/);
    const [, missing] = /(\d+) characters/.exec(kept) ?? [];
    expect(kept.replace(/\n\[.*\]\n/, "").length + Number(missing)).toBe(text.length);
  });

  it("cuts no word, so that no half secret is left", () => {
    const token = `ghp_${"a1B2c3D4e5".repeat(10)}`;
    for (let before = 0; before < 400; before += 7) {
      const kept = keepText(`${"w ".repeat(before)}${token} ${"z ".repeat(400)}`, 300);
      expect(kept.includes("ghp_")).toBe(kept.includes(token));
    }
  });

  it("splits no surrogate pair of a text without words", () => {
    for (let max = 300; max < 312; max += 1) {
      expect(keepText("😀".repeat(5000), max)).not.toMatch(/\p{Surrogate}/u);
    }
  });
});

describe("keepArguments", () => {
  it("copies values and cuts long strings, deep inside too", () => {
    const kept = keepArguments({ a: 1, b: [true, null, { c: "x ".repeat(500) }] }, 100);
    expect(kept).toMatchObject({ a: 1, b: [true, null, {}] });
    expect(JSON.stringify(kept).length).toBeLessThan(200);
  });

  it("ends in values that are too deep or too many", () => {
    let deep: unknown = "end";
    for (let n = 0; n < 50_000; n += 1) deep = { deep };
    expect(JSON.stringify(keepArguments({ deep }, 100)).length).toBeLessThan(JSON_DEPTH_MAX * 12);
    const many = keepArguments({ list: Array.from({ length: 100_000 }, () => 0) }, 100);
    expect((many["list"] as unknown[]).length).toBeLessThanOrEqual(TOOL_ARGUMENT_MAX_VALUES);
  });

  it("takes `__proto__` for a key like any other", () => {
    const kept = keepArguments(JSON.parse('{"__proto__":{"polluted":true}}'), 100);
    expect(Object.keys(kept)).toEqual(["__proto__"]);
    expect(kept["polluted"]).toBeUndefined();
  });
});
