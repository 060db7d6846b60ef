/**
 * kill -9 of the worker before each call that writes, renames, removes, makes a folder or starts
 * git: a sweep. Whatever is left, one more run records exactly one outcome, and leaves nothing of
 * the killed one; the user's repository is as it was.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/built-cli.ts";
import { age, capture, leftovers, queueOf, recordOf, userConfig } from "../support/queue.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const KILL_AT = resolve(import.meta.dirname, "../support/kill-at.cjs");
const files = {
  "README.md": "# parcels\n",
  ".qwen/skills/mine/SKILL.md": "---\nname: mine\ndescription: Mine.\n---\n\nText\n",
};

function killedAt(at: number, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--require ${JSON.stringify(KILL_AT)}`, KILL_AT: String(at), ...more };
}

async function queuedSession(): Promise<{ repository: TemporaryRepository; id: string }> {
  const repository = await temporaryRepository({ files });
  userConfig(repository, "reviewer: offline\n");
  const { id } = capture(repository);
  return { repository, id };
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" });
}

/** What a process left that ended just now may belong to one that can't be seen: time passes. */
function letTimePass(gitDir: string, tempRoot: string): void {
  for (const name of filesBelow(tempRoot)) age(join(tempRoot, name), 120);
  for (const name of filesBelow(join(gitDir, "skillpr")))
    if (name.endsWith(".tmp")) age(join(gitDir, "skillpr", name), 60);
}

async function expectOneOutcome(repository: TemporaryRepository, id: string): Promise<void> {
  const gitDir = join(repository.dir, ".git");
  const folders = queueOf(gitDir);
  expect(readdirSync(folders.records)).toEqual([`${id}.json`]);
  const record = recordOf(folders, id);
  expect(record?.state).toBe("done");
  // Killed between moving the branch and recording it, the second review finds nothing new to say.
  expect(["proposed", "nothing_to_save"]).toContain(record?.outcome?.status);
  const format = "--format=%(refname:short) %(objectname)";
  const refs = await repository.git("for-each-ref", format, "refs/heads/auto-skill/");
  const [branch = "", commit = ""] = refs.split(" ");
  expect(refs.split("\n")).toHaveLength(1);
  expect(await repository.git("rev-list", "--count", `main..${branch}`)).toBe("1");
  const waiting = JSON.parse(readFileSync(folders.waiting, "utf8"));
  expect(waiting).toEqual({ proposals: [{ skill: branch.replace("auto-skill/", ""), commit }] });
  expect(leftovers(folders)).toEqual([]);
  expect(filesBelow(gitDir).filter((name) => /\.(?:lock|tmp)$/.test(name))).toEqual([]);
  expect(await repository.git("worktree", "list", "--porcelain")).not.toContain("locked");
  const temporary = readdirSync(repository.tempRoot);
  expect(temporary.flatMap((name) => readdirSync(join(repository.tempRoot, name)))).toEqual([]);
  expect(await repository.git("fsck", "--no-dangling")).toBe("");
}

/** One kill. @returns false when the run outlived it: it has fewer calls than that */
async function killOnce(at: number): Promise<boolean> {
  const { repository, id } = await queuedSession();
  await using _ = repository;
  const before = await repository.snapshot();
  const killed = await runCli(repository, ["work"], { env: killedAt(at) });
  if (killed.signal !== "SIGKILL") {
    expect(killed.code, killed.stderr).toBe(0);
    return false;
  }
  const left = await repository.snapshot();
  // The killed run's own worktree may still be registered; nothing else may differ.
  expect({ ...left, worktrees: before.worktrees }, `killed at ${at}`).toEqual(before);
  letTimePass(join(repository.dir, ".git"), repository.tempRoot);
  const second = await runCli(repository, ["work"]);
  expect(second.code, `killed at ${at}: ${second.stdout}${second.stderr}`).toBe(0);
  await expectOneOutcome(repository, id).catch((error: unknown) => {
    throw new Error(`after a kill at ${at}`, { cause: error });
  });
  expect(await repository.snapshot(), `killed at ${at}`).toEqual(before);
  return true;
}

const LANES = 3;

describe("kill -9 at every step of the worker", () => {
  test("the steps of a whole run are counted", async () => {
    const { repository, id } = await queuedSession();
    await using _ = repository;
    const counted = join(repository.home, "calls");
    const env = killedAt(0, { KILL_COUNT: counted });
    expect((await runCli(repository, ["work"], { env })).code).toBe(0);
    await expectOneOutcome(repository, id);
    expect(Number(readFileSync(counted, "utf8"))).toBeGreaterThan(50);
  });

  test.concurrent.each(Array.from({ length: LANES }, (_, lane) => lane + 1))(
    "every third, from %i on",
    { timeout: 3_600_000 },
    async (first) => {
      let at = first;
      while (await killOnce(at)) at += LANES;
      expect(at).toBeGreaterThan(50);
    },
  );
});
