import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HOOK_QUIET_MS, HOOK_TRANSCRIPT_MAX_BYTES } from "../../src/core/limits.ts";
import { readCapture } from "../../src/hook/capture-file.ts";
import { captureSession, type Due } from "../../src/hook/capture-session.ts";
import type { Payload } from "../../src/hook/payload.ts";
import { type Capture, jobId } from "../../src/hook/queue-files.ts";
import { type TemporaryQueue, temporaryQueue } from "./temporary-queue.ts";

const NOON = Date.parse("2026-01-02T12:00:00Z");

/** Captures at `minute` past noon. */
function capture(
  { folders }: TemporaryQueue,
  payload: Payload,
  due: Due = "now",
  minute = 0,
): string | null {
  const now = new Date(NOON + minute * 60_000);
  return captureSession(folders, payload, { due, agent: "qwen-code", now });
}

function capturesIn({ folders }: TemporaryQueue): Capture[] {
  return readdirSync(folders.captured).map((name) => {
    expect(name).toMatch(/^[0-9a-f]{16}\.json$/);
    const found = readCapture(folders, name.slice(0, 16));
    expect(found).not.toBeNull();
    return found!;
  });
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("captureSession", () => {
  test("copies the transcript and writes who, where, when", async () => {
    using queue = temporaryQueue();
    const payload = queue.session("s-1", "one\n");
    expect(capture(queue, payload)).toBeNull();
    const [found] = capturesIn(queue);
    expect(found).toEqual({
      version: 1,
      id: jobId("s-1", ""),
      sessionId: "s-1",
      agent: "qwen-code",
      event: "Stop",
      transcriptPath: payload.transcriptPath,
      copy: expect.stringMatching(new RegExp(`^${found?.id}-[0-9a-f]{12}$`)),
      size: 4,
      cwd: queue.home,
      capturedAt: "2026-01-02T12:00:00.000Z",
      due: "2026-01-02T12:00:00.000Z",
    });
    expect(readFileSync(join(queue.folders.transcripts, found!.copy), "utf8")).toBe("one\n");
  });

  test("everything is private, and nothing else is left", async () => {
    using queue = temporaryQueue();
    capture(queue, queue.session("s-1", "one\n"));
    const { queue: root, captured, transcripts } = queue.folders;
    for (const folder of [join(root, ".."), root, captured, transcripts])
      expect(modeOf(folder)).toBe(0o700);
    for (const folder of [captured, transcripts]) {
      const names = readdirSync(folder);
      expect(names).toHaveLength(1);
      expect(modeOf(join(folder, names[0]!))).toBe(0o600);
    }
  });

  test("after a turn it is due when the session was quiet", async () => {
    using queue = temporaryQueue();
    capture(queue, queue.session("s-1", "one\n"), "after-quiet-period");
    expect(capturesIn(queue)[0]?.due).toBe(new Date(NOON + HOOK_QUIET_MS).toISOString());
  });

  test("the same session and size twice is one job, and one copy", async () => {
    using queue = temporaryQueue();
    const payload = queue.session("s-1", "one\n");
    capture(queue, payload, "after-quiet-period");
    const before = capturesIn(queue);
    capture(queue, payload, "after-quiet-period", 3);
    expect(capturesIn(queue)).toEqual(before);
    expect(readdirSync(queue.folders.transcripts)).toEqual([before[0]?.copy]);
  });

  test("the end of a session makes its waiting job due at once", async () => {
    using queue = temporaryQueue();
    const payload = queue.session("s-1", "one\n");
    capture(queue, payload, "after-quiet-period");
    const [before] = capturesIn(queue);
    capture(queue, { ...payload, event: "SessionEnd" }, "now", 3);
    const due = "2026-01-02T12:03:00.000Z";
    expect(capturesIn(queue)).toEqual([{ ...before, event: "SessionEnd", due }]);
    capture(queue, payload, "after-quiet-period", 5);
    expect(capturesIn(queue)[0]?.due).toBe(due);
  });

  test("a session that ends after its quiet period counts as ended: the user's may be longer", async () => {
    using queue = temporaryQueue();
    const payload = queue.session("s-1", "one\n");
    capture(queue, payload, "after-quiet-period");
    capture(queue, { ...payload, event: "SessionEnd" }, "now", 20);
    const [ended] = capturesIn(queue);
    expect(ended).toMatchObject({ event: "SessionEnd", due: "2026-01-02T12:20:00.000Z" });
    capture(queue, { ...payload, event: "SessionEnd" }, "now", 30);
    expect(capturesIn(queue)).toEqual([ended]);
  });

  test("a session that grew replaces its job and waits for quiet anew", async () => {
    using queue = temporaryQueue();
    const payload = queue.session("s-1", "one\n");
    capture(queue, payload, "after-quiet-period");
    const [before] = capturesIn(queue);
    appendFileSync(payload.transcriptPath, "two\n");
    capture(queue, payload, "after-quiet-period", 4);
    const [after, ...others] = capturesIn(queue);
    expect(others).toEqual([]);
    expect(after).toMatchObject({ id: before?.id, size: 8, due: "2026-01-02T12:14:00.000Z" });
    expect(after?.copy).not.toBe(before?.copy);
    // The worker may be reading the old copy: it is the worker's to remove.
    expect(readdirSync(queue.folders.transcripts)).toHaveLength(2);
  });

  test("a copy that was lost is made again, one that the worker is done with is not", async () => {
    using queue = temporaryQueue();
    const payload = queue.session("s-1", "one\n");
    capture(queue, payload);
    const [first] = capturesIn(queue);
    rmSync(join(queue.folders.transcripts, first!.copy));
    capture(queue, payload);
    const [second] = capturesIn(queue);
    expect(readdirSync(queue.folders.transcripts)).toEqual([second?.copy]);
    rmSync(join(queue.folders.transcripts, second!.copy));
    mkdirSync(queue.folders.records);
    const record = join(queue.folders.records, `${second?.id}.json`);
    writeFileSync(record, JSON.stringify({ copy: second?.copy }));
    capture(queue, payload);
    expect(readdirSync(queue.folders.transcripts)).toEqual([]);
    expect(capturesIn(queue)).toEqual([second]);
  });

  test.each(["", "nonsense", "{}", '{"version":2}', '{"version":1,"copy":"../../../x","size":4}'])(
    "a damaged capture (%j) is replaced",
    async (text) => {
      using queue = temporaryQueue();
      const payload = queue.session("s-1", "one\n");
      mkdirSync(queue.folders.captured, { recursive: true });
      writeFileSync(join(queue.folders.captured, `${jobId("s-1", "")}.json`), text);
      expect(capture(queue, payload)).toBeNull();
      expect(capturesIn(queue)[0]).toMatchObject({ sessionId: "s-1", size: 4 });
    },
  );

  test("sessions without an id are told apart by their transcripts", async () => {
    using queue = temporaryQueue();
    for (const name of ["a", "b", "a"])
      capture(queue, { ...queue.session(name, "one\n"), sessionId: "" });
    expect(capturesIn(queue)).toHaveLength(2);
  });

  test("a relative path starts where the session works", async () => {
    using queue = temporaryQueue();
    const payload = queue.session("s-1", "one\n");
    expect(capture(queue, { ...payload, transcriptPath: "./s-1.jsonl" })).toBeNull();
    expect(capturesIn(queue)[0]?.transcriptPath).toBe(payload.transcriptPath);
  });
});

describe("what is no transcript", () => {
  const cases: readonly (readonly [string, (path: string) => void, RegExp])[] = [
    ["a missing file", () => {}, /doesn't exist$/],
    ["an empty file", (path) => writeFileSync(path, ""), /is empty$/],
    ["a folder", (path) => mkdirSync(path), /is no regular file$/],
    ["a pipe that nobody writes to", (path) => execFileSync("mkfifo", [path]), /no regular file$/],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path), /is a link$/],
    ["a link to a file", (path) => symlinkSync("/etc/hosts", path), /is a link$/],
    ["a link to itself", (path) => symlinkSync(path, path), /is a link$/],
    [
      "a file that is too large",
      (path) => {
        writeFileSync(path, "");
        truncateSync(path, HOOK_TRANSCRIPT_MAX_BYTES + 1);
      },
      /is too large to be copied$/,
    ],
  ];
  test.each(cases)("%s is told and leaves the queue alone", async (_name, make, expected) => {
    using queue = temporaryQueue();
    const transcriptPath = join(queue.home, "transcript.jsonl");
    make(transcriptPath);
    const payload = { ...queue.session("other", "x"), transcriptPath };
    expect(capture(queue, payload)).toMatch(expected);
    expect(readdirSync(queue.commonDir)).toEqual([]);
  });

  test.each(["/dev/zero", "/dev/stdin/x", "\0", "/etc/hosts/x"])(
    "%j neither",
    async (transcriptPath) => {
      using queue = temporaryQueue();
      expect(capture(queue, { ...queue.session("s", "x"), transcriptPath })).toMatch(/transcript/);
    },
  );

  test("a message that names none", async () => {
    using queue = temporaryQueue();
    const payload = { ...queue.session("s", "x"), transcriptPath: "" };
    expect(capture(queue, payload)).toBe("the agent named no transcript");
  });

  test("a link in the place of a queue's folder is not followed", async () => {
    using queue = temporaryQueue();
    mkdirSync(queue.folders.queue, { recursive: true });
    mkdirSync(join(queue.home, "trap"));
    symlinkSync(join(queue.home, "trap"), queue.folders.transcripts);
    expect(capture(queue, queue.session("s", "x"))).toMatch(/is no folder$/);
    expect(readdirSync(join(queue.home, "trap"))).toEqual([]);
  });
});
