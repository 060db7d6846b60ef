/** `command: revise`: comments read by the planning job, worked in by a job without a token, published by one without a model. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { actionProject, stepIn } from "../support/action-project.ts";
import { KEY } from "../support/auto-skill.ts";
import { NODES, runStep } from "../support/built-action.ts";
import { DEMO_SESSION, runCli } from "../support/built-cli.ts";
import { FULL_NAME, startGithub, TOKEN } from "../support/github-server.ts";
import { calls, scriptedModel } from "../support/scripted-model.ts";

const SKILL = "npm-test-fails-src-labels";
const PATH = `.qwen/skills/${SKILL}/SKILL.md`;
const NODE = NODES.at(-1)?.[1] ?? process.execPath;
const FULL = { full_name: FULL_NAME, default_branch: "main" };

test("plan, revise without a token, publish without a model; strangers' events do nothing", async () => {
  await using repository = await actionProject();
  await using github = await startGithub(join(repository.home, "remotes"));
  const bare = github.git.bare(FULL_NAME);
  const origin = `${github.git.url}/${FULL_NAME}`;
  await repository.git("push", "--quiet", bare, "main");
  await repository.git("remote", "add", "origin", origin);
  const args = ["review", DEMO_SESSION, "--reviewer", "offline", "--publish", "pr"];
  expect((await runCli(repository, args, { env: { ...github.env } })).code).toBe(0);
  await github.say(1, { path: PATH, line: 9, body: "Name the version of Node." });

  const { GITHUB_TOKEN: _, ...server } = github.env;
  const clone = async (name: string) => {
    const dir = join(repository.home, name);
    await repository.gitIn(repository.home, "clone", "--quiet", `file://${bare}`, dir);
    await repository.gitIn(dir, "remote", "set-url", "origin", origin);
    return dir;
  };
  const step = (workspace: string, given: Record<string, string>, association = "OWNER") =>
    runStep({
      ...stepIn(repository, workspace),
      node: NODE,
      env: { ...server, GITHUB_REPOSITORY: FULL_NAME },
      event: "issue_comment",
      payload: {
        repository: FULL,
        issue: { number: 1, pull_request: {} },
        comment: { author_association: association },
      },
      with: given,
    });

  const planning = await clone("planning");
  const context = "context.json";
  // As templates/workflows/skillpr-revise.yml has it.
  const plan = { command: "plan", context, "github-token": TOKEN };
  const planned = await step(planning, plan);
  expect(planned).toMatchObject({ code: 0, outputs: { outcome: "ok", jobs: "0", waiting: "1" } });

  const revising = await clone("revising");
  cpSync(join(planning, context), join(revising, context));
  const text = github.git.git(FULL_NAME, ["show", `auto-skill/${SKILL}:${PATH}`]);
  const [heading = ""] = /^# .+$/m.exec(text) ?? [];
  const new_string = `${heading}\n\nNeeds Node 20.`;
  await using model = await scriptedModel([
    calls(["read_file", { file_path: PATH }]),
    calls(["edit", { file_path: PATH, old_string: heading, new_string }]),
    "t1: Named.",
  ]);
  const asked = github.requests.length;
  const revise = {
    command: "revise",
    context,
    "openai-api-key": KEY,
    "openai-base-url": model.url,
    "openai-model": "scripted",
  };
  const stranger = await step(revising, revise, "NONE");
  expect(stranger).toMatchObject({ code: 0, outputs: { outcome: "skipped" } });
  const revised = await step(revising, revise);
  expect(revised).toMatchObject({ code: 0, outputs: { outcome: "proposed" } });
  expect(github.requests.length).toBe(asked);

  const publishing = await clone("publishing");
  const handed = "skillpr-proposals";
  cpSync(join(revising, handed), join(publishing, handed), { recursive: true });
  const published = await step(publishing, { command: "publish", "github-token": TOKEN });
  expect(published).toMatchObject({ code: 0, outputs: { "pull-request-numbers": "[1]" } });
  const now = github.git.git(FULL_NAME, ["show", `auto-skill/${SKILL}:${PATH}`]);
  expect(now).toContain("Needs Node 20.");
  const replies = await github.call<{ body: string }[]>(
    "GET",
    `/repos/${FULL_NAME}/pulls/1/comments`,
  );
  expect(replies).toHaveLength(2);
  expect(replies[1]?.body).toContain("Named.");
  const [pull] = await github.pulls();
  expect(pull?.body).toContain("revised after comments on this pull request");

  expect((await step(planning, plan)).outputs["waiting"]).toBe("0");
  const again = await clone("again");
  const idle = await step(again, { ...revise, context: "", "github-token": TOKEN });
  expect(idle).toMatchObject({ code: 0, outputs: { outcome: "nothing_to_save" } });
  const neither = await step(again, { ...revise, context: "" });
  expect([neither.code, neither.log]).toEqual([1, expect.stringContaining("nor a token")]);
});
