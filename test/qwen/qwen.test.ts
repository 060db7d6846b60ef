/** skillpr beside the real Qwen Code: the hook, the worker, and the skills that Qwen Code loads. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { BUNDLED_SKILLS, BUNDLED_SKILLS_VERSION } from "../../src/skills/bundled-skills.ts";
import { runCli } from "../support/built-cli.ts";
import {
  calls,
  type ScriptedModel,
  type ScriptedRequest,
  scriptedModel,
} from "../support/scripted-model.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";
import {
  asker,
  bundledSkills,
  closeTerminals,
  hasTmux,
  nextStep,
  qwenHeadless,
  qwenInTerminal,
  requireQwenCode,
  TOOL_CALLS,
  transcripts,
  until,
  userSettings,
} from "./qwen-code.ts";

const files = { "README.md": "# parcels\n", ".gitignore": ".qwen/tmp/\n" };
const SKILL = "parcel-steps";
const PATH = `.qwen/skills/${SKILL}/SKILL.md`;

const skillText = (name: string, marker: string) => `---
name: ${name}
description: Lists the steps of a parcel. Use when a parcel has to be sent step by step.
version: 1.0.0
${marker}
---

# Parcel steps

Run \`echo step 1\` and go on in order.

## How to check

- \`echo step 24\` succeeds.
`;

/** What skillpr's own reviewer does: writes the skill in the first round, and stops. */
function reviewerTurn(request: ScriptedRequest) {
  const isDone = request.body.messages.some(({ role }) => role === "tool");
  const marker = "metadata:\n  source: auto-skill\n  extracted_at: '2026-03-09T14:03:12.000Z'";
  return isDone
    ? "Saved."
    : calls(["write_file", { file_path: PATH, content: skillText(SKILL, marker) }]);
}

const answer = (request: ScriptedRequest) => {
  const who = asker(request);
  if (who === "session") return nextStep(request);
  return who === "skillpr" ? reviewerTurn(request) : "Nothing to save.";
};

/** skillpr's own user config: where the model is. */
function configure(repository: TemporaryRepository, url: string): void {
  const folder = join(repository.env["HOME"] ?? "", ".config/skillpr");
  mkdirSync(folder, { recursive: true });
  const config = `model:\n  name: scripted\n  base-url: ${url}\n  api-key: local\n`;
  writeFileSync(join(folder, "config.yml"), config, { mode: 0o600 });
}

async function installed(repository: TemporaryRepository, url: string): Promise<void> {
  configure(repository, url);
  const result = await runCli(repository, ["install"]);
  expect(result).toMatchObject({ code: 0 });
  // As a person would: what install changed is committed or ignored before the agent works.
  await repository.commit("settings");
}

const ours = /auto-skill|skillpr|\.qwen\/skills/;

beforeAll(requireQwenCode);
afterEach(closeTerminals);

describe("a headless session", () => {
  test("is captured by the Stop hook, reviewed by the worker, and leaves nothing in git status", async () => {
    await using repository = await temporaryRepository({ files });
    await using model = await scriptedModel(answer);
    await installed(repository, model.url);
    const output = await qwenHeadless(repository, model, "send the parcel step by step");
    const queued = (await runCli(repository, ["status", "--json"])).json<Status>();
    expect(queued.jobs).toMatchObject([{ agent: "qwen-code", state: "queued" }]);

    const worked = await runCli(repository, ["work", "--now"]);
    expect(worked).toMatchObject({ code: 0 });
    const done = (await runCli(repository, ["status", "--json"])).json<Status>();
    expect(done.jobs).toMatchObject([{ state: "done", outcome: { status: "proposed" } }]);
    const shown = await repository.git("show", `auto-skill/${SKILL}:${PATH}`);
    expect(`${shown}\n`).toContain("# Parcel steps");
    expect(await repository.git("status", "--porcelain")).not.toMatch(ours);

    // Qwen Code's own count of tool calls is ours.
    const [file = ""] = transcripts(repository);
    const { transcripts: read } = (await runCli(repository, ["transcripts", file, "--json"])).json<{
      transcripts: { toolCallCount: number; failedToolCallCount: number }[];
    }>();
    const tools = (output.at(-1) as { stats: { tools: Record<string, number> } }).stats.tools;
    expect(tools["totalCalls"]).toBe(TOOL_CALLS);
    expect(read[0]).toMatchObject({
      toolCallCount: tools["totalCalls"],
      failedToolCallCount: tools["totalFail"],
    });
    const telemetry = readFileSync(file, "utf8").match(/"event.name":"qwen-code.tool_call"/g);
    expect(telemetry).toHaveLength(read[0]?.toolCallCount ?? 0);
  });
});

test("the names of bundled skills are those of the installed Qwen Code", () => {
  const installed = bundledSkills();
  expect(installed.version).toBe(BUNDLED_SKILLS_VERSION);
  expect(installed.names).toEqual([...BUNDLED_SKILLS].sort());
});

interface Status {
  readonly jobs: readonly {
    readonly agent: string;
    readonly state: string;
    readonly outcome: { readonly status: string } | null;
  }[];
}

describe.skipIf(!hasTmux)("a session in a terminal", () => {
  test("is due at once when it is left by /quit, and its skill is listed once it was accepted", async () => {
    // Qwen Code watches a project's folder of skills when the folder is there at its start.
    const rules = { ".qwen/skills/house-rules/SKILL.md": skillText("house-rules", "license: MIT") };
    await using repository = await temporaryRepository({ files: { ...files, ...rules } });
    await using model = await scriptedModel(answer);
    await installed(repository, model.url);
    {
      await using terminal = await qwenInTerminal(repository, model);
      await terminal.say("send the parcel step by step");
      await terminal.shows("All steps are done.");
      await terminal.say("/quit");
      await terminal.ended();
    }
    // SessionEnd makes it due: no --now is needed.
    await until("the hook has captured the session", async () => {
      const { jobs } = (await runCli(repository, ["status", "--json"])).json<Status>();
      return jobs.length === 1;
    });
    expect(await runCli(repository, ["work"])).toMatchObject({ code: 0 });
    const { jobs } = (await runCli(repository, ["status", "--json"])).json<Status>();
    expect(jobs).toMatchObject([{ state: "done", outcome: { status: "proposed" } }]);
    expect(await repository.git("status", "--porcelain")).not.toMatch(ours);

    // A session that is already running is told of the skill with the next thing that is said to it.
    await using running = await qwenInTerminal(repository, model);
    const before = await asked(model, () => running.say("what can you do"));
    expect(listsSkill(before, "house-rules")).toBe(true);
    expect(listsSkill(before, SKILL)).toBe(false);
    expect(await runCli(repository, ["accept", SKILL])).toMatchObject({ code: 0 });
    expect(existsSync(join(repository.dir, PATH))).toBe(true);
    let times = 0;
    await until("the running session lists the skill", async () => {
      times += 1; // it looks at the folder a moment after it changed
      return listsSkill(await asked(model, () => running.say(`and now, number ${times}`)), SKILL);
    });
    await running.say("/quit");
    await running.ended();

    // And so does the next start.
    const next = await asked(model, () => qwenHeadless(repository, model, "hello"));
    expect(listsSkill(next, SKILL)).toBe(true);
  });

  test("that began before there was any folder of skills lists the first one at its next start", async () => {
    await using repository = await temporaryRepository({ files });
    await using model = await scriptedModel(answer);
    await installed(repository, model.url);
    await qwenHeadless(repository, model, "send the parcel step by step");
    expect(await runCli(repository, ["work", "--now"])).toMatchObject({ code: 0 });
    expect(existsSync(join(repository.dir, ".qwen/skills"))).toBe(false);
    const next = await asked(model, () => qwenHeadless(repository, model, "hello"));
    expect(listsSkill(next, SKILL)).toBe(false);
    expect(await runCli(repository, ["accept", SKILL])).toMatchObject({ code: 0 });
    const last = await asked(model, () => qwenHeadless(repository, model, "hello again"));
    expect(listsSkill(last, SKILL)).toBe(true);
  });
});

/** What the session asked the model because of something; waits for the first of it. */
async function asked(
  model: ScriptedModel,
  act: () => Promise<unknown>,
): Promise<readonly ScriptedRequest[]> {
  const before = model.requests.length;
  const own = () => model.requests.slice(before).filter((one) => asker(one) === "session");
  await act();
  await until("the session has asked the model", () => own().length > 0);
  return own();
}

/**
 * Whether a skill stands in a list of available ones: the list of the session's start, or the later
 * one by which Qwen Code tells a running session what "became available after startup".
 */
function listsSkill(requests: readonly ScriptedRequest[], skill: string): boolean {
  const lists = requests.flatMap(({ text }) => [
    ...text.matchAll(/<available_skills>\\n.*?<\/available_skills>/g),
  ]);
  return lists.some(([list]) => list.includes(`<name>\\n${skill}\\n</name>`));
}

describe("Qwen Code's own AutoSkill", () => {
  test("and skillpr leave each other's files alone, and adopt proposes what it staged", async () => {
    const OWN = "auto-skill-parcel-own";
    const ownPath = `.qwen/skills/${OWN}/SKILL.md`;
    const marker = "source: auto-skill\nextracted_at: '2026-03-09T14:03:12.000Z'";
    await using repository = await temporaryRepository({ files });
    await using model = await scriptedModel((request) => {
      if (asker(request) !== "own-reviewer") return answer(request);
      const isDone = request.body.messages.some(
        ({ tool_calls }) =>
          tool_calls?.some((call) => call.function.name === "write_file") ?? false,
      );
      const content = skillText("parcel-own", marker);
      const file_path = join(repository.dir, ownPath);
      return isDone ? "Saved." : calls(["write_file", { file_path, content }]);
    });
    userSettings(repository, { memory: { enableAutoSkill: true } });
    await installed(repository, model.url);
    await qwenHeadless(repository, model, "send the parcel step by step");
    expect(model.requests.map(asker)).toContain("own-reviewer");
    const untracked = async () =>
      (await repository.git("ls-files", "--others", "--", ".qwen")).split("\n").filter(Boolean);
    const staged = (await untracked()).filter((path) => path.endsWith("SKILL.md"));
    expect(staged).toHaveLength(1);
    const bytes = readFileSync(join(repository.dir, staged[0] ?? ""), "utf8");

    expect(await runCli(repository, ["work", "--now"])).toMatchObject({ code: 0 });
    const adopted = await runCli(repository, ["adopt"]);
    expect(adopted).toMatchObject({ code: 0 });
    const branches = await repository.git("for-each-ref", "--format=%(refname)", "refs/heads/");
    expect(branches).toContain(`refs/heads/auto-skill/${OWN}`);
    expect(await repository.git("show", `auto-skill/${OWN}:${ownPath}`)).toBe(bytes.trimEnd());
    // What Qwen Code staged stays where it is, as it is.
    expect(await untracked()).toContain(staged[0]);
    expect(readFileSync(join(repository.dir, staged[0] ?? ""), "utf8")).toBe(bytes);
  });
});
