/** The action's two jobs, started as a runner starts them: the reviewing one without a token, the publishing one without a key. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { actionProject, checkout, stepIn } from "../support/action-project.ts";
import { NODES, runStep } from "../support/built-action.ts";
import { DEMO_SESSION } from "../support/built-cli.ts";
import { grownDemo } from "../support/grown-session.ts";
import { reviewerTurn } from "../support/recorded-session.ts";
import { scriptedModel } from "../support/scripted-model.ts";

const SKILL = "shared-test-state";

describe.each(NODES)("on %s", (_, node) => {
  test("transcripts become a sealed proposal in one job and a branch in another", async () => {
    await using repository = await actionProject();
    await using model = await scriptedModel(reviewerTurn);
    const reviewing = await checkout(repository, "reviewing");
    mkdirSync(join(reviewing, "transcripts"));
    cpSync(DEMO_SESSION, join(reviewing, "transcripts/session.jsonl"));
    const key = "example-model-key-123456";
    const before = await repository.gitIn(reviewing, "for-each-ref");
    const reviewed = await runStep({
      ...stepIn(repository, reviewing),
      node,
      with: {
        command: "review",
        transcripts: "transcripts\nnothing/*.jsonl",
        "proposal-dir": "handover",
        "openai-api-key": key,
        "openai-base-url": model.url,
        "openai-model": "scripted",
      },
    });
    expect(reviewed.log).toContain("transcripts/session.jsonl: proposed");
    expect(reviewed.log).toContain("::warning::nothing/*.jsonl: no file found");
    expect(reviewed.code).toBe(0);
    expect(reviewed.outputs).toMatchObject({ outcome: "proposed", findings: "[]" });
    expect(reviewed.masked).toContain(key);
    expect(reviewed.log.replaceAll(/^::add-mask::.*$/gm, "")).not.toContain(key);
    expect(reviewed.summary).toContain("### skillpr review: 1 skill proposed");
    expect(reviewed.summary).toContain("1 transcript: 1 proposed · 220 tokens");
    // The page of the run, whole with the session, comes along with the artifact.
    expect(reviewed.outputs["html-report-path"]).toBe(join(reviewing, "handover/report.html"));
    const page = readFileSync(join(reviewing, "handover/report.html"), "utf8");
    expect(page).toContain('<li class="t user" id="s1-t1">');
    expect(page).not.toContain(key);
    expect(await repository.gitIn(reviewing, "for-each-ref")).toBe(before);
    expect(model.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(
      true,
    );

    const publishing = await checkout(repository, "publishing");
    cpSync(join(reviewing, "handover"), join(publishing, "artifacts/skillpr-01"), {
      recursive: true,
    });
    const published = await runStep({
      ...stepIn(repository, publishing),
      node,
      with: { command: "publish", "proposal-dir": "artifacts", publish: "branch" },
    });
    expect(published.log).toContain("transcripts/session.jsonl: proposed");
    expect(published.code).toBe(0);
    expect(JSON.parse(published.outputs["proposals"] ?? "")).toMatchObject([
      { skill: SKILL, branch: `auto-skill/${SKILL}`, operation: "created" },
    ]);
    const report = JSON.parse(readFileSync(published.outputs["report-path"] ?? "", "utf8"));
    expect(report.transcripts).toMatchObject([{ status: "proposed", skills: [SKILL] }]);
    const decided = readFileSync(published.outputs["html-report-path"] ?? "", "utf8");
    expect(decided).toContain("This job has no transcripts");
    const branch = `refs/heads/auto-skill/${SKILL}`;
    const changed = await repository.gitIn(publishing, "diff", "--name-only", "main", branch);
    expect(changed).toBe(`.qwen/skills/${SKILL}/SKILL.md`);
    expect(await repository.gitIn(publishing, "status", "--porcelain")).toBe("?? artifacts/");

    // A fresh runner that has the branch knows the session.
    await repository.gitIn(publishing, "push", "--quiet", "origin", branch);
    const again = await checkout(repository, "again");
    cpSync(DEMO_SESSION, join(again, "session.jsonl"));
    const second = await runStep({
      ...stepIn(repository, again),
      node,
      with: { command: "review", transcripts: "session.jsonl" },
    });
    expect(second.code).toBe(0);
    expect(second.outputs["outcome"]).toBe("skipped");
    expect(second.log).toContain("1 open or merged proposal and 1 reviewed session known");
    expect(second.summary).toContain("skipped: This very transcript was reviewed before");
    // And of one that went on, what is new, and that nothing was solved in it.
    const look = { run: "git status --short", output: "", exitCode: 0 };
    const grown = grownDemo(repository.home, "grown.jsonl", [look, "Nothing is left to do."]);
    const third = await runStep({
      ...stepIn(repository, await checkout(repository, "grown")),
      node,
      with: { command: "review", transcripts: grown, reviewer: "offline" },
    });
    expect(third).toMatchObject({ code: 0, outputs: { outcome: "nothing_to_save" } });
    expect(third.log).toContain("what the session solved was reviewed before");
  });
});

test("both halves in one job", async () => {
  await using repository = await actionProject();
  const workspace = await checkout(repository, "workspace");
  cpSync(DEMO_SESSION, join(workspace, "session.jsonl"));
  const done = await runStep({
    ...stepIn(repository, workspace),
    with: {
      command: "run",
      transcripts: "session.jsonl",
      reviewer: "offline",
      publish: "branch",
    },
  });
  expect(done.code).toBe(0);
  expect(done.outputs["outcome"]).toBe("proposed");
  expect(done.summary).toContain("on `auto-skill/npm-test-fails-src-labels` (created)");
});

test("a reviewing job that finds nothing has an empty result, not an error", async () => {
  await using repository = await actionProject();
  const workspace = await checkout(repository, "workspace");
  const with_ = { command: "review", transcripts: "artifacts/**/*.jsonl", reviewer: "offline" };
  const quiet = await runStep({ ...stepIn(repository, workspace), with: with_ });
  expect(quiet).toMatchObject({ code: 0, outputs: { outcome: "skipped", proposals: "[]" } });
  const strict = await runStep({
    ...stepIn(repository, workspace),
    with: { ...with_, "if-no-transcripts": "error" },
  });
  expect(strict).toMatchObject({ code: 1, outputs: { outcome: "failed" } });
  expect(strict.summary).toContain("no file found");
  const handedOver = await runStep({
    ...stepIn(repository, workspace),
    with: { command: "publish", "proposal-dir": "nowhere", publish: "branch" },
  });
  expect(handedOver).toMatchObject({ code: 0, outputs: { outcome: "skipped" } });
});

test("tokens that are used up leave the rest unreviewed, and say so", async () => {
  await using repository = await actionProject();
  await using model = await scriptedModel(reviewerTurn);
  const workspace = await checkout(repository, "workspace");
  const session = readFileSync(DEMO_SESSION, "utf8");
  writeFileSync(join(workspace, "a.jsonl"), session);
  writeFileSync(join(workspace, "b.jsonl"), session.replaceAll("0d4c8f1e", "1d4c8f1e"));
  const done = await runStep({
    ...stepIn(repository, workspace),
    env: { OPENAI_API_KEY: "example-model-key-123456", OPENAI_MODEL: "scripted" },
    with: {
      command: "review",
      transcripts: "a.jsonl\nb.jsonl",
      "token-budget": "200",
      "openai-base-url": model.url,
    },
  });
  expect(done.code).toBe(3);
  expect(model.requests).toHaveLength(2);
  expect(done.log).toContain("b.jsonl: failed (not reviewed: the 200 tokens of this run");
  expect(done.summary).toContain("2 transcripts: 1 proposed, 1 failed · 220 tokens");
});

test.each([
  ["review", "the input github-token", { "github-token": "example-token-123456" }, {}],
  ["review", "GITHUB_TOKEN", {}, { GITHUB_TOKEN: "example-token-123456" }],
  ["review", "GH_TOKEN", {}, { GH_TOKEN: "example-token-123456" }],
  ["publish", "the input openai-api-key", { "openai-api-key": "example-key-123456" }, {}],
  ["publish", "OPENAI_API_KEY", {}, { OPENAI_API_KEY: "example-key-123456" }],
] as const)("%s refuses %s", async (command, name, given, env) => {
  await using repository = await actionProject();
  const refused = await runStep({
    ...stepIn(repository, repository.dir),
    env,
    with: { command, transcripts: DEMO_SESSION, reviewer: "offline", ...given },
  });
  expect(refused).toMatchObject({ code: 1, outputs: { outcome: "failed" } });
  expect(refused.log).toContain(`${name} is set, and \`${command}\` must hold no`);
  expect(existsSync(join(repository.dir, "skillpr-proposals"))).toBe(false);
});

test("what a model writes can't command the runner", async () => {
  await using repository = await actionProject();
  const hostile = "::set-env name=PATH::/tmp\n  ::error::forged\n##[add-path]/tmp\nDone.";
  await using model = await scriptedModel(() => hostile);
  const workspace = await checkout(repository, "workspace");
  const session = readFileSync(DEMO_SESSION, "utf8");
  writeFileSync(
    join(workspace, "::error::forged.jsonl"),
    session.replaceAll(/0d4c8f1e-[0-9a-f-]+/g, "::error::forged"),
  );
  const done = await runStep({
    ...stepIn(repository, workspace),
    env: { OPENAI_API_KEY: "example-model-key-123456", OPENAI_MODEL: "scripted" },
    with: { command: "review", transcripts: "*.jsonl", "openai-base-url": model.url },
  });
  expect(done.code).toBe(0);
  const commands = done.log
    .split("\n")
    .filter((line) => /^\s*::|##\[/.test(line) && !/^::(?:add-mask|group|endgroup)::/.test(line));
  expect(commands).toEqual([]);
  expect(done.log).toContain("::group::Transcript ::error::forged.jsonl");
  expect(done.log).toContain(": :error::forged.jsonl: nothing_to_save");
});
