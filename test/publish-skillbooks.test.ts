/** What other jobs sealed of the Skillbook is applied to the one that stands when it is published, once. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { STRATEGY_SOURCES_MAX } from "../src/core/limits.ts";
import { DEFAULT_RULE_LEVELS } from "../src/core/rule-levels.ts";
import { openRepository } from "../src/git/repository.ts";
import { publishArtifacts } from "../src/publish-artifacts.ts";
import { publishFolder } from "../src/publish-sealed.ts";
import type { Skillbook } from "../src/skills/skillbook.ts";
import { readTemplate } from "../src/templates.ts";
import { listWaiting } from "../src/waiting-tags.ts";
import { ADD, ID, tag } from "./skills/skillbook-samples.ts";
import { applyIn } from "./support/apply-run.ts";
import { type TemporaryRepository, temporaryRepository } from "./support/temp-repository.ts";

const FILE = ".qwen/skills/skillbook/skillbook.json";
const BRANCH = "auto-skill/skillbook";
const SLOW = { timeout: 300_000 };
const other = (issue: string) => ({ ...ADD, issue });
const config = {
  base: "main",
  publish: "branch",
  rules: DEFAULT_RULE_LEVELS,
  skillsRoot: ".qwen/skills",
} as const;
const options = { messageTemplate: readTemplate("commit-message.txt"), otherName: "x.txt" };

/** A repository whose base has one strategy. */
async function project(): Promise<TemporaryRepository> {
  const repository = await temporaryRepository({ files: { "README.md": "# Project\n" } });
  await applyIn(repository.dir, [ADD]);
  await accept(repository);
  return repository;
}

async function accept(repository: TemporaryRepository): Promise<void> {
  await repository.git("merge", "--quiet", "--ff-only", BRANCH);
  await repository.git("branch", "-D", "--quiet", BRANCH);
}

const jobsIn = ({ tempRoot }: TemporaryRepository) => mkdtempSync(join(tempRoot, "jobs-"));

async function seal(
  { dir }: TemporaryRepository,
  jobs: string,
  name: string,
  operations: readonly object[],
) {
  const outDir = join(jobs, name);
  mkdirSync(outDir);
  return applyIn(dir, operations, { outDir });
}

async function publish({ dir }: TemporaryRepository, jobs: string) {
  const repository = await openRepository(dir);
  return publishArtifacts({ repository, config }, jobs, options);
}

async function bookAt(repository: TemporaryRepository, ref = BRANCH): Promise<Skillbook> {
  return JSON.parse(await repository.git("show", `${ref}:${FILE}`));
}

const said = ({ skills }: Skillbook) =>
  Object.values(skills)
    .map(({ id, issue }) => `${id} ${issue}`)
    .toSorted();

it("the same strategy, learned by two jobs: the marks and sources of both", SLOW, async () => {
  await using repository = await project();
  const jobs = jobsIn(repository);
  for (const name of ["one", "two"]) {
    const from = { insight_source: { trace_uid: `test:${name}` } };
    const both = { ...other("Both."), ...from };
    await seal(repository, jobs, name, [both, { ...tag(1, "context-00002"), ...from }]);
  }
  await publish(repository, jobs);
  const { skills } = await bookAt(repository);
  expect(Object.keys(skills)).toEqual([ID, "context-00002"]);
  expect(skills["context-00002"]?.helpful_count).toBe(2);
  const sources = skills["context-00002"]?.occurrences.map((each) => each["trace_id"]);
  expect(sources?.toSorted()).toEqual(["one", "two"]);
});

it("parallel proposals are one, ids given again, marks added, both told", SLOW, async () => {
  await using repository = await project();
  const jobs = jobsIn(repository);
  for (const name of ["one", "two"])
    await seal(repository, jobs, name, [other(`From ${name}.`), tag(1)]);
  const result = await publish(repository, jobs);
  expect(result).toMatchObject({ conflicts: [], unusable: [], joined: [{}] });
  expect(result.published.map(({ outcome }) => outcome.status)).toEqual(["proposed"]);
  const book = await bookAt(repository);
  expect(said(book)).toEqual([
    `${ID} ${ADD.issue}`,
    expect.stringMatching(/^context-00002 From (?:one|two)\.$/),
    expect.stringMatching(/^context-00003 From (?:one|two)\.$/),
  ]);
  expect(book.skills[ID]).toMatchObject({ helpful_count: 2 });
  const message = await repository.git("log", "-1", "--format=%B", BRANCH);
  expect(message).toMatch(/^skillbook: 2 ADD, 2 TAG\n/);
  expect(message.match(/^Skillpr-Digest: /gm)).toHaveLength(2);
});

it("of more sessions than a strategy names, each mark is told with its own", SLOW, async () => {
  await using repository = await project();
  const jobs = jobsIn(repository);
  const traces = Array.from({ length: STRATEGY_SOURCES_MAX + 3 }, (_, at) => `test:s${at}`);
  for (const [at, trace_uid] of traces.entries())
    await seal(repository, jobs, `job${at}`, [{ ...tag(1), insight_source: { trace_uid } }]);
  await seal(repository, jobs, "change", [other("Another.")]);
  await publish(repository, jobs);
  expect((await bookAt(repository)).skills[ID]).toMatchObject({ helpful_count: traces.length });
  const message = await repository.git("log", "-1", "--format=%B", BRANCH);
  const told = message.matchAll(/^Skillpr-Operation: TAG \S+ from (\S+)$/gm);
  expect([...told].map(([, trace]) => trace).toSorted()).toEqual(traces.toSorted());
});

it(
  "sealed on different parents: on the base, on an open branch, and on a base that moved",
  SLOW,
  async () => {
    await using repository = await project();
    const jobs = jobsIn(repository);
    await seal(repository, jobs, "base", [other("On the base."), tag(1)]);
    await applyIn(repository.dir, [other("Open."), tag(1)]);
    await seal(repository, jobs, "open", [other("On the branch."), tag(1)]);
    // Somebody else's change is accepted meanwhile.
    const open = await repository.git("rev-parse", BRANCH);
    await repository.git("branch", "-D", "--quiet", BRANCH);
    await applyIn(repository.dir, [other("Accepted."), tag(-1)]);
    await accept(repository);
    await repository.git("branch", BRANCH, open);
    await seal(repository, jobs, "moved", [other("On both."), tag(0)]);
    const result = await publish(repository, jobs);
    expect(result).toMatchObject({ conflicts: [], unusable: [], joined: [{}, {}] });
    const book = await bookAt(repository);
    expect(
      said(book)
        .map((each) => each.slice("context-00000 ".length))
        .toSorted(),
    ).toEqual(
      [ADD.issue, "Accepted.", "Open.", "On both.", "On the base.", "On the branch."].toSorted(),
    );
    expect(Object.keys(book.skills)).toHaveLength(6);
    expect(book.skills[ID]).toMatchObject({ helpful_count: 3, harmful_count: 1, neutral_count: 1 });
    // A job that is run again brings nothing twice.
    const again = await publish(repository, jobs);
    expect(again.published[0]?.outcome).toMatchObject({ status: "nothing_to_save" });
    expect(await bookAt(repository)).toEqual(book);
  },
);

it("marks alone are handed on, wait where they are published, and count once", SLOW, async () => {
  await using repository = await project();
  const jobs = jobsIn(repository);
  expect(await seal(repository, jobs, "marks", [tag(1)])).toMatchObject({
    status: "proposed",
    waiting: 0,
  });
  for (let run = 0; run < 2; run++) {
    const { published } = await publish(repository, jobs);
    expect(published[0]?.outcome.status).toBe("nothing_to_save");
  }
  expect(await repository.git("branch", "--list", "auto-skill/*")).toBe("");
  await seal(repository, jobs, "more", [other("More.")]);
  await publish(repository, jobs);
  expect((await bookAt(repository)).skills[ID]).toMatchObject({ helpful_count: 1 });
  const opened = await openRepository(repository.dir);
  const one = await publishFolder({ repository: opened, config }, join(jobs, "marks"), options);
  expect(one).toMatchObject({ status: "nothing_to_save" });
  expect((await bookAt(repository)).skills[ID]).toMatchObject({ helpful_count: 1 });
});

it(
  "several batches of marks alone, sealed by runs that come of no session: each counts once",
  SLOW,
  async () => {
    await using repository = await project();
    const jobs = jobsIn(repository);
    // Twice the same file: who applies it twice means it.
    for (const [name, delta] of [
      ["one", 1],
      ["two", 1],
      ["three", -1],
    ] as const)
      await seal(repository, jobs, name, [tag(delta)]);
    const opened = await openRepository(repository.dir);
    const alone = (name: string) =>
      publishFolder({ repository: opened, config }, join(jobs, name), options);
    const waiting = async () =>
      (await listWaiting(opened)).flatMap(({ operations }) => operations).length;
    await publish(repository, jobs);
    expect(await waiting()).toBe(3);
    // Again, by themselves, in another order, and together.
    for (const name of ["three", "two", "one"]) await alone(name);
    await publish(repository, jobs);
    expect(await waiting()).toBe(3);
    const counts = { helpful_count: 2, harmful_count: 1 };
    await applyIn(repository.dir, [other("New.")]);
    expect((await bookAt(repository)).skills[ID]).toMatchObject(counts);
    for (const name of ["two", "three", "one"]) await alone(name);
    await publish(repository, jobs);
    expect((await bookAt(repository)).skills[ID]).toMatchObject(counts);
    expect(await waiting()).toBe(0);
  },
);
