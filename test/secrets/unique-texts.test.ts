import { expect, it } from "vitest";
import { uniqueTexts } from "../../src/secrets/unique-texts.ts";

it("gives each text once, and for every text the number of its like", () => {
  expect(uniqueTexts(["a", "", "b", "a", ""])).toEqual({
    unique: ["a", "", "b"],
    numbers: [0, 1, 2, 0, 1],
  });
});

it("tells long texts apart that look alike where they are sampled, however many they are", () => {
  const texts = Array.from({ length: 40 }, (_, n) => {
    const [start, middle, end] = ["s".repeat(60), "m".repeat(60), "e".repeat(60)];
    return `${start}${String(n).padStart(4, "0")}${middle}${String(n).padStart(4, "0")}${end}`;
  });
  const { unique, numbers } = uniqueTexts([...texts, ...texts]);
  expect(unique).toEqual(texts);
  expect(numbers).toEqual([...texts.keys(), ...texts.keys()]);
});
