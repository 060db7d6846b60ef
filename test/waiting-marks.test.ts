/** Marks that wait are shown to people: how many, where, and until when. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openRepository } from "../src/git/repository.ts";
import { hashOf, marksText } from "../src/publish/marks-branch.ts";
import type { TagOperation } from "../src/skills/operation.ts";
import { waitingMarks, waitingWords } from "../src/waiting-marks.ts";
import { keepWaiting, waitingFolder } from "../src/waiting-tags.ts";
import { ADD, HARNESS, tag } from "./skills/skillbook-samples.ts";
import { applyIn } from "./support/apply-run.ts";
import { type TemporaryRepository, temporaryRepository } from "./support/temp-repository.ts";

const BRANCH = "auto-skill/skillbook";
const SLOW = { timeout: 120_000 };

async function project(): Promise<TemporaryRepository> {
  const repository = await temporaryRepository({ files: { "README.md": "# Project\n" } });
  await applyIn(repository.dir, [ADD]);
  await repository.git("merge", "--quiet", "--ff-only", BRANCH);
  await repository.git("branch", "-D", "--quiet", BRANCH);
  return repository;
}

async function waitingIn(repository: TemporaryRepository, ...refs: string[]) {
  const opened = await openRepository(repository.dir);
  const tips = await Promise.all(["main", ...refs].map((ref) => repository.git("rev-parse", ref)));
  return { waiting: await waitingMarks(opened, tips), folder: waitingFolder(opened), opened };
}

it("those in the git folder, until a change brings them", SLOW, async () => {
  await using repository = await project();
  const none = await waitingIn(repository);
  expect(none.waiting).toEqual({ marks: 0, places: [] });
  expect(waitingWords(none.waiting)).toEqual([]);
  await applyIn(repository.dir, [tag(1)]);
  const one = await waitingIn(repository);
  expect(waitingWords(one.waiting)).toEqual([
    `1 mark waits in ${one.folder}; the next change of the Skillbook brings it`,
  ]);
  await applyIn(repository.dir, [tag(1), tag(0)]);
  const { waiting, folder } = await waitingIn(repository);
  expect(waiting).toEqual({ marks: 3, places: [{ where: folder, marks: 3, batches: 2 }] });
  await applyIn(repository.dir, [HARNESS]);
  expect((await waitingIn(repository, BRANCH)).waiting).toEqual({ marks: 0, places: [] });
});

it("those on GitHub, as they were fetched last, each once", SLOW, async () => {
  await using repository = await project();
  const { opened } = await waitingIn(repository);
  const operations = [tag(1), tag(-1)] as unknown as TagOperation[];
  await keepWaiting(opened, { operations: operations.slice(0, 1) }, "both");
  const name = hashOf("both");
  const lines: string[] = [];
  for (const [at, key] of [name, "0123456789abcdef"].entries()) {
    const args = ["hash-object", "-w", "--no-filters", "--stdin"];
    const blob = await opened.git.text(args, { input: marksText({ operations }) });
    lines.push(`100644 blob ${blob}\t${at}-${key}.json\n`);
  }
  const folder = await opened.git.text(["mktree"], { input: lines.join("") });
  const tree = await opened.git.text(["mktree"], { input: `040000 tree ${folder}\tmarks\n` });
  const commit = await repository.git("commit-tree", tree, "-m", "marks");
  await repository.git("update-ref", "refs/remotes/origin/skillpr/marks", commit);
  const { waiting } = await waitingIn(repository);
  expect(waiting.marks).toBe(3);
  expect(waiting.places.map(({ where, marks }) => [where, marks])).toEqual([
    [waitingFolder(opened), 1],
    ["origin/skillpr/marks", 2],
  ]);
  expect(waitingWords(waiting)).toEqual([
    `1 mark waits in ${waitingFolder(opened)}; the next change of the Skillbook brings it`,
    "2 marks wait in origin/skillpr/marks; the next change of the Skillbook brings them",
  ]);
});

it("a file that is none is named, and hides nothing else", SLOW, async () => {
  await using repository = await project();
  const { folder } = await waitingIn(repository);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "1-broken.json"), "{");
  const { waiting } = await waitingIn(repository);
  expect(waiting).toMatchObject({ marks: 0, places: [] });
  expect(waitingWords(waiting)).toEqual([expect.stringContaining("1-broken.json holds no marks")]);
});
