import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type SkillbookInput,
  skillbookReviewer,
} from "../../../src/review/skillbook/skillbook-reviewer.ts";
import { EMPTY_SKILLBOOK } from "../../../src/skills/skillbook.ts";
import { ADD, applied, HARNESS, ID, tag } from "../../skills/skillbook-samples.ts";
import {
  completion,
  type ScriptedModel,
  scriptedModel,
  type Turn,
} from "../../support/scripted-model.ts";
import { ARC, read, sessionOf } from "../offline/session-of.ts";

const text = (name: string) =>
  readFileSync(new URL(`../../../templates/review/skillbook/${name}.md`, import.meta.url), "utf8");

const SKILLBOOK = applied(EMPTY_SKILLBOOK, { ...ADD, issue: "The password is hunter2." }, HARNESS);
const FIRST = sessionOf([...ARC, `As [${ID}] says.`]);
const SECOND = sessionOf([read(".qwen/skills/release-flow/SKILL.md", "# Release")], {
  id: "second",
});

const reflection = (session: number, more: object = {}) => ({
  session,
  reasoning: "It failed (t1) and worked (t7).",
  worked: ["two digits"],
  failed: [],
  learnings: [
    { section: "context", issue: "Amounts.", insight: "Two digits; hunter2.", evidence: "t1, t7" },
  ],
  marks: [],
  ...more,
});
const reflections = (...list: object[]) => JSON.stringify({ reflections: list });
const batch = (...operations: object[]) => JSON.stringify({ reasoning: "Twice.", operations });

function learn(model: Pick<ScriptedModel, "url">, over: Partial<SkillbookInput> = {}) {
  const reviewer = skillbookReviewer({
    model: () => ({ model: "scripted", baseUrl: model.url, apiKey: "sk-example-123" }),
    modelLogDir: null,
    templates: {
      reflector: text("reflector"),
      reflectorTask: text("reflector-task"),
      manager: text("manager"),
      managerTask: text("manager-task"),
      texts: text("texts"),
    },
  });
  return reviewer.learn({
    sessions: [{ session: FIRST, newFrom: null }],
    skillbook: SKILLBOOK,
    skills: new Set(["release-flow"]),
    skillsRoot: ".qwen/skills",
    declined: [],
    redact: async (each) => each.replaceAll("hunter2", "[redacted:password:1]"),
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...over,
  });
}

/** What the last message of a request says. */
const asked = ({ requests }: ScriptedModel, at: number) =>
  requests[at]?.body.messages.map(({ content }) => content).join("\n") ?? "";

/** Bytes of a message as it went over the wire. */
const sizeOf = (message: unknown) => Buffer.byteLength(JSON.stringify(message));

describe("two roles", () => {
  it("what was sent is counted by its parts, over both roles and what was asked once more", async () => {
    await using model = await scriptedModel([
      "I think that amounts need two digits.",
      reflections(reflection(0)),
      batch({ ...ADD, reflection_index: 0 }),
    ]);
    const { usage } = await learn(model);
    const [first = [], again = [], manager = []] = model.requests.map(({ body }) => body.messages);
    expect(again.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    const total = (...messages: unknown[]) =>
      messages.reduce<number>((sum, each) => sum + sizeOf(each), 0);
    expect(usage.parts).toEqual({
      instructions: total(first[0], again[0], again[3], manager[0]),
      session: total(first[1], again[1], manager[1]),
      model: total(again[2]),
      tools: 0,
    });
  });

  it("a Reflector and a SkillManager, each asked once; operations carry their session", async () => {
    await using model = await scriptedModel([
      reflections(reflection(0)),
      batch({ ...ADD, reflection_index: 0, insight: "Two digits; hunter2." }, tag(1)),
    ]);
    const { batch: learned, usage, used, warnings } = await learn(model);
    const source = { trace_uid: `qwen-code:${FIRST.id}`, relation: "seed" };
    expect(learned.operations).toMatchObject([
      { type: "TAG", skill_id: ID, metadata: { delta: 1 }, insight_source: [source] },
      { type: "ADD", insight: "Two digits; [redacted:password:1].", insight_source: [source] },
    ]);
    expect(learned.reasoning).toBe("Twice.");
    expect(used).toMatchObject([[{ id: ID, how: "cited", turn: "t9" }]]);
    expect(usage).toMatchObject({
      reviewer: "skillbook",
      model: "scripted",
      turns: 2,
      inputTokens: 200,
    });
    expect(warnings).toEqual([]);
    expect(model.requests.every(({ body }) => body.tools === undefined)).toBe(true);
  });

  it("the prompts show sessions, Skillbook and needed marks, and no secret", async () => {
    await using model = await scriptedModel([reflections(reflection(0)), batch()]);
    await learn(model, { declined: ["too vague"] });
    expect(asked(model, 0)).toContain("npm test");
    expect(asked(model, 0)).toContain(`Session 0 loaded or named: ${ID} (cited in t9).`);
    expect(asked(model, 1)).toContain(`- ${ID}, reflection_index 0 (cited in t9)`);
    expect(asked(model, 1)).toContain('- "too vague"');
    for (const at of [0, 1]) {
      expect(asked(model, at)).toContain("- [harness-00002]");
      expect(asked(model, at)).not.toContain("hunter2");
      expect(asked(model, at)).not.toMatch(/\{[a-z]\w*\}/);
    }
  });

  it("of a Skillbook that is too large for a prompt, what the session used is shown whole", async () => {
    const many = Array.from({ length: 400 }, (_, n) => ({
      ...ADD,
      keywords: [`word${n}`],
      issue: `Issue ${n}. ${"It is long. ".repeat(20)}`,
    }));
    const skillbook = applied(EMPTY_SKILLBOOK, ...many);
    const cites = sessionOf([...ARC, "As [context-00400] says."]);
    await using model = await scriptedModel([reflections(reflection(0)), batch()]);
    await learn(model, { skillbook, sessions: [{ session: cites, newFrom: null }] });
    for (const at of [0, 1]) {
      expect(asked(model, at)).toContain("Issue: Issue 399.");
      expect(asked(model, at)).toContain("Issue: Issue 0.");
      expect(asked(model, at)).not.toContain("Issue: Issue 398.");
      expect(asked(model, at)).toContain("- [context-00399] word398");
    }
  });

  it("several sessions in one run: each has its reflection, its marks and its source", async () => {
    await using model = await scriptedModel([
      reflections(reflection(0), reflection(1, { learnings: [] })),
      batch({ ...ADD, reflection_index: 1, reflection_indices: [0, 1] }),
    ]);
    const { batch: learned } = await learn(model, {
      sessions: [
        { session: FIRST, newFrom: null },
        { session: SECOND, newFrom: null },
      ],
    });
    expect(learned.operations.map(({ type }) => type)).toEqual(["TAG", "TAG", "ADD"]);
    expect(learned.operations).toMatchObject([
      { skill_id: ID, insight_source: [{ trace_id: FIRST.id }] },
      {
        skill_id: "release-flow",
        metadata: { delta: 0 },
        insight_source: [{ trace_id: "second" }],
      },
      {
        insight_source: [
          { trace_id: "second", relation: "seed" },
          { trace_id: FIRST.id, relation: "supporting" },
        ],
      },
    ]);
  });

  it("nothing learned and nothing loaded: the SkillManager isn't asked", async () => {
    await using model = await scriptedModel([reflections(reflection(0, { learnings: [] }))]);
    const { batch: learned, usage } = await learn(model, { skillbook: EMPTY_SKILLBOOK });
    expect(learned.operations).toEqual([]);
    expect(usage.turns).toBe(1);
  });
});

describe("a wrong answer", () => {
  it.each<[string, Turn, string]>([
    ["is no JSON", "Let me think about it.", "it is not one JSON object"],
    ["has another shape", reflections({ session: 0 }), "reflections.0.reasoning"],
    ["has too few reflections", reflections(), "one reflection for each of the 1 sessions"],
    [
      "was cut off",
      completion({ text: '{"reflections": [', finish: "length" }),
      "cut off by the output limit",
    ],
  ])("of the Reflector that %s is asked for once more", async (_, wrong, problem) => {
    await using model = await scriptedModel([wrong, reflections(reflection(0)), batch()]);
    const { usage } = await learn(model);
    expect(asked(model, 1)).toContain(problem);
    expect(usage.turns).toBe(3);
  });

  it("of the SkillManager too, with every problem named", async () => {
    await using model = await scriptedModel([
      reflections(reflection(0)),
      batch(tag(1, "harness-00002"), { ...ADD, insight: undefined }),
      `Here it is:\n\`\`\`json\n${batch(tag(1))}\n\`\`\`\n`,
    ]);
    const { batch: learned } = await learn(model);
    expect(asked(model, 2)).toContain("insight is missing");
    expect(learned.operations).toHaveLength(1);
  });

  it("twice ends the review, and what was said is redacted", async () => {
    await using model = await scriptedModel(["hunter2", "no hunter2"]);
    await expect(learn(model)).rejects.toMatchObject({
      code: "model",
      message: expect.stringContaining("Reflector"),
    });
    expect(asked(model, 1)).not.toContain("hunter2");
  });

  it("a refusal ends it at once", async () => {
    await using model = await scriptedModel([completion({ extra: { refusal: "I can't." } })]);
    await expect(learn(model)).rejects.toMatchObject({ code: "model" });
  });
});
