/** The bounds of a review by a model, and what goes wrong with models, on the built program. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { KEY, modelEnvironment, reviewBy, skillText } from "../support/auto-skill.ts";
import { DEMO_SESSION, runCli } from "../support/built-cli.ts";
import { calls, delayed, failing, scriptedModel } from "../support/scripted-model.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const FILES = { "README.md": "# parcels\n" };
const NOTHING = "Nothing to save.";
const PATH = ".qwen/skills/label-tests/SKILL.md";
const WRITE = ["write_file", { file_path: PATH, content: skillText("label-tests") }] as const;
const LOOK = calls(["ls", { path: "." }]);

async function expectNoTrace(repository: TemporaryRepository): Promise<void> {
  expect(await repository.git("for-each-ref", "refs/heads/auto-skill")).toBe("");
  expect(await repository.git("worktree", "list", "--porcelain")).not.toContain("locked");
  const left = readdirSync(repository.tempRoot).flatMap((name) =>
    readdirSync(join(repository.tempRoot, name)),
  );
  expect(left).toEqual([]);
}

describe("time", () => {
  test("the running request is aborted, the review fails, and it can be run again", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([delayed(60_000, NOTHING), NOTHING]);
    const startedAt = performance.now();
    const result = await reviewBy(model, repository, ["--timeout", "1"]);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(result.code).toBe(3);
    expect(result.json()).toMatchObject({
      status: "failed",
      error: {
        code: "model",
        message: expect.stringMatching(
          /did not finish within 1 second, .*; the model's server at http:\S+ had not answered by then/,
        ),
      },
    });
    await expectNoTrace(repository);
    expect((await reviewBy(model, repository)).json().status).toBe("nothing_to_save");
  });

  test("what was written by then is discarded", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([calls(WRITE), delayed(60_000, "Done.")]);
    const before = await repository.snapshot();
    const result = await reviewBy(model, repository, ["--timeout", "2"]);
    expect(result.json()).toMatchObject({ status: "failed", proposals: [], operations: [] });
    expect(model.requests).toHaveLength(2);
    await expectNoTrace(repository);
    expect(await repository.snapshot()).toEqual(before);
  });

  test("Ctrl-C ends it at once, and nothing is left", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    let asked = () => {};
    const arrived = new Promise<void>((done) => {
      asked = done;
    });
    await using model = await scriptedModel([
      () => {
        asked();
        return delayed(60_000, NOTHING);
      },
    ]);
    const cli = resolve(import.meta.dirname, "../../dist/cli.js");
    const child = spawn(process.execPath, [cli, "review", DEMO_SESSION, "--json"], {
      cwd: repository.dir,
      env: { ...repository.env, TMPDIR: repository.tempRoot, CI: "", ...modelEnvironment(model) },
    });
    let stdout = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    const ended = new Promise<number | null>((done) => child.on("close", done));
    await arrived;
    child.kill("SIGINT");
    expect(await ended).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    await expectNoTrace(repository);
  });
});

describe("rounds", () => {
  test("the limit seals what is valid, with a warning", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([calls(WRITE), LOOK]);
    const result = await reviewBy(model, repository, ["--max-turns", "2"]);
    expect(result.code).toBe(0);
    expect(result.json()).toMatchObject({
      status: "proposed",
      proposals: [{ skill: "label-tests", operation: "created" }],
      findings: [{ rule: "review.incomplete", level: "warning" }],
      usage: { turns: 2, incomplete: true },
    });
    expect(model.left()).toBe(0);
    const shown = await runCli(repository, ["show", "label-tests"]);
    expect(shown.stdout).toContain("review.incomplete");
  });

  test("eight are the default", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel(Array.from({ length: 8 }, () => LOOK));
    const outcome = (await reviewBy(model, repository)).json();
    expect(model.requests).toHaveLength(8);
    expect(outcome).toMatchObject({
      status: "nothing_to_save",
      findings: [{ rule: "review.incomplete" }],
      usage: { turns: 8, incomplete: true },
    });
  });

  test.each([
    ["--max-turns", "0"],
    ["--max-turns", "101"],
    ["--timeout", "0"],
    ["--timeout", "3601"],
  ])("%s %s is refused by name", async (flag, value) => {
    await using repository = await temporaryRepository({ files: FILES });
    const result = await reviewBy({ url: "http://127.0.0.1:9/v1" }, repository, [flag, value]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(flag);
  });
});

describe("the server", () => {
  test("busy or cut off: asked again, and the review goes on", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([
      failing(429, "slow down", { "retry-after": "0" }),
      calls(WRITE),
      "DROP",
      failing(503),
      "Done.",
    ]);
    expect((await reviewBy(model, repository)).json()).toMatchObject({
      status: "proposed",
      usage: { turns: 2 },
    });
    expect(model.left()).toBe(0);
  });

  test.each([
    [401, "OPENAI_API_KEY"],
    [404, "OPENAI_MODEL"],
  ])("%i: not asked again; the hint names %s, and nowhere is the key", async (status, setting) => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([failing(status, `no: ${KEY}`)]);
    const result = await reviewBy(model, repository);
    expect(result.code).toBe(3);
    const { error } = result.json();
    expect(error?.code).toBe("model");
    expect(`${error?.message} ${error?.hint}`).toContain(setting);
    expect(result.stdout + result.stderr).not.toContain(KEY);
    await expectNoTrace(repository);
  });
});

describe("settings", () => {
  test.each([["OPENAI_API_KEY"], ["OPENAI_MODEL"]])(
    "without %s: an error of config that names it, nothing recorded",
    async (name) => {
      await using repository = await temporaryRepository({ files: FILES });
      await using model = await scriptedModel([NOTHING]);
      const result = await reviewBy(model, repository, [], { env: { [name]: "" } });
      expect(result.code).toBe(1);
      expect(result.json()).toMatchObject({
        status: "failed",
        error: { code: "config", message: expect.stringContaining(name) },
      });
      expect((await reviewBy(model, repository)).json().status).toBe("nothing_to_save");
    },
  );

  test("flags win over the environment", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([NOTHING]);
    const flags = ["--model", "another", "--base-url", model.url];
    const outcome = (await reviewBy({ url: "http://127.0.0.1:9/v1" }, repository, flags)).json();
    expect(outcome).toMatchObject({ status: "nothing_to_save", usage: { model: "another" } });
    expect(model.requests[0]?.body.model).toBe("another");
  });

  test("a file of the repository can't name a model or an address", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([]);
    repository.write(".env", `OPENAI_BASE_URL=${model.url}\nOPENAI_MODEL=x\nOPENAI_API_KEY=y\n`);
    expect((await runCli(repository, ["review", DEMO_SESSION, "--json"])).json()).toMatchObject({
      error: { code: "config" },
    });
    for (const line of [`base-url: ${model.url}`, "model: x", "reviewer: auto-skill"]) {
      repository.write(".skillpr.yml", `${line}\n`);
      const result = await reviewBy(model, repository);
      expect(result.code).toBe(1);
      expect(result.stdout).toContain(".skillpr.yml");
    }
    expect(model.requests).toEqual([]);
  });
});

describe("--trigger experience", () => {
  /** The demo's session up to the call that overcomes the failure, or up to the one before it. */
  function part(repository: TemporaryRepository, name: string, keep: (line: string) => boolean) {
    const lines = readFileSync(DEMO_SESSION, "utf8").split("\n").filter(Boolean);
    const end = lines.findIndex((line) => !keep(line));
    const file = join(repository.home, name);
    writeFileSync(file, `${lines.slice(0, end).join("\n")}\n`);
    return file;
  }

  test("a failure that was overcome is enough from 5 calls on; without it the session is skipped", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([NOTHING]);
    const flags = ["--trigger", "experience"];
    const overcome = part(repository, "arc.jsonl", (line) => !line.includes("Skip it for now"));
    expect((await reviewBy(model, repository, [], { transcript: overcome })).json()).toMatchObject({
      status: "skipped",
      skippedReason: "below_threshold",
    });
    const early = part(
      repository,
      "early.jsonl",
      (line) => !line.includes("test/shipments.test.js"),
    );
    expect((await reviewBy(model, repository, flags, { transcript: early })).json()).toMatchObject({
      status: "skipped",
      skippedReason: "below_threshold",
    });
    expect(model.requests).toEqual([]);
    const outcome = (await reviewBy(model, repository, flags, { transcript: overcome })).json();
    expect(outcome).toMatchObject({ status: "nothing_to_save", usage: { turns: 1 } });
    expect(outcome.session?.toolCallCount).toBeLessThan(20);
  });
});

describe("--model-log", () => {
  test("every request and response, readable by the user alone, without key or secret", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([
      calls(["shell", { command: "echo" }], WRITE),
      `Done with ${KEY}.`,
    ]);
    const dir = join(repository.home, "log");
    mkdirSync(dir);
    expect((await reviewBy(model, repository, ["--model-log", dir])).json().status).toBe(
      "proposed",
    );
    const names = readdirSync(dir).sort();
    expect(names).toEqual([
      "0001-request.json",
      "0001-response.json",
      "0002-request.json",
      "0002-response.json",
    ]);
    for (const name of names) {
      const text = readFileSync(join(dir, name), "utf8");
      expect(JSON.parse(text)).toEqual(expect.any(Object));
      expect(text).not.toContain(KEY);
      expect(text.toLowerCase()).not.toContain("authorization");
      expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(join(dir, "0001-request.json"), "utf8")).toContain(
      "managed-skill-extractor",
    );
    expect(readFileSync(join(dir, "0001-response.json"), "utf8")).toContain("label-tests");
  });
});

describe("doctor", () => {
  const model = (checks: { name: string }[]) => checks.find(({ name }) => name === "model");
  const doctor = async (repository: TemporaryRepository, env: NodeJS.ProcessEnv) => {
    const result = await runCli(repository, ["doctor", "--json"], { env });
    return {
      code: result.code,
      check: model(result.json<{ checks: { name: string }[] }>().checks),
    };
  };

  test("one tiny request to a model that works", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using server = await scriptedModel([calls(["report_ready", {}])]);
    const { code, check } = await doctor(repository, modelEnvironment(server));
    expect(code).toBe(0);
    expect(check).toMatchObject({ status: "ok", detail: expect.stringContaining("scripted") });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.text.length).toBeLessThan(1000);
  });

  test.each([
    ["a wrong key", [failing(401)], "OPENAI_API_KEY"],
    ["an unknown model", [failing(404, "model not found")], "OPENAI_MODEL"],
    ["a model that can't call tools", ["Ready."], "OPENAI_MODEL"],
  ] as const)("%s: an error that names the setting", async (_, script, setting) => {
    await using repository = await temporaryRepository({ files: FILES });
    await using server = await scriptedModel([...script]);
    const { code, check } = await doctor(repository, modelEnvironment(server));
    expect(code).toBe(3);
    expect(check).toMatchObject({ status: "error" });
    expect(JSON.stringify(check)).toContain(setting);
  });

  test("a config that is wrong is the user's to correct, git that fails is not", async () => {
    await using repository = await temporaryRepository({
      files: { ...FILES, ".skillpr.yml": "threshold: many\n" },
    });
    expect((await doctor(repository, {})).code).toBe(1);
    expect((await doctor(repository, { PATH: repository.tempRoot })).code).toBe(3);
  });

  test("no model: a warning, no request; half of the settings: an error", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    expect(await doctor(repository, {})).toMatchObject({ code: 0, check: { status: "warning" } });
    const half = await doctor(repository, { OPENAI_MODEL: "scripted" });
    expect(half).toMatchObject({ code: 1, check: { status: "error" } });
    expect(JSON.stringify(half.check)).toContain("OPENAI_API_KEY");
  });
});
