/** What `skillpr doctor` says of the hook and the token. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/built-cli.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

interface Check {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
  readonly hint?: string;
}

async function doctor(repository: TemporaryRepository, env: NodeJS.ProcessEnv = {}) {
  const { json } = await runCli(repository, ["doctor", "--json"], { env });
  const { checks } = json<{ checks: Check[] }>();
  return (name: string) => checks.find((check) => check.name === name);
}

test("the hook: absent, there, and calling what is gone", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  const before = await repository.snapshot();
  expect((await doctor(repository))("hook")).toMatchObject({
    status: "warning",
    detail: "no agent calls skillpr",
  });
  expect(await repository.snapshot()).toEqual(before);
  await runCli(repository, ["install"]);
  await runCli(repository, ["install", "--agent", "claude", "--scope", "user"]);
  expect((await doctor(repository))("hook")).toEqual({
    name: "hook",
    status: "ok",
    detail: "called by Qwen Code (project), Claude Code (user)",
  });
  const file = join(repository.dir, ".qwen/settings.json");
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("dist/cli.js", "gone/cli.js"));
  const check = (await doctor(repository))("hook");
  expect(check?.status).toBe("warning");
  expect(check?.detail).toMatch(/Qwen Code \(project\) calls \S+gone\/cli\.js, which is gone/);
  expect(check?.hint).toContain("skillpr install");
});

test("the hook: settings that can't be read, or switch it off, are named", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  await runCli(repository, ["install"]);
  const file = join(repository.dir, ".qwen/settings.json");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("{", '{ "disableAllHooks": true,'));
  expect((await doctor(repository))("hook")?.detail).toContain("`disableAllHooks: true`");
  writeFileSync(file, "{");
  expect((await doctor(repository))("hook")?.detail).toMatch(/settings\.json, line 1: /);
});

test("the token: said to be there by its name, never by its value", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  expect((await doctor(repository))("token")).toMatchObject({ status: "ok" });
  const check = (await doctor(repository, { GH_TOKEN: "a-token-of-some-length" }))("token");
  expect(check).toEqual({ name: "token", status: "ok", detail: "GH_TOKEN is set" });
});
