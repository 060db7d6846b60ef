import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SkillbookOutcome } from "../../src/skillbook-outcome.ts";
import { ADD, HARNESS, ID, tag } from "../skills/skillbook-samples.ts";
import { type CliResult, runCli } from "../support/built-cli.ts";
import { githubAsOrigin } from "../support/github-origin.ts";
import { FULL_NAME, failure, type GithubServer } from "../support/github-server.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const BRANCH = "auto-skill/skillbook";
const from = (trace: string) => ({
  insight_source: { trace_uid: `qwen-code:${trace}`, trace_id: trace, display_name: trace },
});

type Clone = Pick<TemporaryRepository, "dir" | "env" | "tempRoot">;

interface Place extends AsyncDisposable {
  readonly local: TemporaryRepository;
  readonly github: GithubServer;
}

async function world(): Promise<Place> {
  const local = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
  const github = await githubAsOrigin(local);
  return {
    local,
    github,
    [Symbol.asyncDispose]: async () => {
      await github[Symbol.asyncDispose]();
      await local[Symbol.asyncDispose]();
    },
  };
}

function run(
  clone: Clone,
  github: GithubServer,
  operations: readonly object[],
  ...flags: string[]
) {
  const input = JSON.stringify({ reasoning: "Seen twice.", operations });
  const args = ["apply", "-", "--json", "--publish", "pr", ...flags];
  return runCli(clone, args, { input, env: { ...github.env } });
}

async function apply(
  clone: Clone,
  github: GithubServer,
  operations: readonly object[],
): Promise<SkillbookOutcome> {
  const result: CliResult = await run(clone, github, operations);
  expect(result.code, result.stderr + result.stdout).toBe(0);
  return result.json<SkillbookOutcome>();
}

const pullOf = ({ proposals }: SkillbookOutcome) =>
  proposals.find(({ skill }) => skill === "skillbook")?.pullRequest;

describe("one rolling pull request", { timeout: 300_000 }, () => {
  it("says the operations in words with their traces, goes on, and warns of what harms", async () => {
    await using place = await world();
    const { local, github } = place;
    const before = await local.snapshot();
    const first = await apply(local, github, [
      { ...ADD, ...from("s1"), reason: "Two totals were off (t4)." },
      HARNESS,
    ]);
    expect(pullOf(first)).toMatchObject({ number: 1, operation: "created" });
    const [page] = await github.pulls();
    expect(page?.title).toBe("skill: add skillbook");
    expect(page?.body).toContain("Adds the project's Skillbook: 2 ADD");
    expect(page?.body).toContain(
      `- **ADD** \`${ID}\`: ${ADD.issue} → ${ADD.insight} Because: Two totals were off (t4). (seen in s1)`,
    );
    expect(page?.body).toContain(`| \`${ID}\` | 0 / 0 / 0 | \`qwen-code:s1\` |`);
    expect(page?.body).not.toContain("Harms more than it helps");
    const marks = [tag(-1), { ...tag(-1), ...from("s2") }];
    const second = await apply(local, github, marks);
    expect(pullOf(second)).toMatchObject({ number: 1, operation: "updated" });
    const [now] = await github.pulls();
    expect(now?.body).toContain("### Harms more than it helps");
    expect(now?.body).toContain(`- \`${ID}\` harmed 2 times and helped 0 times`);
    expect(now?.body).toMatch(/### New since this was opened\n\n- \*\*TAG\*\* .*harmed, 2 times/);
    // What was said of what is older stays, wherever this is made.
    expect(now?.body).toContain("Because: Two totals were off (t4).");
    expect(now?.body).toContain(`| \`${ID}\` | 0 / 2 / 0 | \`qwen-code:s1\`, \`qwen-code:s2\` |`);
    const message = github.git.git(FULL_NAME, ["log", "-1", "--format=%B", BRANCH]);
    expect(message).toMatch(/^skillbook: 2 TAG\n/);
    expect(message).toContain(`Skillpr-Operation: TAG ${ID} from qwen-code:s2`);
    expect(await github.pulls("all")).toHaveLength(1);
    expect(await local.snapshot()).toEqual(before);
    const shown = await runCli(local, ["show", "skillbook"]);
    expect(shown.stdout).toContain(`ADD ${ID}: ${ADD.issue}`);
    expect(shown.stdout).toContain("harmed 2 times and helped 0 times");
    expect(shown.stdout).toContain("/pull/1");
  });

  it("a fresh clone says why each mark was given, and what was said before", async () => {
    await using place = await world();
    const { local, github } = place;
    await apply(local, github, [{ ...ADD, reason: "Two totals were off." }]);
    await github.mergePull(1);
    const cloneOf = async (name: string): Promise<Clone> => {
      const dir = join(local.home, name);
      await local.gitIn(local.home, "clone", "--quiet", github.git.bare(FULL_NAME), dir);
      await local.gitIn(dir, "remote", "set-url", "origin", `${github.git.url}/${FULL_NAME}.git`);
      return { ...local, dir };
    };
    const said = { ...tag(1), reason: "Totals were right at once.", ...from("s3") };
    const waits = await run(await cloneOf("one"), github, [said]);
    expect(waits.json()).toMatchObject({ status: "nothing_to_save", waiting: 1 });
    const update = { type: "UPDATE", skill_id: ID, issue: "Better.", reason: "It was vague." };
    await apply(await cloneOf("two"), github, [update]);
    await apply(await cloneOf("three"), github, [{ ...tag(-1), reason: "It was slow." }]);
    const [page] = await github.pulls("open");
    for (const words of [
      /UPDATE\*\* .*Because: It was vague\./,
      /TAG\*\* .*it helped\..*Because: Totals were right at once\. \(seen in s3\)/,
      /TAG\*\* .*it harmed\..*Because: It was slow\./,
    ])
      expect(page?.body).toMatch(words);
  });

  it("GitHub fails: the next run with nothing but marks opens what was left", async () => {
    await using place = await world();
    const { local, github } = place;
    const words = failure(403, "Resource not accessible by integration");
    github.faults.push(({ method }) => (method === "POST" ? words : null));
    const failed = await run(local, github, [ADD]);
    expect(failed.code).toBe(3);
    expect(failed.json()).toMatchObject({ status: "proposed", error: { code: "github" } });
    github.faults.length = 0;
    expect(pullOf(await apply(local, github, [tag(0)]))).toMatchObject({ operation: "created" });
  });
});
