/** docs/configuration.md says what the schemas say. `npm run docs:configuration` writes it anew. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { UserFile } from "../../src/core/config-file.ts";
import { configurationPage, settingsOf, WORDS } from "./configuration-page.ts";

test("every setting has its words, and no words stand for a setting that isn't there", () => {
  const keys = settingsOf(UserFile).map(({ key }) => key);
  expect(keys.length).toBeGreaterThan(20);
  expect([...keys].sort()).toEqual(Object.keys(WORDS).sort());
});

test("docs/configuration.md is made of the schemas", async () => {
  const file = resolve(import.meta.dirname, "../../docs/configuration.md");
  await expect(configurationPage()).toMatchFileSnapshot(file);
});
