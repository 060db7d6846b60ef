import { expect, it } from "vitest";
import { UniqueTexts } from "../../src/secrets/unique-texts.ts";

function uniqueTexts(texts: readonly string[]): UniqueTexts {
  const unique = new UniqueTexts();
  for (const text of texts) unique.add(text);
  return unique;
}

it("keeps each text once, and gives all of them in their order", () => {
  const texts = uniqueTexts(["a", "", "b", "a", ""]);
  expect(texts.unique).toEqual(["a", "", "b"]);
  expect([...texts.inOrder()]).toEqual(["a", "", "b", "a", ""]);
});

it("gives a text that was replaced wherever it stands", () => {
  const texts = uniqueTexts(["a", "b", "a"]);
  texts.unique[0] = "c";
  expect([...texts.inOrder()]).toEqual(["c", "b", "c"]);
});

it("keeps more texts than its lists have room for at first", () => {
  const all = Array.from({ length: 5000 }, (_, n) => `text ${n % 3000}`);
  const texts = uniqueTexts(all);
  expect(texts.unique).toHaveLength(3000);
  expect([...texts.inOrder()]).toEqual(all);
});

it("tells long texts apart that look alike where they are sampled, however many they are", () => {
  const texts = Array.from({ length: 40 }, (_, n) => {
    const [start, middle, end] = ["s".repeat(60), "m".repeat(60), "e".repeat(60)];
    return `${start}${String(n).padStart(4, "0")}${middle}${String(n).padStart(4, "0")}${end}`;
  });
  const twice = uniqueTexts([...texts, ...texts]);
  expect(twice.unique).toEqual(texts);
  expect([...twice.inOrder()]).toEqual([...texts, ...texts]);
});
