/**
 * The library as others get it: packed, unpacked into a small project of its own, type-checked there, run
 * there. What the package needs is what it declares.
 */
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { modelEnvironment, results, skillText } from "../support/auto-skill.ts";
import { calls, scriptedModel } from "../support/scripted-model.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const execute = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, "../..");
const MODULES = join(PROJECT, "node_modules");

const CONSUMER = `
import {
  applyUpdate,
  AUTO_SKILL_THRESHOLD,
  type Content,
  createSkillScopedPolicy,
  EMPTY_SKILLBOOK,
  findSkillReviewTask,
  listSkillReviewTasks,
  type MemoryTaskType,
  type Operation,
  parseSkillbook,
  publish,
  renderSkillbook,
  review,
  type ScheduleSkillReviewParams,
  type SkillReviewScheduleResult,
  type Skill,
  type Skillbook,
  type SkillReviewTask,
  scheduleSkillReview,
  type UpdateBatch,
  verify,
  type Workspace,
} from "skillpr";

const kind: MemoryTaskType = "skill-review";
const [, , projectRoot = "", command = ""] = process.argv;
const history: Content[] = [
  { role: "user", parts: [{ text: "The labels are wrong. Why?" }] },
  {
    role: "model",
    parts: [
      { text: "I run the tests." },
      { functionCall: { id: "c1", name: "run_shell_command", args: { command: "npm test" } } },
    ],
  },
  {
    role: "user",
    parts: [{ functionResponse: { id: "c1", name: "run_shell_command", response: { error: "1 failed" } } }],
  },
  { role: "model", parts: [{ text: "Mended." }] },
];
const params: ScheduleSkillReviewParams = {
  projectRoot,
  sessionId: "session-1",
  history,
  toolCallCount: AUTO_SKILL_THRESHOLD,
  skillsModified: false,
};

async function run(): Promise<unknown> {
  const result: SkillReviewScheduleResult = scheduleSkillReview(params);
  const running: SkillReviewTask | null = findSkillReviewTask(result.taskId ?? "");
  const task = await result.promise;
  return {
    status: result.status,
    running: running?.state,
    task,
    again: findSkillReviewTask(result.taskId ?? ""),
    listed: listSkillReviewTasks(projectRoot).length,
    kind: task?.taskType === kind,
  };
}

async function decide(): Promise<unknown> {
  const off = { enabled: false, toolCallCount: 0, skillsModified: true };
  return [
    scheduleSkillReview({ ...params, ...off }),
    scheduleSkillReview({ ...params, config: { enabled: false } }),
    scheduleSkillReview({ ...params, toolCallCount: 19, skillsModified: true }),
    scheduleSkillReview({ ...params, toolCallCount: 4, threshold: 5 }),
    scheduleSkillReview({ ...params, toolCallCount: Number.NaN }),
    scheduleSkillReview({ ...params, skillsModified: true }),
  ];
}

async function policy(): Promise<unknown> {
  const allows = createSkillScopedPolicy(projectRoot);
  const path = (name: string) => \`\${projectRoot}/.qwen/skills/\${name}/SKILL.md\`;
  const edit = (file_path: string) => allows({ name: "edit", args: { file_path, old_string: "a", new_string: "b" } });
  const read = (file_path: string) => allows({ name: "read_file", args: { file_path } });
  const write = (file_path: string) => allows({ name: "write_file", args: { file_path, content: "x" } });
  return [await write(path("new")), await write(\`\${projectRoot}/README.md\`), await edit(path("mine")), await edit(path("learned")), await read(path("learned")), await edit(path("learned"))].filter((_, index) => index !== 4);
}

async function skillbook(): Promise<unknown> {
  const add: Operation = { type: "ADD", section: "context", keywords: ["dates"], issue: "Dates differ.", insight: "Use UTC." };
  const tag: Operation = { type: "TAG", skill_id: "context-00001", metadata: { delta: 1 } };
  const batch: UpdateBatch = { reasoning: "Seen twice.", operations: [add, tag] };
  const result = applyUpdate(EMPTY_SKILLBOOK, batch);
  const book: Skillbook = result.ok ? result.skillbook : EMPTY_SKILLBOOK;
  const read = parseSkillbook(renderSkillbook(book));
  const refused = applyUpdate(book, { ...batch, operations: [add, { ...tag, skill_id: "nobody" }] });
  return { book, read: read.ok ? read.skillbook : null, refused };
}

/** Types of the glossary that only stand in signatures. */
export type Shown = readonly [Skill["name"], Workspace["skillsDir"]];

const commands: Record<string, () => Promise<unknown>> = { run, decide, policy, skillbook };
if ([applyUpdate, publish, review, verify].some((each) => typeof each !== "function")) throw new Error("incomplete");
console.log(JSON.stringify(await commands[command]?.()));
`;

/** @returns the folder of a project that depends on the packed skillpr, and what was packed */
async function consumer(home: string): Promise<{ dir: string; packed: string[] }> {
  const staged = join(home, "staged");
  const dir = join(home, "consumer");
  const modules = join(dir, "node_modules");
  mkdirSync(modules, { recursive: true });
  // Built here: the declarations are not part of the bundle that the other tests run on.
  for (const name of ["src", "dist", "templates"])
    cpSync(join(PROJECT, name), join(staged, name), { recursive: true });
  for (const name of [
    "package.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "README.md",
    "LICENSE",
  ])
    cpSync(join(PROJECT, name), join(staged, name));
  symlinkSync(MODULES, join(staged, "node_modules"));
  const tsc = join(MODULES, "typescript/bin/tsc");
  await execute(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: staged });
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", home];
  const { stdout } = await execute("npm", pack, { cwd: staged });
  const [{ filename, files }] = JSON.parse(stdout);
  mkdirSync(join(modules, "skillpr"));
  await execute("tar", [
    "-xzf",
    join(home, filename),
    "--strip-components=1",
    "-C",
    join(modules, "skillpr"),
  ]);
  const { dependencies } = JSON.parse(readFileSync(join(modules, "skillpr/package.json"), "utf8"));
  for (const name of [...Object.keys(dependencies), "@types/node", "undici-types"]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(MODULES, name), join(modules, name));
  }
  writeFileSync(join(dir, "package.json"), '{ "name": "consumer", "type": "module" }\n');
  writeFileSync(join(dir, "main.ts"), CONSUMER);
  const options = {
    target: "ES2023",
    lib: ["ES2023", "ESNext.Disposable"],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
  };
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  await execute(process.execPath, [tsc, "-p", "."], { cwd: dir });
  return { dir, packed: files.map(({ path }: { path: string }) => path) };
}

let place: TemporaryRepository;
let dir: string;
let packed: string[];
beforeAll(async () => {
  place = await temporaryRepository();
  ({ dir, packed } = await consumer(place.home));
}, 240_000);
afterAll(() => place[Symbol.asyncDispose]());

/** Runs the consumer's program on a repository. */
async function run(
  repository: TemporaryRepository,
  command: "run" | "decide" | "policy" | "skillbook",
  env: NodeJS.ProcessEnv = {},
  projectRoot = repository.dir,
) {
  const { stdout } = await execute(process.execPath, [join(dir, "main.js"), projectRoot, command], {
    env: { ...repository.env, CI: "", TMPDIR: repository.tempRoot, ...env },
  });
  return JSON.parse(stdout);
}

const FILES = { "README.md": "# parcels\n" };
const PATH = ".qwen/skills/label-tests/SKILL.md";

describe("a small project that installs the packed library", () => {
  test("the package holds the bundle, the templates and the types, and no source or test", () => {
    for (const path of [
      "dist/index.mjs",
      "dist/cli.js",
      "dist/types/index.d.ts",
      "templates/review/system.md",
    ])
      expect(packed).toContain(path);
    // Nothing else: no source, no test, no byte code of this machine.
    const wanted =
      /^(?:dist\/.+\.(?:m?js|d\.ts|json|wasm|LICENSE)|templates\/.+|README\.md|LICENSE|package\.json)$/;
    expect(packed.filter((path) => !wanted.test(path))).toEqual([]);
    const templates = readdirSync(join(PROJECT, "templates"), { recursive: true, encoding: "utf8" })
      .filter((path) => statSync(join(PROJECT, "templates", path)).isFile())
      .map((path) => `templates/${path}`);
    expect(templates.filter((path) => !packed.includes(path))).toEqual([]);
    // The consumer was type-checked with what its package.json makes available.
    expect(existsSync(join(dir, "main.js"))).toBe(true);
  });

  test("scheduleSkillReview: a review in the background, tracked by its id, ends in a proposal", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([
      calls(
        ["shell", { command: "git log --oneline | wc -l; cat README.md" }],
        ["write_file", { file_path: PATH, content: skillText("label-tests") }],
      ),
      "Done.",
    ]);
    const before = await repository.snapshot();
    const answer = await run(repository, "run", modelEnvironment(model));
    expect(answer).toMatchObject({
      status: "scheduled",
      running: "running",
      listed: 1,
      kind: true,
      task: {
        project: repository.dir,
        session: "session-1",
        state: "done",
        error: null,
        outcome: {
          status: "proposed",
          session: { id: "session-1", agent: "qwen-code", toolCallCount: 1 },
          operations: [{ type: "ADD", skill_id: "label-tests", path: PATH }],
        },
      },
    });
    expect(answer.again).toEqual(answer.task);
    // The shell's thread is a file of its own in the package.
    expect(results(model.requests[1])[0]).toMatch(/\b1\n# parcels/);
    expect(await repository.git("diff", "--name-only", "main", "auto-skill/label-tests")).toBe(
      PATH,
    );
    expect(await repository.snapshot()).toEqual(before);
  });

  test("what fails is told in the task, and nothing rejects", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    expect(await run(repository, "run", { OPENAI_API_KEY: "", OPENAI_MODEL: "" })).toMatchObject({
      status: "scheduled",
      task: { state: "failed", outcome: { status: "failed", error: { code: "config" } } },
    });
  });

  test("what a repository switches off stays off", async () => {
    await using repository = await temporaryRepository({
      files: { ...FILES, ".skillpr.yml": "enabled: false\n" },
    });
    await using model = await scriptedModel([]);
    expect(await run(repository, "run", modelEnvironment(model))).toMatchObject({
      task: { state: "done", outcome: { status: "skipped", skippedReason: "disabled" } },
    });
    expect(model.requests).toEqual([]);
  });

  test("the reasons to skip, in their order", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    expect(await run(repository, "decide")).toEqual([
      { status: "skipped", skippedReason: "disabled" },
      { status: "skipped", skippedReason: "disabled" },
      { status: "skipped", skippedReason: "below_threshold" },
      { status: "skipped", skippedReason: "below_threshold" },
      { status: "skipped", skippedReason: "below_threshold" },
      { status: "skipped", skippedReason: "skills_modified_in_session" },
    ]);
  });

  test("what an agent's settings or the user's config switch off is answered at once", async () => {
    const off = JSON.stringify({ memory: { enableAutoSkill: false } });
    const config = ".config/skillpr/config.yml";
    const reasons = async (
      files: Record<string, string>,
      homeFiles: Record<string, string> = {},
    ) => {
      await using repository = await temporaryRepository({ files: { ...FILES, ...files } });
      for (const [path, text] of Object.entries(homeFiles)) {
        mkdirSync(dirname(join(repository.home, path)), { recursive: true });
        writeFileSync(join(repository.home, path), text);
      }
      const folder = join(repository.dir, "packages/report");
      mkdirSync(folder, { recursive: true });
      const answers: { skippedReason: string }[] = await run(repository, "decide", {}, folder);
      return answers.map(({ skippedReason }) => skippedReason).slice(2);
    };
    const disabled = ["disabled", "disabled", "disabled", "disabled"];
    const rest = [
      "below_threshold",
      "below_threshold",
      "below_threshold",
      "skills_modified_in_session",
    ];
    expect(await reasons({ ".qwen/settings.json": off })).toEqual(disabled);
    expect(await reasons({}, { ".qwen/settings.json": off })).toEqual(disabled);
    expect(await reasons({}, { [config]: "enabled: false\n" })).toEqual(disabled);
    const both = await reasons({ ".qwen/settings.json": off }, { [config]: "enabled: true\n" });
    expect(both).toEqual(rest);
    // What is wrong with a file, the task tells.
    expect(await reasons({ ".qwen/settings.json": "{" }, { [config]: "enabled: 7\n" })).toEqual(
      rest,
    );
  });

  test("createSkillScopedPolicy: the write rules as a function", async () => {
    await using repository = await temporaryRepository({
      files: {
        ...FILES,
        ".qwen/skills/mine/SKILL.md": "---\nname: mine\ndescription: Mine.\n---\n\nText\n",
        ".qwen/skills/learned/SKILL.md": skillText("learned"),
      },
    });
    expect(await run(repository, "policy")).toEqual([
      null,
      expect.stringContaining(".qwen/skills"),
      expect.stringContaining("edit is only allowed on skills with 'source: auto-skill'"),
      expect.stringContaining("read"),
      null,
    ]);
  });

  test("applyUpdate: a batch goes in whole, or not at all", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const { book, read, refused } = await run(repository, "skillbook");
    expect(book).toMatchObject({
      sections: { context: ["context-00001"], harness: [] },
      skills: { "context-00001": { insight: "Use UTC.", helpful_count: 1 } },
    });
    expect(read).toEqual(book);
    expect(refused).toMatchObject({
      ok: false,
      problems: [{ code: "unknown_skill_id", operation: 1 }],
    });
  });
});
