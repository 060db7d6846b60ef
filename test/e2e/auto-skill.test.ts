/** The end-to-end list of the AutoSkill design, by name, on the built program. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KEY, PROJECT, results, reviewBy, skillText } from "../support/auto-skill.ts";
import { DEMO_SESSION } from "../support/built-cli.ts";
import { calls, scriptedModel } from "../support/scripted-model.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

const FILES = { "README.md": "# parcels\n", "src/labels.js": "export {};\n" };
const NOTHING = "Nothing to save.";
const PATH = ".qwen/skills/label-tests/SKILL.md";
const WRITE = ["write_file", { file_path: PATH, content: skillText("label-tests") }] as const;
const BRANCH = "auto-skill/label-tests";

const branches = async (repository: { git(...args: string[]): Promise<string> }) =>
  (await repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/auto-skill"))
    .split("\n")
    .filter(Boolean);

describe("1. low density of tool calls doesn't trigger", () => {
  test("below the threshold: skipped, and the model is not asked", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([]);
    const result = await reviewBy(model, repository, ["--threshold", "23"]);
    expect(result.json()).toMatchObject({ status: "skipped", skippedReason: "below_threshold" });
    expect(result.code).toBe(0);
    expect(model.requests).toEqual([]);
    expect(await branches(repository)).toEqual([]);
  });
});

describe("2. the threshold is reached", () => {
  test("the review runs, and its skill is proposed with the marker; the checkout stays as it was", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([calls(WRITE), "It teaches the seeds (t14, t15)."]);
    const before = await repository.snapshot();
    const result = await reviewBy(model, repository);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const outcome = result.json();
    expect(outcome).toMatchObject({
      status: "proposed",
      operations: [{ type: "ADD", skill_id: "label-tests", path: PATH }],
      proposals: [{ skill: "label-tests", branch: BRANCH, operation: "created" }],
      findings: [],
      usage: {
        reviewer: "auto-skill",
        model: "scripted",
        turns: 2,
        inputTokens: 200,
        outputTokens: 20,
        incomplete: false,
      },
    });
    const sent = model.requests.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(outcome.usage?.requestBytes).toBe(sent);
    expect(await repository.git("show", `${BRANCH}:${PATH}`)).toMatch(/^ {2}source: auto-skill$/m);
    expect(await repository.git("diff", "--name-only", "main", BRANCH)).toBe(PATH);
    expect(await repository.snapshot()).toEqual(before);
  });

  test("evidence and reason come from the session, not from the model", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([calls(WRITE), "Saved."]);
    const out = join(repository.home, "out");
    const outcome = (await reviewBy(model, repository, ["--out", out])).json();
    expect(outcome.evidence).toContainEqual({
      skill: "label-tests",
      command: "npm test -- --seed 7",
      turns: ["t15"],
      outcome: "success",
    });
    const proposal = JSON.parse(readFileSync(join(out, "label-tests/proposal.json"), "utf8"));
    expect(proposal.why).toMatch(/^`npm test` failed \(t3\) and succeeded later \(t\d+\)\.$/);
  });

  test("Nothing to save. ends cleanly, without an error of permission", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([
      calls(["ls", { path: ".qwen/skills" }], ["read_file", { file_path: "README.md" }]),
      NOTHING,
    ]);
    const result = await reviewBy(model, repository);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.json()).toMatchObject({
      status: "nothing_to_save",
      proposals: [],
      findings: [],
      usage: { turns: 2 },
    });
    for (const text of results(model.requests[1])) expect(text).not.toMatch(/^Error/);
    expect(await branches(repository)).toEqual([]);
  });
});

describe("3. a session that wrote skills itself", () => {
  test("is skipped, and the model is not asked", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([]);
    const transcript = join(repository.home, "manual.jsonl");
    const text = readFileSync(DEMO_SESSION, "utf8");
    writeFileSync(
      transcript,
      text.replace(`"${PROJECT}/src/labels.js","old_string"`, `"${PROJECT}/${PATH}","old_string"`),
    );
    const result = await reviewBy(model, repository, [], { transcript });
    expect(result.json()).toMatchObject({
      status: "skipped",
      skippedReason: "skills_modified_in_session",
    });
    expect(model.requests).toEqual([]);
  });
});

describe("4. only skills of the project can be written", () => {
  const outside = [
    ["the project", "src/new.js"],
    ["the project, absolute", `${PROJECT}/README.md`],
    ["the project's settings", ".qwen/settings.json"],
    ["the skills root's neighbour", ".qwen/skills-other/x/SKILL.md"],
    ["a way out of the skills root", ".qwen/skills/../../x/SKILL.md"],
    ["user-level skills", "/home/user/.qwen/skills/x/SKILL.md"],
    ["user-level skills by ~", "~/.qwen/skills/x/SKILL.md"],
    ["an extension's skills", "/home/user/.qwen/extensions/tools/skills/x/SKILL.md"],
    ["bundled skills", "/usr/lib/node_modules/@qwen-code/qwen-code/dist/bundled/x/SKILL.md"],
    ["the transcript", "/transcript/session.md"],
    ["git's own folder", ".git/hooks/pre-commit"],
  ] as const;

  test("everything else is refused with the root named; the skill is allowed", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const content = skillText("x");
    await using model = await scriptedModel([
      calls(...outside.map(([, file_path]) => ["write_file", { file_path, content }] as const)),
      calls(
        ...outside.map(
          ([, file_path]) => ["edit", { file_path, old_string: "a", new_string: "b" }] as const,
        ),
      ),
      calls(WRITE),
      "Done.",
    ]);
    const before = await repository.snapshot();
    const outcome = (await reviewBy(model, repository)).json();
    for (const request of [model.requests[1], model.requests[2]]) {
      const refusals = results(request);
      expect(refusals).toHaveLength(outside.length);
      for (const [index, refusal] of refusals.entries()) {
        expect(refusal, outside[index]?.[0]).toMatch(/^Error: /);
        expect(refusal, outside[index]?.[0]).toContain(".qwen/skills");
      }
    }
    expect(results(model.requests[3])[0]).not.toMatch(/^Error/);
    expect(outcome.operations).toEqual([{ type: "ADD", skill_id: "label-tests", path: PATH }]);
    expect(await repository.git("diff", "--name-only", "main", BRANCH)).toBe(PATH);
    expect(await repository.snapshot()).toEqual(before);
  });
});

describe("4b. with another skills root", () => {
  test("that one can be written, and Qwen Code's can't", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const path = ".claude/skills/label-tests/SKILL.md";
    await using model = await scriptedModel([
      calls(WRITE, ["write_file", { file_path: path, content: skillText("label-tests") }]),
      "Done.",
    ]);
    const outcome = (await reviewBy(model, repository, ["--skills-root", ".claude/skills"])).json();
    const [refused, allowed] = results(model.requests[1]);
    expect(refused).toMatch(/^Error: .*\.claude\/skills/);
    expect(allowed).not.toMatch(/^Error/);
    expect(outcome.operations).toEqual([{ type: "ADD", skill_id: "label-tests", path }]);
    expect(model.requests[0]?.body.messages[0]?.content).not.toContain(".qwen");
  });
});

describe("5. only auto-skills can be edited", () => {
  const MINE = "---\nname: mine\ndescription: A person's.\n---\n\nRun it twice.\n";
  const MESSAGE =
    "skill_review_agent: edit is only allowed on skills with 'source: auto-skill' in frontmatter. This skill appears to be user-created. Modify it manually or ask the user.";

  test("an unmarked skill can't be edited or overwritten; the marked one beside it can", async () => {
    await using repository = await temporaryRepository({
      files: {
        ...FILES,
        ".qwen/skills/mine/SKILL.md": MINE,
        [PATH]: skillText("label-tests"),
      },
    });
    const mine = `${PROJECT}/.qwen/skills/mine/SKILL.md`;
    const edit = (file_path: string, old_string: string, new_string: string) =>
      ["edit", { file_path, old_string, new_string }] as const;
    await using model = await scriptedModel([
      calls(["read_file", { file_path: mine }], ["read_file", { file_path: PATH }]),
      calls(
        edit(mine, "twice", "once"),
        ["write_file", { file_path: mine, content: skillText("mine") }],
        edit(PATH, "version: 1.0.0", "version: 1.0.1"),
        edit(PATH, "--seed 7", "--seed 42"),
      ),
      "Done.",
    ]);
    const outcome = (await reviewBy(model, repository)).json();
    const [edited, overwritten, ...allowed] = results(model.requests[2]);
    expect(edited).toBe(`Error: ${MESSAGE}`);
    expect(overwritten).toContain(MESSAGE);
    for (const text of allowed) expect(text).not.toMatch(/^Error/);
    expect(outcome).toMatchObject({
      status: "proposed",
      operations: [{ type: "UPDATE", skill_id: "label-tests" }],
    });
    expect(await repository.git("show", `${BRANCH}:.qwen/skills/mine/SKILL.md`)).toBe(MINE.trim());
    expect(await repository.git("show", `${BRANCH}:${PATH}`)).toContain("--seed 42");
  });

  test("what was not read in this review is not edited", async () => {
    await using repository = await temporaryRepository({
      files: { ...FILES, [PATH]: skillText("label-tests") },
    });
    await using model = await scriptedModel([
      calls(["edit", { file_path: PATH, old_string: "--seed 7", new_string: "--seed 9" }]),
      NOTHING,
    ]);
    const outcome = (await reviewBy(model, repository)).json();
    expect(results(model.requests[1])[0]).toMatch(/^Error: .*read/);
    expect(outcome.status).toBe("nothing_to_save");
  });

  test("a forgotten marker is told at once, and mended by the model", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const content = skillText("label-tests", { marker: false });
    await using model = await scriptedModel([
      calls(["write_file", { file_path: PATH, content }]),
      calls(["read_file", { file_path: PATH }]),
      calls([
        "edit",
        {
          file_path: PATH,
          old_string: "metadata:\n",
          new_string: "metadata:\n  source: auto-skill\n",
        },
      ]),
      "Mended.",
    ]);
    const outcome = (await reviewBy(model, repository)).json();
    expect(results(model.requests[1])[0]).toContain("structure.marker");
    expect(results(model.requests[3])[0]).not.toContain("structure.marker");
    expect(outcome).toMatchObject({ status: "proposed", findings: [] });
  });

  test("what is not mended refuses the whole review", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const content = skillText("label-tests", { marker: false });
    await using model = await scriptedModel([
      calls(["write_file", { file_path: PATH, content }]),
      "Done.",
    ]);
    const result = await reviewBy(model, repository);
    expect(result.code).toBe(2);
    expect(result.json()).toMatchObject({ status: "refused", proposals: [] });
    expect(await branches(repository)).toEqual([]);
  });
});

describe("6. symlinks", () => {
  test("a path through a link of the base tree: symlink traversal detected", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const outside = join(repository.home, "outside");
    mkdirSync(outside);
    mkdirSync(join(repository.dir, ".qwen/skills"), { recursive: true });
    symlinkSync(outside, join(repository.dir, ".qwen/skills/linked"));
    await repository.commit("a link");
    const before = await repository.snapshot();
    await using model = await scriptedModel([
      calls(
        ["write_file", { file_path: ".qwen/skills/linked/SKILL.md", content: skillText("linked") }],
        ["write_file", { file_path: ".qwen/skills/linked", content: skillText("linked") }],
        ["edit", { file_path: ".qwen/skills/linked/SKILL.md", old_string: "a", new_string: "b" }],
      ),
      NOTHING,
    ]);
    const outcome = (await reviewBy(model, repository)).json();
    for (const text of results(model.requests[1]))
      expect(text).toContain("symlink traversal detected");
    expect(outcome.status).toBe("nothing_to_save");
    expect(await repository.snapshot()).toEqual(before);
  });
});

describe("7. the switch memory.enableAutoSkill", () => {
  test.each([
    ["false disables", '{ "memory": { "enableAutoSkill": false } }', "skipped", 0],
    ["true runs", '{ "memory": { "enableAutoSkill": true } }', "nothing_to_save", 1],
    ["unset runs", '{ "memory": {} }', "nothing_to_save", 1],
    ["no settings at all: runs", null, "nothing_to_save", 1],
  ] as const)("%s", async (_, settings, status, requests) => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel(requests === 0 ? [] : [NOTHING]);
    if (settings !== null) repository.write(".qwen/settings.json", settings);
    expect((await reviewBy(model, repository)).json().status).toBe(status);
    expect(model.requests).toHaveLength(requests);
  });
});

describe("8. what the requests hold", () => {
  test("exactly the five tools, the prompt, the session without its secrets, and no credential", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const secret = `ghp_${"0123456789".repeat(3)}abcdef`;
    const transcript = join(repository.home, "secret.jsonl");
    const text = readFileSync(DEMO_SESSION, "utf8");
    writeFileSync(transcript, text.replace("Run the tests.", `Run the tests with ${secret}.`));
    await using model = await scriptedModel([
      calls(
        ["shell", { command: "env; grep -n Run.the.tests /transcript/session.md" }],
        ["read_file", { file_path: "/transcript/session.md" }],
      ),
      NOTHING,
    ]);
    await reviewBy(model, repository, [], { transcript });
    const [first, second] = model.requests;
    expect(first?.body.tools?.map((tool) => tool.function.name).sort()).toEqual([
      "edit",
      "ls",
      "read_file",
      "shell",
      "write_file",
    ]);
    const [system, task] = first?.body.messages ?? [];
    expect(system).toMatchObject({ role: "system" });
    expect(system?.content).toMatch(/^You are managed-skill-extractor\./);
    expect(task).toMatchObject({ role: "user" });
    expect(task?.content).toContain("t3 call failure, exit code 1: run_shell_command");
    expect(task?.content).toContain("[redacted:");
    expect(first?.body.messages).toHaveLength(2);
    for (const request of model.requests) {
      expect(request.text).not.toContain(KEY);
      expect(request.text).not.toContain(secret.slice(4));
      expect(request.headers.authorization).toBe(`Bearer ${KEY}`);
    }
    const start = JSON.stringify(first?.body.messages).slice(0, -1);
    expect(JSON.stringify(second?.body.messages).startsWith(start)).toBe(true);
  });

  test("the skills there are, the open and the declined proposals are listed", async () => {
    await using repository = await temporaryRepository({
      files: {
        ...FILES,
        ".qwen/skills/mine/SKILL.md": "---\nname: mine\ndescription: A person's.\n---\n\nText\n",
        ".qwen/skills/learned/SKILL.md": skillText("learned"),
      },
    });
    await using model = await scriptedModel([
      calls(WRITE),
      "Done.",
      (request) => {
        expect(request.body.messages[1]?.content).toContain(
          "- label-tests (auto-skill: may be updated, still a proposal that waits for approval)",
        );
        return NOTHING;
      },
      NOTHING,
    ]);
    await reviewBy(model, repository);
    await reviewBy(model, repository, ["--force"]);
    const { runCli } = await import("../support/built-cli.ts");
    await runCli(repository, ["reject", "label-tests", "--reason", "We know that."]);
    await reviewBy(model, repository, ["--force"]);
    const task = model.requests.at(-1)?.body.messages[1]?.content ?? "";
    expect(task).toContain("- mine (a person's: never touch it): \"A person's.\"");
    expect(task).toContain("- learned (auto-skill: may be updated): ");
    expect(task).toContain('- label-tests: "We know that."');
    expect(task).not.toContain("- label-tests (auto-skill");
  });
});
