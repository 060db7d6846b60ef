import { expect, it } from "vitest";
import { createRedactor } from "../../src/secrets/redactor.ts";
import { seeded, word } from "./planted.ts";

const random = seeded(7);
const github = `ghp_${word(random, 36)}`;
const model = `sk-proj-${word(random, 74)}`;

async function redacted(text: string, ...before: string[]): Promise<string> {
  const texts = [...before, text];
  return (await createRedactor({ credentials: [] }).redact(texts)).at(-1) ?? "";
}

it("gives a token in pieces the placeholder that it has where it stands whole", async () => {
  const [start, end] = [github.slice(0, 17), github.slice(17)];
  for (const text of [
    `const key = "${start}" + "${end}";`,
    `key = '${start}' \\\n      '${end}';`,
    `key = "${start}" .\n  "${end}";`,
    JSON.stringify(`key = "${start}" +\n  "${end}";`),
    `key = "${start}" + '${end}';`,
    `key = '${start}'\n  + \`${end}\`;`,
    `key = "${start}".concat("${end}");`,
    `key = ["${start}", '${end}'].join("");`,
    `key = [\n  "${start}",\n  "${end}",\n].join("");`,
    JSON.stringify(`key = [\n  "${start}",\n  "${end}",\n].join("");`),
  ]) {
    const clean = await redacted(text, `the token ${github}`);
    expect(clean).toContain("[redacted:github-token:1]");
    expect(clean).not.toContain(end.slice(0, 8));
    expect(clean.startsWith(text.slice(0, text.indexOf(start)))).toBe(true);
    expect(clean.endsWith(text.slice(text.indexOf(end) + end.length))).toBe(true);
  }
});

it("takes what follows a token that is whole at the side of a box", async () => {
  const box = `│ ${model.slice(0, 40)} │\n│ ${model.slice(40).padEnd(40)} │\n│ ${"kept 12".padEnd(40)} │`;
  const clean = await redacted(box);
  expect(clean).not.toContain(model.slice(40, 48));
  expect(clean).toContain("kept 12");
});

it.each([
  ["a commit in the line below", `${model}\n    3f2a91c0d4be5f60718293a4b5c6d7e8f9012345`],
  ["a word in the line below", `${model}\n    authorization`],
  ["a path in the line below", `${model}\n    src/secrets/token2024.ts`],
  ["an assignment in the line below", `  TOKEN=${github}\n  REGION=eu-west-1`],
  ["a padded cell above", `│ ${github}      │\n│ build2024x91 │`],
])("leaves %s", async (_, text) => {
  const below = text.slice(text.indexOf("\n"));
  expect((await redacted(text)).endsWith(below)).toBe(true);
});

it.each([
  `const PREFIXES = ["ghp_", "gho_", "ghs_", "github_pat_"];`,
  `if (text.startsWith("sk-")) return "model" + "key";`,
  `- the prefix ghp_\n    begins a token of 36 characters\n`,
  `│ sk-        │\n│ npm_config │\n│ key-       │`,
  `url = "https://example.com/pypi-" + "simple/";`,
])("leaves what only begins as a token: %s", async (text) => {
  expect(await redacted(text)).toBe(text);
});
