/**
 * kill -9 between any two git calls: a `git` of our own on the PATH counts the calls and kills its
 * caller before (or after) the n-th. Whatever is left, the user's repository is as it was, and the
 * next run finishes the work and leaves no trace of the killed one.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reviewDemo, runCli } from "../support/built-cli.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const files = {
  "README.md": "# parcels\n",
  ".qwen/skills/mine/SKILL.md": "---\nname: mine\ndescription: Mine.\n---\n\nText\n",
};

/** @returns environment with the counting git in front; `counter` holds the number of calls so far */
function killingGit(repository: TemporaryRepository, at: number, moment: "before" | "after") {
  const bin = join(repository.home, `bin-${moment}-${at}`);
  mkdirSync(bin, { recursive: true });
  const counter = join(bin, "calls");
  const real = (process.env["PATH"] ?? "").split(":");
  const script = `#!/bin/sh
PATH='${real.join(":")}'
n=$( ( flock 9; n=$(cat '${counter}' 2>/dev/null || echo 0); echo $((n + 1)) | tee '${counter}' ) 9>'${counter}.lock' )
if [ "$n" -eq ${at} ] && [ ${moment} = before ]; then kill -9 $PPID; exit 137; fi
if [ "$n" -eq ${at} ]; then git "$@"; code=$?; kill -9 $PPID; exit $code; fi
exec git "$@"
`;
  writeFileSync(join(bin, "git"), script);
  chmodSync(join(bin, "git"), 0o755);
  return { env: { ...repository.env, PATH: `${bin}:${real.join(":")}` }, counter };
}

async function expectClean(repository: TemporaryRepository): Promise<void> {
  const worktrees = await repository.git("worktree", "list", "--porcelain");
  expect(worktrees).not.toContain("locked");
  expect(
    readdirSync(repository.tempRoot).flatMap((name) =>
      readdirSync(join(repository.tempRoot, name)),
    ),
  ).toEqual([]);
  expect(await repository.git("fsck", "--no-dangling")).toBe("");
}

describe("kill -9 at every git call of accept", () => {
  // accept does nothing between two calls, so killing after one is killing before the next.
  test("after the call", { timeout: 900_000 }, async () => {
    const moment = "after";
    let killed = 0;
    for (let at = 1; ; at++) {
      await using repository = await temporaryRepository({ files });
      const skill = (await reviewDemo(repository)).json().proposals[0]?.skill ?? "";
      const path = `.qwen/skills/${skill}/SKILL.md`;
      const { env } = killingGit(repository, at, moment);
      const first = await runCli({ ...repository, env }, ["accept", skill]);
      if (first.signal !== "SIGKILL") break;
      killed += 1;
      const second = await runCli(repository, ["accept", skill]);
      // Killed after the branch was removed, there is nothing left to accept.
      expect([0, 1], `killed ${moment} call ${at}: ${second.stderr}`).toContain(second.code);
      expect(await repository.git("diff", "--name-only", "main~1", "main")).toBe(path);
      expect(await repository.git("status", "--porcelain")).toBe("");
      expect(readFileSync(join(repository.dir, path), "utf8")).toContain("source: auto-skill");
      const rest = await repository.git("for-each-ref", "refs/heads/auto-skill/");
      expect(rest).toBe("");
    }
    expect(killed).toBeGreaterThan(8);
  });
});

describe("kill -9 at every git call", () => {
  test("a whole run makes a bounded number of git calls", async () => {
    await using repository = await temporaryRepository({ files });
    const { env, counter } = killingGit(repository, 10_000, "before");
    expect((await reviewDemo({ ...repository, env })).json().status).toBe("proposed");
    expect(Number(readFileSync(counter, "utf8"))).toBeLessThanOrEqual(45);
  });

  test.each(["before", "after"] as const)("%s the call", { timeout: 900_000 }, async (moment) => {
    let killed = 0;
    for (let at = 1; ; at++) {
      await using repository = await temporaryRepository({ files });
      const before = await repository.snapshot();
      const { env } = killingGit(repository, at, moment);
      const first = await reviewDemo({ ...repository, env });
      if (first.signal !== "SIGKILL") break;
      killed += 1;
      const left = await repository.snapshot();
      // The killed run's own worktree may still be registered; nothing else may differ.
      expect({ ...left, worktrees: before.worktrees }).toEqual(before);
      const second = await reviewDemo(repository);
      expect(second.code, `killed ${moment} call ${at}: ${second.stdout}`).toBe(0);
      // Killed between moving the branch and recording it, the second review finds nothing new to say.
      expect(["proposed", "nothing_to_save"]).toContain(second.json().status);
      const branches = (
        await repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/auto-skill/")
      ).split("\n");
      expect(branches).toHaveLength(1);
      expect(await repository.git("rev-list", "--count", `main..${branches[0]}`)).toBe("1");
      expect(await repository.snapshot()).toEqual(before);
      await expectClean(repository);
    }
    expect(killed).toBeGreaterThan(8);
  });
});
