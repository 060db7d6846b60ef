import { expect, test } from "vitest";
import { PACKED_ID_MAX_CHARS } from "../../src/core/limits.ts";
import { IdNumbers } from "../../src/transcript/id-numbers.ts";

/** Many alike, two of the same letters, prefixes of others, long ones, and such as no agent makes. */
const IDS = [
  ...Array.from({ length: 5000 }, (_, n) => `a${n}`),
  ...Array.from(
    { length: 5000 },
    (_, n) => `6b1d8c52-0d0f-4f7e-9a55-${String(n).padStart(12, "0")}`,
  ),
  "",
  "ab",
  "ba",
  "\0",
  "é",
  "日本",
  "\ud800",
  "\ud801",
  "x".repeat(PACKED_ID_MAX_CHARS),
  "x".repeat(PACKED_ID_MAX_CHARS + 1),
  "x".repeat(PACKED_ID_MAX_CHARS + 2),
];

test("each id has the number of its first place, whatever it is made of", () => {
  const numbers = new IdNumbers();
  for (const [at, id] of IDS.entries()) {
    expect(numbers.get(id)).toBe(null);
    expect(numbers.add(id)).toBe(true);
    expect(numbers.get(id)).toBe(at);
  }
  for (const id of IDS) expect(numbers.add(id)).toBe(false);
  expect(IDS.map((id) => numbers.get(id))).toEqual(IDS.map((_, at) => at));
  expect(numbers.get("a5000")).toBe(null);
});

test("what was cleared begins at 0 again", () => {
  const numbers = new IdNumbers();
  for (const id of IDS) numbers.add(id);
  numbers.clear();
  expect(numbers.get("a1")).toBe(null);
  expect(numbers.add("a1")).toBe(true);
  expect(numbers.get("a1")).toBe(0);
});
