/** Secrets planted in what sessions hold: none of them may survive, and the words around them must. */
import { expect, it } from "vitest";
import { createRedactor } from "../../src/secrets/redactor.ts";
import { SURROUNDINGS, seeded, survivor, TOKENS } from "./planted.ts";

const SEEDS = 20;

it.each(Object.entries(SURROUNDINGS))("none survives in %s", async (_, surround) => {
  // The end of a token that is cut may look like a word or a number in one of ten.
  const planted = Array.from({ length: SEEDS }, (_, seed) => {
    const random = seeded(seed + 1);
    return Object.entries(TOKENS).map(([kind, make]) => ({ kind, secret: make(random) }));
  }).flat();
  const texts = planted.map(({ secret }) => surround(secret));
  const clean: string[] = [];
  // Alone each: a secret that another place gave away would be no finding.
  for (const text of texts) {
    clean.push(...(await createRedactor({ credentials: [] }).redact([text])));
  }
  const survivors = planted
    .map(({ kind, secret }, at) => ({ kind, left: survivor(secret, clean[at] ?? "") }))
    .filter(({ left }) => left !== null);
  expect(survivors).toEqual([]);
});

it("there are at least 25 kinds and 200 places", () => {
  expect(Object.keys(TOKENS).length).toBeGreaterThanOrEqual(25);
  const places = Object.keys(TOKENS).length * Object.keys(SURROUNDINGS).length;
  expect(places).toBeGreaterThanOrEqual(200);
});

it("all of them in one session get a placeholder each, the same one everywhere", async () => {
  const random = seeded(2);
  const secrets = Object.values(TOKENS).map((make) => make(random));
  const texts = secrets.flatMap((secret) => [`a ${secret} b`, `{"x":"${secret}"}`]);
  const clean = await createRedactor({ credentials: [] }).redact(texts);
  const placeholders = clean.map((text) => /\[redacted:[a-z-]+:\d+\]/.exec(text)?.[0]);
  for (let at = 0; at < placeholders.length; at += 2) {
    expect(clean[at]).toBe(`a ${placeholders[at]} b`);
    expect(clean[at + 1]).toBe(`{"x":"${placeholders[at]}"}`);
  }
  expect(new Set(placeholders).size).toBe(secrets.length);
});
