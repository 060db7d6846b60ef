/** The worker and the commands around it on disks that are full or read-only, and without the agent's own temporary folder. */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEMO_SESSION, runCli } from "../support/built-cli.ts";
import { endedSession, expectSilent, logOf } from "../support/hook-run.ts";
import { mountTmpfs } from "../support/mount-tmpfs.ts";
import { capture, leftovers, queueOf, recordOf, userConfig } from "../support/queue.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const files = { "README.md": "# parcels\n" };
const folders = ({ dir }: Pick<TemporaryRepository, "dir">) => queueOf(join(dir, ".git"));

/** Takes all the room but so many KiB. */
function fill(folder: string, left: number): void {
  const file = join(folder, "fill");
  rmSync(file, { force: true });
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(bavail * bsize - left * 1024, 1));
}

test("a full temporary folder: the job waits for another try, and nothing is left", async (context) => {
  await using repository = await temporaryRepository({ files });
  const temporary = join(repository.home, "small");
  using disk = mountTmpfs(temporary, "size=1m");
  if (disk === null) return context.skip();
  userConfig(repository, "reviewer: offline\n");
  const { id } = capture(repository);
  const before = await repository.snapshot();
  for (const [index, left] of [0, 8, 16, 32].entries()) {
    fill(temporary, left);
    await runCli(repository, ["work", "--now"], { env: { TMPDIR: temporary } });
    expect(recordOf(folders(repository), id)).toMatchObject({ state: "waiting", tries: index + 1 });
    expect(await repository.snapshot()).toEqual(before);
    const entries = readdirSync(temporary, { recursive: true, encoding: "utf8" });
    expect(entries.filter((name) => !/^(?:fill|skillpr-\w+)$/.test(name))).toEqual([]);
  }
  rmSync(join(temporary, "fill"));
  await runCli(repository, ["work", "--now"], { env: { TMPDIR: temporary } });
  const outcome = { status: "proposed" };
  expect(recordOf(folders(repository), id)).toMatchObject({ state: "done", outcome });
  expect(await repository.snapshot()).toEqual(before);
});

test("a full git folder: no outcome is lost, and what was written in part is gone", async (context) => {
  await using repository = await temporaryRepository({ files });
  const small = join(repository.home, "small");
  using disk = mountTmpfs(small, "size=2m");
  if (disk === null) return context.skip();
  userConfig(repository, "reviewer: offline\n");
  const gitDir = join(small, "git");
  execFileSync("cp", ["-a", join(repository.dir, ".git"), gitDir]);
  rmSync(join(repository.dir, ".git"), { recursive: true });
  writeFileSync(join(repository.dir, ".git"), `gitdir: ${gitDir}\n`);
  const { id } = capture(repository, { gitDir });
  const heads = ["for-each-ref"];
  const before = await repository.git(...heads);
  for (const left of [0, 8, 16, 24]) {
    fill(small, left);
    await runCli(repository, ["work", "--now"]);
    // Where not even the outcome could be written, the next worker takes it up.
    expect(recordOf(queueOf(gitDir), id)?.state ?? "waiting").toMatch(/^(?:waiting|running)$/);
    const names = readdirSync(gitDir, { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => /\.(?:tmp|lock)$/.test(name))).toEqual([]);
    expect(await repository.git(...heads)).toBe(before);
  }
  rmSync(join(small, "fill"));
  expect((await runCli(repository, ["work", "--now"])).code).toBe(0);
  const outcome = { status: "proposed" };
  expect(recordOf(queueOf(gitDir), id)).toMatchObject({ state: "done", outcome });
  expect(leftovers(queueOf(gitDir)).filter((name) => name !== "log.jsonl")).toEqual([]);
  expect(await repository.git("fsck", "--no-dangling")).toBe("");
});

test("a read-only git folder: said by each command, readable by status, and worked off later", async (context) => {
  await using repository = await temporaryRepository({ files });
  const dir = join(repository.home, "fixed", "repository");
  using disk = mountTmpfs(join(repository.home, "fixed"), "size=8m");
  if (disk === null) return context.skip();
  const remount = (how: string) =>
    execFileSync("mount", ["-o", `remount,${how}`, join(repository.home, "fixed")]);
  await repository.gitIn(repository.home, "clone", "--quiet", repository.dir, dir);
  const place = { ...repository, dir };
  userConfig(repository, "reviewer: offline\n");
  const session = endedSession(place, "s-1");
  copyFileSync(DEMO_SESSION, session.transcript_path ?? "");
  await expectSilent(place, session);
  remount("ro");
  const work = await runCli(place, ["work"]);
  expect([work.code, work.stderr]).toEqual([1, expect.stringContaining("EROFS")]);
  expect(logOf(place)).toMatchObject([{ event: "work", message: expect.stringMatching("EROFS") }]);
  const status = await runCli(place, ["status"]);
  expect([status.code, status.stdout]).toEqual([0, expect.stringMatching(/queued[\s\S]*EROFS/)]);
  const install = await runCli(place, ["install"]);
  expect([install.code, install.stderr]).toEqual([1, expect.stringContaining("EROFS")]);
  remount("rw");
  expect((await runCli(place, ["work"])).code).toBe(0);
  expect(readdirSync(folders(place).records)).toHaveLength(1);
});

test("a temporary folder that went with the agent: the system's is used", async () => {
  await using repository = await temporaryRepository({ files });
  userConfig(repository, "reviewer: offline\n");
  const { id } = capture(repository);
  const gone = join(repository.home, "gone");
  mkdirSync(gone);
  rmSync(gone, { recursive: true });
  const { code } = await runCli(repository, ["work"], { env: { TMPDIR: gone } });
  expect([code, existsSync(gone)]).toEqual([0, false]);
  expect(recordOf(folders(repository), id)?.state).toBe("done");
});
