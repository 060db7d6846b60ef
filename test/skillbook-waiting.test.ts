/** Marks that wait: kept where they can't join a proposal, and counted once, whatever was killed. */
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { importInto } from "../src/apply-batch.ts";
import { DEFAULTS } from "../src/core/config.ts";
import { openRepository } from "../src/git/repository.ts";
import { reject } from "../src/proposals.ts";
import type { Skillbook } from "../src/skills/skillbook.ts";
import { renderSkillbookFiles } from "../src/skills/skillbook-files.ts";
import { readTemplate } from "../src/templates.ts";
import { keepWaiting, listWaiting } from "../src/waiting-tags.ts";
import { ADD, HARNESS, ID, tag } from "./skills/skillbook-samples.ts";
import { applyIn } from "./support/apply-run.ts";
import { type TemporaryRepository, temporaryRepository } from "./support/temp-repository.ts";

const FILE = ".qwen/skills/skillbook/skillbook.json";
const BRANCH = "auto-skill/skillbook";
const other = (issue: string) => ({ ...ADD, issue });
const SLOW = { timeout: 300_000 };

/** A repository whose base has one strategy. */
async function project(): Promise<TemporaryRepository> {
  const repository = await temporaryRepository({ files: { "README.md": "# Project\n" } });
  await applyIn(repository.dir, [ADD]);
  await repository.git("merge", "--quiet", "--ff-only", BRANCH);
  return repository;
}

async function marksOf(repository: TemporaryRepository, ref = BRANCH) {
  const book: Skillbook = JSON.parse(await repository.git("show", `${ref}:${FILE}`));
  const { helpful_count, harmful_count } = book.skills[ID] ?? {};
  return [helpful_count, harmful_count];
}

const folderOf = ({ dir }: TemporaryRepository) => join(dir, ".git/skillpr/skillbook/waiting");

it(
  "killed between the branch and the forgetting: counted once, and forgotten by the next run",
  SLOW,
  async () => {
    await using repository = await project();
    const { dir } = repository;
    await applyIn(dir, [tag(1)]);
    await applyIn(dir, [tag(-1), tag(1)]);
    const kept = join(repository.home, "kept");
    cpSync(folderOf(repository), kept, { recursive: true });
    expect(readdirSync(kept)).toHaveLength(2);
    expect(await applyIn(dir, [HARNESS])).toMatchObject({ status: "proposed", waiting: 0 });
    expect(await marksOf(repository)).toEqual([2, 1]);
    expect(readdirSync(folderOf(repository))).toEqual([]);
    // What a run leaves that is killed right after its commit.
    cpSync(kept, folderOf(repository), { recursive: true });
    await applyIn(dir, [other("More.")]);
    expect(await marksOf(repository)).toEqual([2, 1]);
    expect(readdirSync(folderOf(repository))).toEqual([]);
    // Also when it was accepted before anything else ran, and as a squash.
    cpSync(kept, folderOf(repository), { recursive: true });
    const message = await repository.git("log", "--format=%B", `main..${BRANCH}`);
    await repository.git("merge", "--quiet", "--squash", BRANCH);
    await repository.git("commit", "--quiet", "-m", `skill: update skillbook (#1)\n\n${message}`);
    await applyIn(dir, [other("Last.")]);
    expect(await marksOf(repository)).toEqual([2, 1]);
  },
);

it(
  "the proposal that they came with is rejected: they wait again, and count once",
  SLOW,
  async () => {
    await using repository = await project();
    const { dir } = repository;
    await applyIn(dir, [tag(1)]);
    expect(await applyIn(dir, [HARNESS])).toMatchObject({ status: "proposed", waiting: 0 });
    expect(await marksOf(repository)).toEqual([1, 0]);
    const opened = await openRepository(dir);
    const config = { ...DEFAULTS, base: "main" };
    const { commit } = await reject({ repository: opened, config }, "skillbook", null);
    expect((await listWaiting(opened)).flatMap(({ operations }) => operations)).toMatchObject([
      tag(1),
    ]);
    await applyIn(dir, [other("Another.")]);
    expect(await marksOf(repository)).toEqual([1, 0]);
    expect(await listWaiting(opened)).toEqual([]);
    // Rejected again, and that undone: they are in the branch, and don't come twice.
    const { commit: again } = await reject({ repository: opened, config }, "skillbook", null);
    await repository.git("branch", BRANCH, again);
    await applyIn(dir, [other("More.")]);
    expect(await marksOf(repository)).toEqual([1, 0]);
    expect(commit).not.toBe(again);
    // Accepted, nothing is left that a later rejection could bring back.
    await repository.git("merge", "--quiet", "--ff-only", BRANCH);
    await applyIn(dir, [other("Last.")]);
    await reject({ repository: opened, config }, "skillbook", null);
    expect(await listWaiting(opened)).toEqual([]);
  },
);

it(
  "somebody's commit on the open proposal: marks wait, and that is said; then they come",
  SLOW,
  async () => {
    await using repository = await project();
    const { dir } = repository;
    await applyIn(dir, [other("Open.")]);
    await repository.git("checkout", "--quiet", BRANCH);
    repository.write("NOTES.md", "mine\n");
    await repository.commit();
    const tip = await repository.git("rev-parse", BRANCH);
    await repository.git("checkout", "--quiet", "main");
    const outcome = await applyIn(dir, [tag(1)]);
    expect(outcome).toMatchObject({ status: "nothing_to_save", waiting: 1, proposals: [] });
    expect(outcome.warnings.join()).toMatch(/marks wait.*has a commit by/);
    // What isn't marks alone is refused as a whole, and can be applied again.
    expect((await applyIn(dir, [other("New."), tag(1)])).proposals).toMatchObject([
      { operation: "blocked" },
    ]);
    expect(await repository.git("rev-parse", BRANCH)).toBe(tip);
    await repository.git("merge", "--quiet", "--ff-only", BRANCH);
    expect(await applyIn(dir, [other("Next.")])).toMatchObject({ status: "proposed" });
    expect(await marksOf(repository)).toEqual([1, 0]);
  },
);

it("the same sessions' marks, kept again after a kill, are the same file", async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "# Project\n" } });
  const opened = await openRepository(repository.dir);
  const batch = (delta: 1 | -1) => ({
    reasoning: "",
    operations: [{ type: "TAG" as const, skill_id: ID, metadata: { delta } }],
  });
  for (const key of ["sha256:one", "sha256:two", "sha256:one", null, null])
    await keepWaiting(opened, batch(key === null ? -1 : 1), key);
  expect((await listWaiting(opened)).map(({ operations }) => operations.length)).toEqual([
    1, 1, 1, 1,
  ]);
});

it.each([
  ["its trailers kept", true],
  ["its message reduced to the title", false],
])("a squash that somebody edited, %s: nothing of it comes twice", SLOW, async (_, isKept) => {
  await using repository = await project();
  const { dir } = repository;
  await applyIn(dir, [tag(1)]);
  await applyIn(dir, [HARNESS, tag(1)]);
  const told = await repository.git("log", "--format=%B", `main..${BRANCH}`);
  const message = isKept ? told : "";
  await repository.git("merge", "--quiet", "--squash", BRANCH);
  const book: Skillbook = JSON.parse(await repository.git("show", `${BRANCH}:${FILE}`));
  const skills = { ...book.skills, [ID]: { ...book.skills[ID], issue: "Said better." } };
  for (const { path, content } of renderSkillbookFiles({ ...book, skills } as Skillbook))
    repository.write(`.qwen/skills/skillbook/${path}`, content);
  await repository.git("add", "--all");
  await repository.git("commit", "--quiet", "-m", `skill: update skillbook (#1)\n\n${message}`);
  expect(await marksOf(repository, "main")).toEqual([2, 0]);
  await applyIn(dir, [other("Later."), tag(-1)]);
  expect(await marksOf(repository)).toEqual([2, 1]);
  const after: Skillbook = JSON.parse(await repository.git("show", `${BRANCH}:${FILE}`));
  expect(Object.values(after.skills).map(({ issue }) => issue)).toEqual([
    "Said better.",
    HARNESS.issue,
    "Later.",
  ]);
});

it(
  "our own file, imported while marks wait, brings nothing; what ACE added to it waits once",
  SLOW,
  async () => {
    await using repository = await project();
    const { dir } = repository;
    const run = {
      repository: await openRepository(dir),
      config: { ...DEFAULTS, base: "main", publish: "branch" as const },
      credentials: [],
      messageTemplate: readTemplate("skillbook-commit-message.txt"),
      dryRun: false,
      outDir: null,
      onStep: () => {},
      onNote: () => {},
    };
    const bring = (book: object) =>
      importInto({ name: "own.json", text: JSON.stringify(book) }, {}, run);
    const own: Skillbook = JSON.parse(await repository.git("show", `main:${FILE}`));
    const skills = { ...own.skills, [ID]: { ...own.skills[ID], helpful_count: 1 } };
    for (const times of [1, 2]) {
      expect(await bring(own), String(times)).toMatchObject({ status: "nothing_to_save" });
      expect(await bring({ ...own, skills })).toMatchObject({ waiting: 1 });
      const tags = (await listWaiting(run.repository)).flatMap(({ operations }) => operations);
      expect(tags).toMatchObject([tag(1)]);
    }
  },
);
