import { expect, test } from "vitest";
import { fill } from "../../src/core/fill.ts";

test("values stand where they are named, in one pass", () => {
  expect(fill("{a} and {b}, {a}", { a: "{b}", b: "2" })).toBe("{b} and 2, {b}");
});

test("a name without a value stays as it is, whatever objects know by themselves", () => {
  expect(fill("{a} {constructor} {toString} {}", { a: "" })).toBe(" {constructor} {toString} {}");
});
