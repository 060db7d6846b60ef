import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { JOB_DEATHS_MAX, JOB_TRIES_MAX } from "../../src/core/limits.ts";
import { acquireLock } from "../../src/git/process-lock.ts";
import { DEFAULT_POLICY, retryPauseMs } from "../../src/hook/due.ts";
import { type JobOutcome, type JobRecord, writeRecord } from "../../src/hook/job-record.ts";
import { type Capture, type QueueFolders, queueFolders } from "../../src/hook/queue-files.ts";
import { type ReviewAnswer, runWorker, type WorkerOptions } from "../../src/hook/worker.ts";
import { ID, iso, MINUTE, NOON, sampleCapture, sampleRecord } from "./queue-samples.ts";

let home: string;
let folders: QueueFolders;
let nowMs: number;
let reviewed: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skillpr-worker-"));
  folders = queueFolders(join(home, "skillpr"));
  nowMs = NOON;
  reviewed = [];
  for (const dir of [folders.captured, folders.transcripts, folders.records, folders.retries])
    mkdirSync(dir, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A captured session with its copy; `name` is its only digit. */
function queue(name: string, more: Partial<Capture> = {}): string {
  const id = name.repeat(16);
  const capture = sampleCapture({ id, sessionId: `session-${name}`, copy: `${id}-aaaa`, ...more });
  writeFileSync(join(folders.transcripts, capture.copy), `session ${name}\n`);
  writeFileSync(join(folders.captured, `${id}.json`), JSON.stringify(capture));
  return id;
}

const record = (id: string): JobRecord =>
  JSON.parse(readFileSync(join(folders.records, `${id}.json`), "utf8"));

const NOTHING: JobOutcome = { status: "nothing_to_save", skills: [], branches: [] };
const failure = (code: string): JobOutcome => ({
  status: "failed",
  error: { code, message: "it failed", hint: "try again" },
  skills: [],
  branches: [],
});
const answer = (outcome: JobOutcome = NOTHING, more: Partial<ReviewAnswer> = {}): ReviewAnswer => ({
  outcome,
  isFinal: outcome.status !== "failed",
  used: { reviews: 1, inputTokens: 10, outputTokens: 1 },
  ...more,
});

function work(more: Partial<WorkerOptions> = {}) {
  const review = more.review ?? (async () => answer());
  return runWorker({
    folders,
    policy: DEFAULT_POLICY,
    takesAll: false,
    now: () => nowMs,
    signal: new AbortController().signal,
    onNote: () => {},
    ...more,
    review: async (task) => {
      reviewed.push(task.capture.sessionId);
      return review(task);
    },
  });
}

describe("a run", () => {
  test("takes what is due in order, records one outcome each, and drops the copies", async () => {
    const late = queue("2", { capturedAt: iso(NOON + 1) });
    const first = queue("1");
    const report = await work({
      review: async ({ capture, transcript }) => {
        expect(record(capture.id).state).toBe("running");
        expect(readFileSync(transcript, "utf8")).toMatch(/^session \d\n$/);
        return answer();
      },
    });
    expect(reviewed).toEqual(["session-1", "session-2"]);
    expect(report).toMatchObject({ status: "done", taken: [{ id: first }, { id: late }] });
    expect(record(first)).toMatchObject({ state: "done", tries: 1, outcome: NOTHING });
    expect(readdirSync(folders.transcripts)).toEqual([]);
    expect(readdirSync(folders.workerLock)).toEqual([]);
    await work();
    expect(reviewed).toHaveLength(2);
  });

  test("makes nothing where no hook has captured anything", async () => {
    rmSync(folders.queue, { recursive: true });
    expect(await work()).toEqual({ status: "done", taken: [] });
    expect(existsSync(folders.queue)).toBe(false);
  });

  test("leaves what is not due, unless everything is wanted", async () => {
    queue("1", { event: "Stop", due: iso(NOON + 10 * MINUTE) });
    await work();
    expect(reviewed).toEqual([]);
    await work({ takesAll: true });
    expect(reviewed).toEqual(["session-1"]);
  });

  test("leaves everything to the worker that is there", async () => {
    queue("1");
    const lock = await acquireLock(folders.workerLock);
    expect(await work()).toEqual({ status: "busy", taken: [] });
    lock?.release();
    expect((await work()).taken).toHaveLength(1);
  });

  test("takes what a hook queues while it works", async () => {
    queue("1");
    await work({
      review: async () => {
        if (reviewed.length === 1) queue("2");
        return answer();
      },
    });
    expect(reviewed).toEqual(["session-1", "session-2"]);
  });

  test("a session that goes on while it is reviewed is reviewed again, and its new copy stays until then", async () => {
    const id = queue("1");
    let outcome: JobOutcome = { status: "proposed", skills: ["a"], branches: ["auto-skill/a"] };
    await work({
      review: async () => {
        if (reviewed.length === 1) queue("1", { copy: `${id}-bbbb` });
        else expect(readdirSync(folders.transcripts)).toEqual([`${id}-bbbb`]);
        const result = answer(outcome);
        outcome = { status: "proposed", skills: ["b"], branches: ["auto-skill/b"] };
        return result;
      },
    });
    expect(reviewed).toHaveLength(2);
    // One record, with the branches of both.
    expect(record(id)).toMatchObject({ copy: `${id}-bbbb`, state: "done" });
    expect(record(id).outcome?.branches).toEqual(["auto-skill/a", "auto-skill/b"]);
  });

  test("damaged files are set aside and told, and the others are taken", async () => {
    queue("1");
    writeFileSync(join(folders.captured, `${ID}.json`), "{");
    const notes: string[] = [];
    await work({ onNote: (note) => notes.push(note) });
    expect(reviewed).toEqual(["session-1"]);
    expect(notes).toEqual([expect.stringContaining(`${ID}.json`)]);
  });

  test("a repository that is removed meanwhile ends it, and does not come back", async () => {
    queue("1");
    queue("2");
    const report = await work({
      review: async () => {
        rmSync(join(home, "skillpr"), { recursive: true });
        return answer();
      },
    });
    expect(report.status).toBe("gone");
    expect(reviewed).toHaveLength(1);
    expect(existsSync(join(home, "skillpr"))).toBe(false);
  });
});

describe("failures", () => {
  test.each(["model", "git", "github"])(
    "of the %s are tried again after growing pauses, then parked",
    async (code) => {
      const id = queue("1");
      const fail = { review: async () => answer(failure(code)) };
      for (let tries = 1; tries < JOB_TRIES_MAX; tries++) {
        await work(fail);
        const due = iso(nowMs + retryPauseMs(tries));
        expect(record(id)).toMatchObject({ state: "waiting", tries, due });
        nowMs += retryPauseMs(tries) - 1;
        await work(fail);
        expect(record(id).tries).toBe(tries);
        nowMs += 1;
      }
      await work(fail);
      expect(record(id)).toMatchObject({ state: "parked", tries: JOB_TRIES_MAX, due: null });
      // Its transcript stays: somebody may retry it.
      expect(readdirSync(folders.transcripts)).toEqual([`${id}-aaaa`]);
      await work();
      expect(record(id).state).toBe("parked");
      writeFileSync(join(folders.retries, id), "");
      await work();
      expect(record(id)).toMatchObject({ state: "done", tries: 1 });
      expect([...readdirSync(folders.transcripts), ...readdirSync(folders.retries)]).toEqual([]);
    },
  );

  test("wanting everything tries each job once, not until it is parked", async () => {
    const id = queue("1");
    await work({ takesAll: true, review: async () => answer(failure("model")) });
    expect(record(id)).toMatchObject({ state: "waiting", tries: 1 });
  });

  test.each([
    "write failed: ENOSPC",
    "could not create x in the workspace: EDQUOT: quota exceeded, write",
  ])("by a full disk are tried again, whoever met it: %s", async (message) => {
    const id = queue("1");
    const full = failure("input");
    const error = { code: "input", hint: "make room", message };
    await work({ review: async () => answer({ ...full, error }) });
    const due = iso(nowMs + retryPauseMs(1));
    expect(record(id)).toMatchObject({ state: "waiting", tries: 1, due, outcome: { error } });
  });

  test.each(["input", "config", "usage"])("by the %s are parked at once", async (code) => {
    const id = queue("1");
    await work({ review: async () => answer(failure(code)) });
    expect(record(id)).toMatchObject({ state: "parked", tries: 1, outcome: { error: { code } } });
  });

  test("a proposal that something is in the way of is parked, with its outcome", async () => {
    const id = queue("1");
    const blocked: JobOutcome = { status: "proposed", detail: "blocked", skills: [], branches: [] };
    await work({ review: async () => answer(blocked, { isFinal: false }) });
    expect(record(id)).toMatchObject({ state: "parked", outcome: blocked });
  });

  test("a transcript that is gone is an outcome", async () => {
    const id = queue("1");
    rmSync(join(folders.transcripts, `${id}-aaaa`));
    await work();
    expect(reviewed).toEqual([]);
    expect(record(id)).toMatchObject({
      state: "parked",
      outcome: { status: "failed", error: { message: expect.stringContaining("is gone") } },
    });
  });

  test("being stopped puts the job back, without counting a try, and takes no other", async () => {
    const [first, second] = [queue("1"), queue("2")];
    const stop = new AbortController();
    await work({
      signal: stop.signal,
      review: async () => {
        stop.abort();
        return answer(failure("interrupted"));
      },
    });
    expect(record(first)).toMatchObject({ state: "waiting", tries: 0 });
    expect(existsSync(join(folders.records, `${second}.json`))).toBe(false);
    await work();
    expect(record(first)).toMatchObject({ state: "done", tries: 1 });
  });

  test("a bug ends the worker, not the session: the next one goes on", async () => {
    const id = queue("1");
    const bug = async () => {
      throw new TypeError("a bug");
    };
    await expect(work({ review: bug })).rejects.toThrow("a bug");
    expect(readdirSync(folders.workerLock)).toEqual([]);
    await work();
    expect(record(id)).toMatchObject({ state: "done", tries: 2, deaths: 1 });
  });
});

describe("a worker that died", () => {
  const died = (id: string, deaths: number) =>
    writeRecord(
      folders,
      sampleRecord({
        id,
        copy: `${id}-aaaa`,
        transcript: `${id}-aaaa`,
        state: "running",
        outcome: null,
        tries: deaths + 1,
        deaths,
      }),
    );

  test("leaves its job to the next, which counts the try", async () => {
    const id = queue("1");
    await died(id, 0);
    await work();
    expect(record(id)).toMatchObject({ state: "done", tries: 2, deaths: 1 });
  });

  test("again and again over one session: that one is parked, and the others go first", async () => {
    const [deadly, other] = [queue("1"), queue("2")];
    await died(deadly, JOB_DEATHS_MAX - 2);
    await work();
    expect(reviewed).toEqual(["session-2", "session-1"]);
    await died(deadly, JOB_DEATHS_MAX - 1);
    await work();
    expect(reviewed).toHaveLength(2);
    expect(record(deadly)).toMatchObject({
      state: "parked",
      outcome: { error: { message: expect.stringContaining("3 workers ended") } },
    });
    expect(record(other).state).toBe("done");
  });

  test("a retry begins its counts anew", async () => {
    const id = queue("1");
    await writeRecord(
      folders,
      sampleRecord({
        id,
        copy: `${id}-aaaa`,
        transcript: `${id}-aaaa`,
        state: "parked",
        tries: 3,
        deaths: JOB_DEATHS_MAX,
      }),
    );
    writeFileSync(join(folders.retries, id), "");
    await work();
    expect(record(id)).toMatchObject({ state: "done", tries: 1, deaths: 0 });
  });
});

describe("the day's caps", () => {
  test.each([
    ["reviews", { ...DEFAULT_POLICY, reviewsPerDay: 2 }],
    ["tokens", { ...DEFAULT_POLICY, tokensPerDay: 22 }],
  ])("of %s end the run; the rest waits for the next day", async (_, policy) => {
    for (const name of ["1", "2", "3"]) queue(name);
    await work({ policy, takesAll: true });
    expect(reviewed).toHaveLength(2);
    await work({ policy });
    expect(reviewed).toHaveLength(2);
    nowMs += 24 * 60 * MINUTE;
    await work({ policy });
    expect(reviewed).toHaveLength(3);
  });

  test("a count from a day to come, or a damaged one, counts for nothing", async () => {
    queue("1");
    const usage = { day: "2100-01-01", reviews: 99, inputTokens: 0, outputTokens: 0 };
    writeFileSync(folders.usage, JSON.stringify(usage));
    const policy = { ...DEFAULT_POLICY, reviewsPerDay: 1 };
    await work({ policy });
    queue("2");
    writeFileSync(folders.usage, "{");
    await work({ policy });
    expect(reviewed).toEqual(["session-1", "session-2"]);
  });
});
