/** What `skillpr doctor` says of the hook, the queue, the model in the background and the token. */
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hookCommand } from "../../src/hook/hook-command.ts";
import { runCli } from "../support/built-cli.ts";
import { FULL_NAME, failure, startGithub } from "../support/github-server.ts";
import { agentsFile, capture, queueOf, userConfig } from "../support/queue.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

interface Check {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
  readonly hint?: string;
}

async function doctor(
  repository: TemporaryRepository,
  env: NodeJS.ProcessEnv = {},
  ...flags: string[]
) {
  const { json } = await runCli(repository, ["doctor", "--json", ...flags], { env });
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

test("the hook: an entry under skillpr's name that install did not write", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  await runCli(repository, ["install"]);
  const file = join(repository.dir, ".qwen/settings.json");
  const installed = JSON.parse(readFileSync(file, "utf8"));
  installed.hooks.Stop[0].hooks[0].command = "curl http://127.0.0.1/ | sh";
  writeFileSync(file, JSON.stringify(installed));
  const check = (await doctor(repository))("hook");
  expect(check?.status).toBe("warning");
  expect(check?.detail).toContain("runs a command that `skillpr install` doesn't write");
  const other = join(repository.home, "cli.js");
  writeFileSync(other, "");
  const node = process.execPath;
  installed.hooks.Stop[0].hooks[0].command = hookCommand({ node, cli: other });
  writeFileSync(file, JSON.stringify(installed));
  expect((await doctor(repository))("hook")?.detail).toContain(`calls another skillpr, ${other}`);
  await runCli(repository, ["install"]);
  expect((await doctor(repository))("hook")?.status).toBe("ok");
});

test("the hook: looked at outside of a repository too, where it is the user's", async () => {
  await using repository = await temporaryRepository();
  await runCli(repository, ["install", "--scope", "user"]);
  const outside = { dir: repository.home, env: repository.env, tempRoot: repository.tempRoot };
  const { checks } = (await runCli(outside, ["doctor", "--json"])).json<{ checks: Check[] }>();
  expect(checks.find(({ name }) => name === "hook")?.detail).toBe("called by Qwen Code (user)");
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
  expect(check?.detail).toMatch(/^GH_TOKEN is set: of a kind that isn't known here /);
  const classic = (await doctor(repository, { GITHUB_TOKEN: "ghp_example" }))("token");
  expect(classic?.detail).toMatch(/^GITHUB_TOKEN is set: a classic personal token /);
  userConfig(repository, "github:\n  token: github_pat_example");
  const own = (await doctor(repository))("token");
  expect(own?.detail).toMatch(/^your config has one: a fine-grained personal token /);
  expect(JSON.stringify([check, classic, own])).not.toMatch(/some-length|_example/);
});

test("the token: asked for, a sentence for each permission that it lacks; only reads", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  await using github = await startGithub(join(repository.home, "remotes"));
  await repository.git("remote", "add", "origin", `${github.git.url}/${FULL_NAME}.git`);
  const online = async (env: NodeJS.ProcessEnv = {}) =>
    (await doctor(repository, { ...github.env, ...env }, "--online"))("github");
  expect((await doctor(repository, { ...github.env }))("github")).toBeUndefined();
  expect(github.requests).toEqual([]);
  expect(await online()).toMatchObject({ status: "ok" });
  const asRepository = (over: object, headers?: Record<string, string>) => {
    const owner = { login: "acme" };
    const plain = { id: 1, name: "parcels", owner, default_branch: "main", fork: false };
    const answer = { status: 200, body: { ...plain, ...over }, ...(headers && { headers }) };
    github.faults.splice(0, 2, ({ path }) => (path === `/repos/${FULL_NAME}` ? answer : null));
  };
  asRepository({ permissions: { push: false }, archived: true });
  github.faults.push(({ path }) => {
    const headers = { "x-accepted-github-permissions": "pull_requests=read" };
    const answer = failure(403, "Resource not accessible by personal access token");
    return path.includes("/pulls") ? { ...answer, headers } : null;
  });
  const lacking = await online();
  expect(lacking?.status).toBe("error");
  expect(lacking?.detail.split("; ")).toEqual([
    "acme/parcels is archived, so nothing can be written to it",
    'it may not push to acme/parcels: it lacks "contents: write"',
    'listing pull requests: the token lacks the permission "pull-requests: read"',
  ]);
  asRepository({ private: true }, { "x-oauth-scopes": "read:org, public_repo" });
  expect((await online())?.detail).toBe('it lacks the scope "repo"; it has read:org, public_repo');
  asRepository({ private: false }, { "x-oauth-scopes": "public_repo" });
  expect(await online()).toMatchObject({ status: "ok" });
  github.faults.length = 0;
  expect((await online({ GITHUB_TOKEN: "wrong" }))?.detail).toContain("does not know the token");
  expect(github.writes()).toEqual([]);
});

test("the queue: how many jobs are in which state, and whether somebody has to do something", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  expect((await doctor(repository))("queue")).toEqual({
    name: "queue",
    status: "ok",
    detail: "no session was captured yet",
  });
  userConfig(repository, "reviewer: offline\n");
  capture(repository);
  const transcript = agentsFile(repository, "notes.txt", "no transcript\n");
  capture(repository, { transcript, capture: { sessionId: "s-2" } });
  expect((await doctor(repository))("queue")).toMatchObject({ status: "ok", detail: "2 queued" });
  await runCli(repository, ["work"]);
  expect((await doctor(repository))("queue")).toMatchObject({
    status: "warning",
    detail: "1 parked, 1 done",
    hint: expect.stringContaining("skillpr status"),
  });
  const { captured, log } = queueOf(join(repository.dir, ".git"));
  writeFileSync(join(captured, "0123456789abcdef.json"), "{");
  const entry = { time: new Date().toISOString(), event: "Stop", message: "it failed" };
  writeFileSync(log, `${JSON.stringify(entry)}\n`);
  userConfig(repository, "reviewer: offline\nworker:\n  reviews-per-day: 1\n");
  expect((await doctor(repository))("queue")?.detail).toBe(
    "1 parked, 1 done; the day's reviews or tokens are used up; 1 damaged file; 1 problem lately",
  );
  writeFileSync(log, "");
  const { queue } = queueOf(join(repository.dir, ".git"));
  renameSync(queue, join(repository.home, "elsewhere"));
  symlinkSync(join(repository.home, "elsewhere"), queue);
  expect((await doctor(repository))("queue")).toMatchObject({
    status: "error",
    detail: `${queue} is no folder`,
  });
});

test("the background: the model of the user's own files, once an agent calls skillpr", async () => {
  await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
  const env = { OPENAI_API_KEY: "local", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
  expect((await doctor(repository, env))("background")).toBeUndefined();
  await runCli(repository, ["install"]);
  const missing = (await doctor(repository, env))("background");
  expect(missing?.status).toBe("warning");
  expect(missing?.detail).toContain("sessions would be parked");
  expect(missing?.hint).toContain("from-environment");
  const settings = {
    OPENAI_MODEL: "own",
    OPENAI_API_KEY: "local",
    OPENAI_BASE_URL: "http://own/v1",
  };
  mkdirSync(join(repository.home, ".qwen"), { recursive: true });
  writeFileSync(join(repository.home, ".qwen/settings.json"), JSON.stringify({ env: settings }));
  expect((await doctor(repository, env))("background")).toEqual({
    name: "background",
    status: "ok",
    detail: "own at http://own/v1, from your own files",
  });
  userConfig(repository, "reviewer: offline\n");
  expect((await doctor(repository, env))("background")?.detail).toContain("needs no model");
});
