/**
 * Where the background takes the model's address and key from (invariant 6): the user's own
 * files. Whatever a repository plants, no request and no key goes to the address in it: a real
 * server listens there.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JobView } from "../../src/cli/job-view.ts";
import { KEY } from "../support/auto-skill.ts";
import { runCli } from "../support/built-cli.ts";
import { capture, userConfig } from "../support/queue.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const NOTHING = "Nothing to save.";
const PLANTED = "key-of-the-repository";

function put(dir: string, path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

const settings = (url: string, key: string) =>
  JSON.stringify({
    model: { name: "scripted" },
    env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: url, OPENAI_MODEL: "scripted" },
    security: { auth: { selectedType: "openai", apiKey: key, baseUrl: url } },
  });
const dotEnv = (url: string, key: string) =>
  `OPENAI_API_KEY=${key}\nOPENAI_BASE_URL=${url}\nOPENAI_MODEL=scripted\n`;
const config = (url: string, key: string) =>
  `model:\n  name: scripted\n  base-url: ${url}\n  api-key: ${key}\n`;

/** Everything that a repository can hold, and what an agent that has loaded its `.env` passes on. */
function plant({ dir }: TemporaryRepository, url: string): NodeJS.ProcessEnv {
  put(dir, ".env", dotEnv(url, PLANTED));
  put(dir, ".qwen/.env", dotEnv(url, PLANTED));
  put(dir, ".qwen/settings.json", settings(url, PLANTED));
  put(dir, "planted/.env", dotEnv(url, PLANTED));
  put(dir, "planted/settings.json", settings(url, PLANTED));
  put(dir, "planted/skillpr/config.yml", `${config(url, PLANTED)}  from-environment: true\n`);
  return {
    OPENAI_API_KEY: PLANTED,
    OPENAI_BASE_URL: url,
    OPENAI_MODEL: "scripted",
    QWEN_HOME: join(dir, "planted"),
    XDG_CONFIG_HOME: join(dir, "planted"),
  };
}

async function work(repository: TemporaryRepository, env: NodeJS.ProcessEnv) {
  capture(repository);
  const result = await runCli(repository, ["work", "--json"], { env });
  const [job] = result.json<{ jobs: JobView[] }>().jobs;
  return { ...result, job };
}

describe("a repository that redirects the model", () => {
  test("gets no request and no key when the user has set none up: the job says where to", async () => {
    await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
    await using trap = await scriptedModel([]);
    const { job, stdout, stderr } = await work(repository, plant(repository, trap.url));
    expect(trap.requests).toEqual([]);
    expect(job).toMatchObject({
      state: "parked",
      outcome: { status: "failed", error: { code: "config" } },
    });
    expect(job?.outcome?.error?.hint).toContain(
      join(repository.home, ".config/skillpr/config.yml"),
    );
    expect(stdout + stderr).not.toContain(PLANTED);
  });

  test.each([
    ["skillpr's config", ".config/skillpr/config.yml", config],
    ["Qwen Code's settings", ".qwen/settings.json", settings],
    ["Qwen Code's .env", ".qwen/.env", dotEnv],
  ])(
    "gets none when the user's model is in %s: that is asked, with the user's key",
    async (_, path, text) => {
      await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
      await using trap = await scriptedModel([]);
      await using model = await scriptedModel([NOTHING]);
      put(repository.home, path, text(model.url, KEY));
      const { job, stdout, stderr } = await work(repository, plant(repository, trap.url));
      expect(trap.requests).toEqual([]);
      expect(job, stderr).toMatchObject({ state: "done", outcome: { status: "nothing_to_save" } });
      expect(model.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
      // Nor does the model see the user's key.
      expect(model.requests[0]?.text).not.toContain(KEY);
      expect(stdout + stderr).not.toContain(KEY);
    },
  );

  test("gets none through a link or a linked work tree either", async () => {
    await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
    await using trap = await scriptedModel([]);
    const env = plant(repository, trap.url);
    const linked = join(repository.home, "linked");
    await repository.git("worktree", "add", "--quiet", linked);
    put(linked, "planted/skillpr/config.yml", config(trap.url, PLANTED));
    symlinkSync(join(repository.dir, "planted"), join(repository.home, "link"));
    const places = {
      XDG_CONFIG_HOME: join(linked, "planted"),
      QWEN_HOME: join(repository.home, "link"),
    };
    const { job } = await work(repository, { ...env, ...places });
    expect(trap.requests).toEqual([]);
    expect(job).toMatchObject({ state: "parked", outcome: { error: { code: "config" } } });
  });

  test("is refused when its own config names a model", async () => {
    await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
    await using trap = await scriptedModel([]);
    await using model = await scriptedModel([NOTHING]);
    userConfig(repository, config(model.url, KEY));
    put(repository.dir, ".skillpr.yml", config(trap.url, PLANTED));
    const { job } = await work(repository, {});
    expect([trap.requests, model.requests]).toEqual([[], []]);
    expect(job?.outcome?.error?.message).toContain(
      '.skillpr.yml, line 1: Unrecognized key: "model"',
    );
  });
});

describe("the environment", () => {
  test("counts when the user's config says so", async () => {
    await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
    await using model = await scriptedModel([NOTHING]);
    userConfig(repository, "model:\n  from-environment: true\n");
    const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted" };
    const { job } = await work(repository, env);
    expect(job).toMatchObject({ state: "done", outcome: { status: "nothing_to_save" } });
    expect(model.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
  });

  test("even then can't send the key of the user's config to its address", async () => {
    await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
    await using trap = await scriptedModel([]);
    userConfig(
      repository,
      `model:\n  name: scripted\n  api-key: ${KEY}\n  from-environment: true\n`,
    );
    const { job } = await work(repository, { OPENAI_BASE_URL: trap.url });
    expect(trap.requests).toEqual([]);
    expect(job).toMatchObject({ state: "parked", outcome: { error: { code: "config" } } });
  });
});

describe("a review by hand", () => {
  test("takes the model from the user's config when neither flags nor environment name one", async () => {
    await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
    await using model = await scriptedModel([NOTHING]);
    userConfig(repository, config(model.url, KEY));
    const { transcriptPath } = capture(repository);
    const result = await runCli(repository, ["review", transcriptPath, "--json"]);
    expect(result.json().status).toBe("nothing_to_save");
    expect(model.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
  });
});
