import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SkillprError } from "../../src/core/errors.ts";
import { PROMPT_DESCRIPTION_MAX_CHARS } from "../../src/core/limits.ts";
import { autoSkillReviewer } from "../../src/review/auto-skill-reviewer.ts";
import type { ReviewInput } from "../../src/review/reviewer.ts";
import { skillText } from "../support/auto-skill.ts";
import { TEMPLATES } from "../support/review-templates.ts";
import { calls, delayed, type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";
import { ARC, sessionOf } from "./offline/session-of.ts";

let skillsDir = "";
beforeEach(() => {
  skillsDir = mkdtempSync(join(tmpdir(), "auto-skill-reviewer-"));
});
afterEach(() => rmSync(skillsDir, { recursive: true, force: true }));

function review(model: Pick<ScriptedModel, "url">, over: Partial<ReviewInput> = {}) {
  const reviewer = autoSkillReviewer({
    model: () => ({ model: "scripted", baseUrl: model.url, apiKey: "sk-example-123" }),
    modelLogDir: null,
    templates: {
      system: "Rules for {skillsRoot}.",
      task: "{fence}\n{session}{fence}\n{skills}\n{declined}",
      revise: "{skill}\n{fence}\n{session}{fence}",
      texts: TEMPLATES.texts,
    },
  });
  expect(reviewer.name).toBe("auto-skill");
  return reviewer.review({
    session: sessionOf(ARC),
    newFrom: null,
    skillsDir,
    skillsRoot: ".qwen/skills",
    existing: [],
    declined: [],
    extractedAt: "2026-03-04T05:06:07Z",
    marker: "metadata",
    links: new Set(),
    project: { list: async () => [], read: async () => null },
    history: { run: async () => ({ stdout: "", stderr: "", exitCode: 0 }) },
    projectRoot: "/home/user/shop",
    check: async () => [],
    redact: async (text) => text.replaceAll("hunter2", "[redacted:password:1]"),
    maxTurns: 8,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...over,
  });
}

const write = (name: string, body: string) =>
  [
    "write_file",
    { file_path: `.qwen/skills/${name}/SKILL.md`, content: skillText(name, { body }) },
  ] as const;

test("a note for each skill that was written: by the session where it shows why, else the model's words, redacted", async () => {
  await using model = await scriptedModel([
    calls(write("rounding", "Run `npm test`.\n"), write("amounts", "Two digits.\n")),
    "Saved. It is about hunter2.",
  ]);
  const { notes, usage } = await review(model);
  expect(notes).toEqual([
    { skill: "amounts", why: "The model says: “It is about [redacted:password:1].”" },
    { skill: "rounding", why: "`npm test` failed (t1) and succeeded later (t7)." },
  ]);
  expect(usage).toMatchObject({
    reviewer: "auto-skill",
    model: "scripted",
    turns: 2,
    incomplete: false,
  });
});

test("what was refused gives no note", async () => {
  await using model = await scriptedModel([
    calls(["write_file", { file_path: "README.md", content: "x" }]),
    "Nothing to save.",
  ]);
  expect((await review(model)).notes).toEqual([]);
});

test("the verifier's opinion and every other result pass redaction", async () => {
  await using model = await scriptedModel([calls(write("rounding", "Text\n")), "Done."]);
  const finding = {
    rule: "structure.text",
    level: "warning",
    path: null,
    line: 3,
    hint: "Mend it.",
  } as const;
  await review(model, { check: async () => [{ ...finding, message: "It says hunter2." }] });
  const result = model.requests[1]?.body.messages.at(-1)?.content ?? "";
  expect(result).toContain("structure.text");
  expect(result).toContain("[redacted:password:1]");
  expect(result).not.toContain("hunter2");
});

test("descriptions of skills and reasons of people pass redaction, before they are cut", async () => {
  await using model = await scriptedModel(["Nothing to save."]);
  const far = "x".repeat(PROMPT_DESCRIPTION_MAX_CHARS - 4);
  const skill = { isAutoSkill: true, isOpenProposal: false };
  const reviewer = review(model, {
    existing: [
      { ...skill, folder: "one", name: "hunter2", description: "It is hunter2." },
      { ...skill, folder: "two", name: "two", description: `${far}hunter2` },
    ],
    declined: [
      { folder: "three", contentKey: "k", reason: "It says hunter2.", description: "hunter2" },
    ],
  });
  await reviewer;
  const sent = JSON.stringify(model.requests[0]?.body.messages);
  expect(sent).toContain("It is [redacted:password:1].");
  expect(sent).toContain("It says [redacted:password:1].");
  expect(sent).not.toContain("hunt");
});

test("where the project lies is looked up when the session can't say it", async () => {
  await using model = await scriptedModel([
    calls(["read_file", { file_path: "/home/user/mono/packages/report/a.js" }]),
    "Nothing to save.",
  ]);
  await review(model, {
    projectRoot: "/home/user/mono/packages/report",
    locateProject: async () => "/home/user/mono",
    project: {
      list: async () => [{ path: "packages/report/a.js", mode: "100644" }],
      read: async () => ({ bytes: Buffer.from("found it"), isCut: false }),
    },
  });
  expect(model.requests[1]?.body.messages.at(-1)?.content).toContain("found it");
});

describe("how it ends early", () => {
  test("the round limit is no error", async () => {
    await using model = await scriptedModel([calls(write("rounding", "Text\n"))]);
    const { notes, usage } = await review(model, { maxTurns: 1 });
    expect(usage).toMatchObject({ turns: 1, incomplete: true });
    expect(notes).toHaveLength(1);
  });

  test("the time is one, of code model; the user's Ctrl-C one of code interrupted", async () => {
    await using slow = await scriptedModel([delayed(60_000, "x"), delayed(60_000, "x")]);
    await expect(review(slow, { timeoutMs: 100 })).rejects.toMatchObject({ code: "model" });
    const controller = new AbortController();
    setTimeout(() => controller.abort("SIGINT"), 100);
    const stopped = review(slow, { signal: controller.signal });
    await expect(stopped).rejects.toMatchObject({ code: "interrupted" });
  });

  test("no model: nothing is asked of anybody", async () => {
    const error = new SkillprError("config", "no model", "name one");
    const reviewer = autoSkillReviewer({
      model: () => {
        throw error;
      },
      modelLogDir: null,
      templates: { system: "", task: "", revise: "", texts: "" },
    });
    const untouched = new Proxy({} as ReviewInput, {
      get: (_, name) => {
        if (name === "timeoutMs") return 1000;
        if (name === "signal") return new AbortController().signal;
        throw new Error(`asked for ${String(name)}`);
      },
    });
    await expect(reviewer.review(untouched)).rejects.toBe(error);
  });
});
