/** The worker on the built program: what is in the queue becomes one outcome per session. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { JobView } from "../../src/cli/job-view.ts";
import { JOB_TRIES_MAX } from "../../src/core/limits.ts";
import { jobId } from "../../src/hook/queue-files.ts";
import { KEY, skillText } from "../support/auto-skill.ts";
import { DEMO_SESSION, runCli } from "../support/built-cli.ts";
import { endedSession, expectSilent, logOf } from "../support/hook-run.ts";
import {
  age,
  agentsFile,
  capture,
  leftovers,
  queueOf,
  recordOf,
  userConfig,
} from "../support/queue.ts";
import {
  calls,
  delayed,
  failing,
  type ScriptedModel,
  scriptedModel,
} from "../support/scripted-model.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const FILES = { "README.md": "# parcels\n" };
const PATH = ".qwen/skills/label-tests/SKILL.md";
const WRITE = ["write_file", { file_path: PATH, content: skillText("label-tests") }] as const;
const OTHER_SESSION = "99999999-2222-4333-8444-555555555555";

type Place = Pick<TemporaryRepository, "dir" | "home" | "env" | "tempRoot">;
const folders = ({ dir }: Pick<Place, "dir">) => queueOf(join(dir, ".git"));
const offline = (repository: Place) => userConfig(repository, "reviewer: offline\n");

function withModel(repository: Place, model: Pick<ScriptedModel, "url">, more = ""): void {
  userConfig(
    repository,
    `model:\n  name: scripted\n  base-url: ${model.url}\n  api-key: ${KEY}\n${more}`,
  );
}

interface WorkJson {
  readonly status: string;
  readonly jobs: readonly JobView[];
}

async function work(repository: Place, ...flags: string[]) {
  const result = await runCli(repository, ["work", "--json", ...flags]);
  return { ...result, report: result.json<WorkJson>() };
}

const branches = (repository: TemporaryRepository) =>
  repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/auto-skill/");

describe("a repository that git doesn't open", () => {
  test("is told in the queue's log, and the session goes on waiting", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    const { id } = capture(repository);
    // As a safe.directory that is missing, or a git that is too old, would.
    const folder = join(repository.home, "bin");
    mkdirSync(folder);
    writeFileSync(join(folder, "git"), "#!/bin/sh\necho 'fatal: not today' >&2\nexit 128\n", {
      mode: 0o755,
    });
    const { code } = await runCli(repository, ["work"], { env: { PATH: folder } });
    expect(code).not.toBe(0);
    const [entry, ...more] = readFileSync(folders(repository).log, "utf8").trim().split("\n");
    expect(more).toEqual([]);
    expect(JSON.parse(entry!)).toMatchObject({ event: "work" });
    expect(JSON.parse(entry!).message).toMatch(/git/);
    expect(recordOf(folders(repository), id)).toBeNull();
    expect((await work(repository)).report.jobs).toMatchObject([{ id, state: "done" }]);
  });
});

describe("a captured session", () => {
  test("becomes a branch and one recorded outcome; nothing else changes, and its copy goes", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    const { id } = capture(repository);
    const before = await repository.snapshot();
    const { code, report } = await work(repository);
    expect(code).toBe(0);
    const branch = await branches(repository);
    expect(report).toMatchObject({
      status: "done",
      jobs: [{ id, state: "done", tries: 1, outcome: { status: "proposed", branches: [branch] } }],
    });
    const commit = await repository.git("rev-parse", branch);
    const skill = branch.replace("auto-skill/", "");
    expect(JSON.parse(readFileSync(folders(repository).waiting, "utf8"))).toEqual({
      proposals: [{ skill, commit }],
    });
    expect(leftovers(folders(repository))).toEqual([]);
    expect(await repository.snapshot()).toEqual(before);
    expect((await work(repository)).report).toEqual({ status: "done", jobs: [] });
  });

  test("is verified with the user's own skills in view", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using model = await scriptedModel([calls(WRITE), "Done.", "Done."]);
    withModel(repository, model, "rules:\n  structure.shadow: error\n");
    const own = join(repository.home, ".qwen/skills/mine");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "SKILL.md"), skillText("label-tests"));
    capture(repository);
    const { code, report } = await work(repository);
    expect(report.jobs).toMatchObject([{ outcome: { status: "refused", branches: [] } }]);
    expect(code).toBe(2);
    expect(await branches(repository)).toBe("");
  });

  test("below the threshold is recorded as skipped", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    userConfig(repository, "reviewer: offline\nthreshold: 1000\n");
    const { id } = capture(repository);
    await work(repository);
    expect(recordOf(folders(repository), id)).toMatchObject({
      state: "done",
      outcome: { status: "skipped", skippedReason: "below_threshold", branches: [] },
    });
  });

  test("whose file the agent has removed is reviewed from its copy", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    rmSync(capture(repository).transcriptPath);
    const { report } = await work(repository);
    expect(report.jobs).toMatchObject([{ outcome: { status: "proposed" } }]);
  });

  test("that grew since is reviewed as it is now", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    const whole = readFileSync(DEMO_SESSION, "utf8");
    const begun = agentsFile(repository, "session.jsonl", whole.slice(0, whole.length / 2));
    capture(repository, { transcript: begun });
    agentsFile(repository, "session.jsonl", whole);
    const { report } = await work(repository);
    expect(report.jobs).toMatchObject([{ outcome: { status: "proposed" } }]);
    const digest = createHash("sha256").update(whole).digest("hex");
    const ledger = join(repository.dir, ".git/skillpr/reviewed");
    expect(readdirSync(ledger)).toContain(`${digest}.json`);
    expect(leftovers(folders(repository))).toEqual([]);
  });

  test("that was reviewed and went on a little is not reviewed again, and keeps what came of it", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    const { id, copy } = capture(repository);
    await work(repository);
    const branch = await branches(repository);
    const lines = readFileSync(DEMO_SESSION, "utf8").trimEnd().split("\n");
    const last = JSON.parse(lines.at(-1) ?? "");
    const more = { ...last, uuid: "one-more", parentUuid: last.uuid };
    const grown = [...lines, JSON.stringify(more)].map((line) => `${line}\n`).join("");
    capture(repository, { transcript: agentsFile(repository, "session.jsonl", grown) });
    const { report } = await work(repository);
    expect(report.jobs).toMatchObject([
      { id, state: "done", outcome: { skippedReason: "below_threshold", branches: [branch] } },
    ]);
    expect(recordOf(folders(repository), id)?.copy).not.toBe(copy);
    expect(await branches(repository)).toBe(branch);
  });

  test("that somebody reviewed by hand meanwhile has the outcome of that", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    const { id } = capture(repository);
    await runCli(repository, ["review", DEMO_SESSION]);
    await work(repository);
    expect(recordOf(folders(repository), id)).toMatchObject({
      state: "done",
      outcome: { status: "proposed", branches: [await branches(repository)] },
    });
  });

  test("that is no transcript is parked with the reason", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    capture(repository, { transcript: agentsFile(repository, "notes.txt", "just notes\n") });
    const { code, report } = await work(repository);
    expect(code).toBe(1);
    expect(report.jobs).toMatchObject([
      { state: "parked", outcome: { status: "failed", error: { code: "input" } } },
    ]);
  });

  test("captured under a clock that was years ahead is due all the same", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    const times = { capturedAt: "2999-01-01T00:00:00.000Z", due: "2999-01-01T00:10:00.000Z" };
    capture(repository, { capture: { event: "Stop", ...times } });
    expect((await work(repository)).report.jobs).toMatchObject([{ state: "done" }]);
  });

  test("that may still go on waits, unless --now", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    const due = new Date(Date.now() + 5 * 60_000).toISOString();
    const { id } = capture(repository, { capture: { event: "Stop", due } });
    expect((await work(repository)).report.jobs).toEqual([]);
    expect((await work(repository, "--now")).report.jobs).toMatchObject([{ id, state: "done" }]);
  });
});

describe("workers", () => {
  test("two that start together record one outcome", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    const { id } = capture(repository);
    const both = await Promise.all([work(repository), work(repository)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.flatMap(({ report }) => report.jobs)).toMatchObject([
      { id, state: "done", tries: 1 },
    ]);
    expect((await branches(repository)).split("\n")).toHaveLength(1);
    expect(leftovers(folders(repository))).toEqual([]);
  });

  test("one that is killed while the model thinks is followed by the next, which counts the try", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const { id } = capture(repository);
    const asked = event();
    await using model = await scriptedModel([
      () => {
        asked.resolve();
        return delayed(60_000, "Never said.");
      },
      calls(WRITE),
      "Done.",
    ]);
    withModel(repository, model);
    const { child, ended } = startWork(repository);
    await asked.promise;
    child.kill("SIGKILL");
    await ended;
    expect(recordOf(folders(repository), id)).toMatchObject({ state: "running", tries: 1 });
    await work(repository);
    expect(recordOf(folders(repository), id)).toMatchObject({
      state: "done",
      tries: 2,
      deaths: 1,
      outcome: { branches: ["auto-skill/label-tests"] },
    });
    expect(await repository.git("worktree", "list", "--porcelain")).not.toContain("locked");
    expect(leftovers(folders(repository))).toEqual([]);
  });

  test("one that is asked to end puts its job back, without counting a try", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const { id } = capture(repository);
    const asked = event();
    await using model = await scriptedModel([
      () => {
        asked.resolve();
        return delayed(60_000, "Never said.");
      },
    ]);
    withModel(repository, model);
    const { child, ended } = startWork(repository);
    await asked.promise;
    child.kill("SIGTERM");
    await ended;
    expect(recordOf(folders(repository), id)).toMatchObject({ state: "waiting", tries: 0 });
    expect(readdirSync(folders(repository).workerLock)).toEqual([]);
  });

  test("end quietly when the repository is removed meanwhile, and don't bring it back", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    capture(repository);
    await using model = await scriptedModel([
      () => {
        rmSync(repository.dir, { recursive: true });
        return "Nothing to save.";
      },
    ]);
    withModel(repository, model);
    const result = await runCli(repository, ["work", "--repo", repository.dir], {
      cwd: repository.home,
    });
    expect(result).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("repository is gone"),
    });
    expect(existsSync(repository.dir)).toBe(false);
  });

  test("take no job when the user's config is wrong, and say where", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    userConfig(repository, "worker:\n  reviews-per-day: many\n");
    const { id } = capture(repository);
    const { code, stderr } = await work(repository);
    expect([code, stderr]).toEqual([1, expect.stringContaining("config.yml")]);
    expect(recordOf(folders(repository), id)).toBeNull();
  });

  test("touch nothing where a link has taken a folder's place, and say which", async () => {
    await using repository = await temporaryRepository({ files: { "a.txt": "a\n" } });
    capture(repository);
    const folders = queueOf(join(repository.dir, ".git"));
    const documents = join(repository.home, "documents");
    renameSync(folders.transcripts, documents);
    symlinkSync(documents, folders.transcripts);
    const own = agentsFile(repository, "documents/thesis.txt", "mine\n");
    age(own, 7 * 24 * 3600);
    const before = readdirSync(documents);
    const worked = await runCli(repository, ["work", "--now"]);
    expect(worked).toMatchObject({ code: 1, stdout: "" });
    expect(worked.stderr).toContain(`${folders.transcripts} is no folder`);
    expect(readdirSync(documents)).toEqual(before);
    expect((await runCli(repository, ["status"])).stdout).toContain("is no folder");
  });

  test("stop at the day's cap, and the rest waits for the next day", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    userConfig(repository, "reviewer: offline\nworker:\n  reviews-per-day: 1\n");
    capture(repository);
    capture(repository, { capture: { sessionId: OTHER_SESSION } });
    expect((await work(repository, "--now")).report.jobs).toHaveLength(1);
    expect((await work(repository, "--now")).report.jobs).toHaveLength(0);
    const status = await runCli(repository, ["status"]);
    expect(status.stdout).toContain("1 of 1 reviews");
    expect(status.stdout).toContain("used up");
  });
});

describe("a model that is down", () => {
  const longTime = { timeout: 300_000 };
  test(
    "is asked again in later runs, the job is parked in the end, and a retry brings it home",
    longTime,
    async () => {
      await using repository = await temporaryRepository({ files: FILES });
      const { id } = capture(repository);
      const down = Array.from({ length: JOB_TRIES_MAX }, () => failing(401, "no such key"));
      await using model = await scriptedModel([...down, calls(WRITE), "Done."]);
      withModel(repository, model);
      for (let tries = 1; tries <= JOB_TRIES_MAX; tries++) {
        const { code, report } = await work(repository, "--now");
        expect(code).toBe(3);
        const state = tries < JOB_TRIES_MAX ? "queued" : "parked";
        expect(report.jobs).toMatchObject([
          { id, state, tries, outcome: { status: "failed", error: { code: "model" } } },
        ]);
      }
      // Parked is parked, whoever comes.
      expect((await work(repository, "--now")).report.jobs).toEqual([]);
      const status = await runCli(repository, ["status"]);
      expect(status.stdout).toContain("skillpr retry");
      expect(status.stdout).toContain("no such key");
      expect((await runCli(repository, ["retry", id.slice(0, 6)])).code).toBe(0);
      expect((await work(repository)).report.jobs).toMatchObject([
        { id, state: "done", tries: 1, outcome: { branches: ["auto-skill/label-tests"] } },
      ]);
      expect(model.left()).toBe(0);
      expect(leftovers(folders(repository))).toEqual([]);
    },
  );
});

describe("where the session worked", () => {
  async function expectProposal(repository: TemporaryRepository, gitDir: string, cwd: string) {
    offline(repository);
    const { id } = capture(repository, { gitDir, capture: { cwd } });
    const result = await runCli(repository, ["work", "--repo", cwd, "--json"], {
      cwd: repository.home,
    });
    expect(result.json<WorkJson>().jobs, result.stderr).toMatchObject([
      { id, state: "done", outcome: { status: "proposed" } },
    ]);
    expect(leftovers(queueOf(gitDir))).toEqual([]);
    const listed = ["for-each-ref", "--format=%(refname)", "refs/heads/auto-skill/"];
    expect(await repository.gitIn(cwd, ...listed)).toMatch(/^refs\/heads\/auto-skill\/\S+$/);
    expect(await repository.gitIn(cwd, "status", "--porcelain")).toBe("");
  }

  test.each(["with space", "quo'te\"s", "ünï-文字-🙂", "$HOME;`x`", "-dash"])(
    "a repository called %j",
    async (name) => {
      await using repository = await temporaryRepository({ name, files: FILES });
      await expectProposal(repository, join(repository.dir, ".git"), repository.dir);
    },
  );

  test.each(["line\nbreak", "\nat both ends\n"])(
    "a repository called %j: from the hook to the accepted skill",
    async (name) => {
      await using repository = await temporaryRepository({ name, files: FILES });
      offline(repository);
      const session = endedSession(repository, "s-1", readFileSync(DEMO_SESSION, "utf8"));
      await expectSilent(repository, session, { env: { SKILLPR_WORKER: "on" } });
      const gitDir = join(repository.dir, ".git");
      const id = jobId("s-1", "");
      const record = () => recordOf(queueOf(gitDir), id);
      await expect
        .poll(record, { timeout: 60_000, interval: 200 })
        .toMatchObject({ state: "done", outcome: { status: "proposed" } });
      expect(logOf(repository)).toEqual([]);
      const skill = (await branches(repository)).replace("auto-skill/", "");
      const accepted = await runCli(repository, ["accept", skill]);
      expect(accepted).toMatchObject({ code: 0, stderr: "" });
      expect(existsSync(join(repository.dir, ".qwen/skills", skill, "SKILL.md"))).toBe(true);
      expect(await branches(repository)).toBe("");
      expect(await repository.git("status", "--porcelain")).toBe("");
      const workTrees = await repository.git("worktree", "list", "--porcelain", "-z");
      expect(workTrees.split("\0\0").filter((entry) => entry !== "")).toHaveLength(1);
      expect(leftovers(queueOf(gitDir))).toEqual([]);
    },
  );

  test("a linked work tree, with a config of its own", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const linked = join(repository.home, "a linked 'tree'");
    await repository.git("worktree", "add", "--quiet", "-b", "side", linked);
    writeFileSync(join(linked, ".skillpr.yml"), "threshold: 500\n");
    offline(repository);
    const gitDir = join(repository.dir, ".git");
    const { id } = capture(repository, { capture: { cwd: linked } });
    await work(repository);
    expect(recordOf(queueOf(gitDir), id)?.outcome?.skippedReason).toBe("below_threshold");
    rmSync(join(linked, ".skillpr.yml"));
    rmSync(join(queueOf(gitDir).records, `${id}.json`));
    await expectProposal(repository, gitDir, linked);
  });

  test("a linked work tree that is gone", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    const { id } = capture(repository, { capture: { cwd: join(repository.home, "gone") } });
    expect((await work(repository)).report.jobs).toMatchObject([{ id, state: "done" }]);
  });

  test("a submodule", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using library = await temporaryRepository({ files: FILES, name: "library" });
    const allow = ["-c", "protocol.file.allow=always"];
    await repository.git(...allow, "submodule", "--quiet", "add", library.dir, "lib");
    await expectProposal(
      repository,
      join(repository.dir, ".git/modules/lib"),
      join(repository.dir, "lib"),
    );
    expect(existsSync(join(repository.dir, ".git/skillpr"))).toBe(false);
  });

  test("a bare repository with its work trees beside it", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const project = join(repository.home, "project");
    mkdirSync(project);
    await repository.git("clone", "--quiet", "--bare", repository.dir, join(project, ".bare"));
    writeFileSync(join(project, ".git"), "gitdir: ./.bare\n");
    await repository.gitIn(project, "worktree", "add", "--quiet", "main");
    await expectProposal(repository, join(project, ".bare"), join(project, "main"));
  });

  test("a repository that was moved since", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    offline(repository);
    const { id } = capture(repository);
    const moved = join(repository.home, "moved");
    renameSync(repository.dir, moved);
    const { report } = await work({ ...repository, dir: moved });
    expect(report.jobs).toMatchObject([{ id, state: "done", outcome: { status: "proposed" } }]);
  });
});

/** Something that will have happened. */
function event(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** A worker that the test can send signals to. */
function startWork(repository: Place) {
  const cli = resolve(import.meta.dirname, "../../dist/cli.js");
  const env = { ...repository.env, TMPDIR: repository.tempRoot, CI: "" };
  const child = spawn(process.execPath, [cli, "work"], {
    cwd: repository.dir,
    env,
    stdio: "ignore",
  });
  return { child, ended: new Promise((done) => child.on("close", done)) };
}
