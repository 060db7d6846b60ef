/** `skillpr status` and `skillpr retry` on the built program. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/built-cli.ts";
import { agentsFile, capture, queueOf, type StatusJson, userConfig } from "../support/queue.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const FILES = { "README.md": "# parcels\n" };
const folders = ({ dir }: Pick<TemporaryRepository, "dir">) => queueOf(join(dir, ".git"));

async function statusOf(repository: TemporaryRepository) {
  const result = await runCli(repository, ["status", "--json"]);
  expect(result.code, result.stderr).toBe(0);
  return result.json<StatusJson>();
}

/** A job that failed for its input, so that it is parked. */
async function parkedJob(repository: TemporaryRepository, name: string): Promise<string> {
  const transcript = agentsFile(repository, `${name}.txt`, "just notes\n");
  const { id } = capture(repository, { transcript, capture: { sessionId: name } });
  await runCli(repository, ["work"]);
  return id;
}

describe("status", () => {
  test("says so when nothing was captured, and makes nothing", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    expect((await runCli(repository, ["status"])).stdout).toContain("No session was captured");
    expect(await statusOf(repository)).toMatchObject({ jobs: [], today: { reviews: 0 } });
    expect(readdirSync(join(repository.dir, ".git"))).not.toContain("skillpr");
  });

  test("has one row per session: what it is, how it stands, what came of it", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    userConfig(repository, "reviewer: offline\n");
    const { id, capturedAt } = capture(repository);
    await runCli(repository, ["work"]);
    const due = new Date(Date.now() + 5 * 60_000).toISOString();
    const waiting = capture(repository, { capture: { sessionId: "s-2", event: "Stop", due } });
    const { stdout } = await runCli(repository, ["status"]);
    const [head, first, second] = stdout.split("\n");
    expect(head?.split(/ {2,}/)).toEqual([
      "job",
      "agent",
      "session",
      "age",
      "state",
      "outcome",
      "proposal",
    ]);
    expect(first).toMatch(new RegExp(`^${waiting.id} +qwen-code +s-2 +now +queued, in 5 min$`));
    expect(second).toMatch(new RegExp(`^${id} +qwen-code .+ done +proposed +auto-skill/\\S+$`));
    expect(stdout).toContain(`1 job waits, the first until ${due}`);
    expect(stdout).toContain("skillpr work --now");
    expect((await statusOf(repository)).jobs).toEqual([
      {
        id: waiting.id,
        sessionId: "s-2",
        agent: "qwen-code",
        state: "queued",
        due,
        tries: 0,
        capturedAt: waiting.capturedAt,
        outcome: null,
      },
      {
        id,
        sessionId: "11111111-2222-4333-8444-555555555555",
        agent: "qwen-code",
        state: "done",
        due: null,
        tries: 1,
        capturedAt,
        outcome: expect.objectContaining({ status: "proposed" }),
      },
    ]);
  });

  test("prints nothing that a terminal would obey", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const evil = { sessionId: "\u001b[2J\u202e", agent: "x\u0007\n", cwd: "\u001b]0;a\u0007" };
    capture(repository, { capture: evil });
    writeFileSync(
      folders(repository).log,
      `${JSON.stringify({ time: new Date().toISOString(), event: "Stop\u001b[1m", message: "\u001b[31mred\r", repository: null })}\n`,
    );
    for (const flags of [[], ["--json"]]) {
      const { stdout } = await runCli(repository, ["status", ...flags]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(stdout).toContain("red");
    }
  });

  test("tells what went wrong where nobody could be told, and which files are damaged", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const { id } = capture(repository);
    writeFileSync(join(folders(repository).captured, `${id}.json`), "{");
    const before = await runCli(repository, ["status"]);
    expect(before.stdout).toContain(`damaged: captured/${id}.json`);
    expect((await runCli(repository, ["work"])).code).toBe(0);
    const after = await runCli(repository, ["status"]);
    expect(after.stdout).not.toContain("damaged: ");
    expect(after.stdout).toMatch(/problem .+ work: a capture was damaged .+skillpr review /);
  });

  test("shows the first of ten thousand jobs, and all of them as JSON", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const { captured } = folders(repository);
    const first = capture(repository);
    for (let n = 1; n < 10_000; n++) {
      const id = createHash("sha256").update(String(n)).digest("hex").slice(0, 16);
      const job = { ...first, id, sessionId: `session-${n}`, copy: `${id}-aaaa` };
      writeFileSync(join(captured, `${id}.json`), JSON.stringify(job));
    }
    const startedAt = performance.now();
    const { stdout } = await runCli(repository, ["status"]);
    // Half a second on a quiet machine (`npm run bench:status`); the rest is for a busy one.
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(stdout).toContain("and 9950 more jobs; --json has all");
    expect(stdout).toContain("10000 jobs are due");
    expect((await statusOf(repository)).jobs).toHaveLength(10_000);
  });

  test("follows what a hook's own worker does", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    userConfig(repository, "reviewer: offline\n");
    const payload = {
      session_id: "s-hook",
      transcript_path: agentsFile(repository),
      cwd: repository.dir,
      hook_event_name: "SessionEnd",
      timestamp: new Date().toISOString(),
    };
    const hook = await runCli(repository, ["hook"], { input: JSON.stringify(payload) });
    expect(hook).toMatchObject({ code: 0, stdout: "", stderr: "" });
    for (;;) {
      const [job] = (await statusOf(repository)).jobs;
      expect(job?.sessionId).toBe("s-hook");
      expect(["queued", "running", "done"]).toContain(job?.state);
      if (job?.state === "done") break;
      await pause(200);
    }
    const proposed = ["for-each-ref", "--format=%(refname)", "refs/heads/auto-skill/"];
    expect(await repository.git(...proposed)).toMatch(/^\S+$/);
    // Its worker ends by itself.
    while (readdirSync(folders(repository).workerLock).length > 0) await pause(100);
  });
});

describe("status --watch", () => {
  test("shows it again when it changes, and ends with Ctrl-C", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const { id } = capture(repository);
    const cli = resolve(import.meta.dirname, "../../dist/cli.js");
    const child = spawn(process.execPath, [cli, "status", "--watch"], {
      cwd: repository.dir,
      env: { ...repository.env, CI: "1" },
    });
    let shown = "";
    child.stdout.on("data", (chunk) => {
      shown += chunk;
    });
    const ended = new Promise((done) => child.on("close", (code, signal) => done([code, signal])));
    while (!shown.includes(id)) await pause(20);
    const second = capture(repository, { capture: { sessionId: "s-2" } });
    while (!shown.includes(second.id)) await pause(20);
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
    // Into a pipe: twice, not once every two seconds, and no escapes.
    expect(shown.match(/^job /gm)).toHaveLength(2);
    expect(shown).not.toContain("\u001b");
  });

  test("and --json together are refused", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const result = await runCli(repository, ["status", "--watch", "--json"]);
    expect(result).toMatchObject({ code: 1 });
    expect(result.json<{ error: unknown }>().error).toMatchObject({ code: "usage" });
  });
});

describe("retry", () => {
  test("by id, its beginning, the session's id, or --all puts parked jobs back", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const id = await parkedJob(repository, "first-session");
    const stateNow = async () => (await statusOf(repository)).jobs.map(({ state }) => state);
    for (const named of [id, id.slice(0, 4), "first-session", "--all"]) {
      expect(await stateNow()).toEqual(["parked"]);
      const result = await runCli(repository, ["retry", named, "--json"]);
      expect(result.json()).toEqual({ retried: [id] });
      expect(await stateNow()).toEqual(["queued"]);
      // Twice is once.
      expect((await runCli(repository, ["retry", id])).code).toBe(0);
      await runCli(repository, ["work"]);
    }
    expect(readdirSync(folders(repository).retries)).toEqual([]);
  });

  test("says what is wrong with the name", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const parked = await parkedJob(repository, "first-session");
    userConfig(repository, "reviewer: offline\nthreshold: 1000\n");
    const done = capture(repository);
    await runCli(repository, ["work"]);
    mkdirSync(folders(repository).retries, { recursive: true });
    const words = {
      "": "no job was named",
      nobody: 'there is no job "nobody" here',
      "../../etc": 'there is no job "../../etc" here',
      [done.id]: "is done (skipped)",
    };
    for (const [named, message] of Object.entries(words)) {
      const result = await runCli(repository, ["retry", ...(named === "" ? [] : [named])]);
      expect(result.code).toBe(1);
      expect(result.stderr).toContain(message);
    }
    expect((await runCli(repository, ["retry", "nobody"])).stderr).toContain(parked);
    expect(readdirSync(folders(repository).retries)).toEqual([]);
  });

  test("has nothing to do where nothing is parked", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    const result = await runCli(repository, ["retry", "--all"]);
    expect(result).toMatchObject({ code: 0, stdout: "No job is parked here.\n" });
  });
});
