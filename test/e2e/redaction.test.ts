import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEMO_SESSION, runCli } from "../support/built-cli.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

it("review counts what it redacted by type, and shows no value", async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "readme\n" } });
  const [first = "", ...rest] = readFileSync(DEMO_SESSION, "utf8").split("\n");
  const file = join(repository.dir, "session.jsonl");
  const said = rest.map((line) => line.replace('"text":"', `"text":"${token} `));
  writeFileSync(file, [first, ...said].join("\n"));
  const args = ["review", file, "--reviewer", "offline", "--force", "--dry-run"];
  const json = await runCli(repository, [...args, "--json"]);
  expect(json.json().session?.redactions?.["github-token"]).toBeGreaterThan(0);
  expect(json.stdout + json.stderr).not.toContain(token);
  const text = await runCli(repository, args);
  expect(text.stdout).toMatch(/redacted +\d+ × github-token/);
  expect(text.stdout + text.stderr).not.toContain(token);
});
