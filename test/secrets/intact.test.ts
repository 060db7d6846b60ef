/** Real code, lock files and images stay byte for byte what they were. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { createRedactor } from "../../src/secrets/redactor.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** The lines that redaction changed. */
async function changedLines(texts: readonly string[]): Promise<string[]> {
  const clean = await createRedactor({ credentials: [] }).redact(texts);
  return texts.flatMap((text, at) => {
    const after = new Set((clean[at] ?? "").split("\n"));
    return text.split("\n").filter((line) => !after.has(line));
  });
}

function filesOf(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => readFileSync(join(ROOT, folder, name), "utf8"));
}

it("a lock file with its integrity hashes", async () => {
  expect(await changedLines([readFileSync(join(ROOT, "package-lock.json"), "utf8")])).toEqual([]);
});

it.each(["zod/v4/core", "commander/lib", "yaml/dist", "openai/lib", "fflate"])(
  "the code of %s, minified files too",
  async (name) => {
    const files = filesOf(`node_modules/${name}`, /\.(?:c|m)?[jt]s$/);
    expect(files.length).toBeGreaterThan(0);
    expect(await changedLines(files)).toEqual([]);
  },
);

it("our own code, and its templates", async () => {
  const files = [...filesOf("src", /\.(?:ts|mjs)$/), ...filesOf("templates", /\.(?:md|txt|json)$/)];
  expect(await changedLines(files)).toEqual([]);
});

it("ids, hashes, versions, paths and an image", async () => {
  const image = readFileSync(join(ROOT, "package-lock.json")).toString("base64");
  const lines = [
    "9fceb02d0ae598e95dc970b74767f19372d61af8 first commit",
    "index 83db48f..bf269f4 100644",
    "toolu_01A09q90qw90lq917835lq9 call_abc123DEF456ghi789JKL012 chatcmpl-9a8b7c6d5e4f3a2b1c0d",
    "7e51b316-ce51-4195-a78e-12f649285bf5 01HV8Z3J5K7M9N1P3Q5R7S9T1V",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    'ETag: W/"33a64df551425fcc55e4d42a148795d9f25f89d4"',
    "v1.2.3-beta.4+build.567, ^20.19.0, 2026-01-02T03:04:05.678Z, +49 555 0100",
    "src/components/user-profile/UserProfileSettings.test.tsx:128:17",
    `data:image/png;base64,${image.slice(0, 4000)}`,
    "!function(e,t){e.token=t,e.key=n(function(){return t.secret})}(window,a1b2c3);",
  ];
  expect(await changedLines([lines.join("\n")])).toEqual([]);
});
