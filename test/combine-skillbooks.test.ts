/** Two jobs that reflected on two sessions at the same time: what both learned is published. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEFAULT_RULE_LEVELS } from "../src/core/rule-levels.ts";
import { openRepository } from "../src/git/repository.ts";
import { publishArtifacts } from "../src/publish-artifacts.ts";
import type { Skillbook } from "../src/skills/skillbook.ts";
import { readTemplate } from "../src/templates.ts";
import { ADD, ID, tag } from "./skills/skillbook-samples.ts";
import { applyIn } from "./support/apply-run.ts";
import { temporaryRepository } from "./support/temp-repository.ts";

const FILE = ".qwen/skills/skillbook/skillbook.json";
const BRANCH = "auto-skill/skillbook";
const other = (issue: string) => ({ ...ADD, issue });

it("parallel Skillbook proposals are one, ids given again, marks added, both sessions told", {
  timeout: 300_000,
}, async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "# Project\n" } });
  const { dir } = repository;
  await applyIn(dir, [ADD]);
  await repository.git("merge", "--quiet", "--ff-only", BRANCH);
  await repository.git("branch", "-D", "--quiet", BRANCH);
  const jobs = mkdtempSync(join(repository.tempRoot, "jobs-"));
  for (const name of ["one", "two"]) {
    const outDir = join(jobs, name);
    mkdirSync(outDir);
    await applyIn(dir, [other(`From ${name}.`), tag(1)], { outDir });
  }
  const opened = await openRepository(dir);
  const config = {
    base: "main",
    publish: "branch",
    rules: DEFAULT_RULE_LEVELS,
    skillsRoot: ".qwen/skills",
  } as const;
  const options = { messageTemplate: readTemplate("commit-message.txt"), otherName: "x.txt" };
  const result = await publishArtifacts({ repository: opened, config }, jobs, options);
  expect(result).toMatchObject({ conflicts: [], unusable: [], joined: [{}] });
  expect(result.published.map(({ outcome }) => outcome.status)).toEqual(["proposed"]);
  const book: Skillbook = JSON.parse(await repository.git("show", `${BRANCH}:${FILE}`));
  const said = Object.values(book.skills).map(({ id, issue }) => `${id} ${issue}`);
  expect(said.toSorted()).toEqual([
    `${ID} ${ADD.issue}`,
    expect.stringMatching(/^context-00002 From (?:one|two)\.$/),
    expect.stringMatching(/^context-00003 From (?:one|two)\.$/),
  ]);
  expect(book.skills[ID]).toMatchObject({ helpful_count: 2 });
  const message = await repository.git("log", "-1", "--format=%B", BRANCH);
  expect(message).toMatch(/^skillbook: 2 ADD, 2 TAG\n/);
  expect(message.match(/^Skillpr-Digest: /gm)).toHaveLength(2);
});
