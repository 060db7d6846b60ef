import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { QUEUE_FILE_MAX_BYTES } from "../../src/core/limits.ts";
import { writeRecord } from "../../src/hook/job-record.ts";
import { readJob, readQueue, setAside } from "../../src/hook/queue.ts";
import { type QueueFolders, queueFolders } from "../../src/hook/queue-files.ts";
import { ID, sampleCapture, sampleRecord } from "./queue-samples.ts";

let folders: QueueFolders;
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skillpr-queue-"));
  folders = queueFolders(home);
  for (const dir of [folders.captured, folders.transcripts, folders.records, folders.retries])
    mkdirSync(dir, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const captured = (capture: unknown = sampleCapture(), id = ID) =>
  writeFileSync(
    join(folders.captured, `${id}.json`),
    typeof capture === "string" ? capture : JSON.stringify(capture),
  );

describe("captures and records are joined", () => {
  test("there is no queue before the first capture", () => {
    expect(readQueue(queueFolders(join(home, "none")))).toEqual({ jobs: [], damaged: [] });
  });

  test("a capture without a record is a job to do", () => {
    captured({ ...sampleCapture(), aNewField: true });
    expect(readQueue(folders).jobs).toMatchObject([
      { id: ID, capture: { sessionId: "session-1" }, record: null, isRetried: false },
    ]);
  });

  test("a record of the same copy says what became of it", async () => {
    captured();
    await writeRecord(folders, sampleRecord());
    expect(readQueue(folders).jobs).toMatchObject([{ record: { state: "done" }, earlier: null }]);
  });

  test("a record of an older copy doesn't: the session went on", async () => {
    captured(sampleCapture({ copy: `${ID}-bbbb` }));
    await writeRecord(folders, sampleRecord());
    expect(readJob(folders, ID)).toMatchObject({ record: null, earlier: { state: "done" } });
  });

  test("a record outlives its capture", async () => {
    await writeRecord(folders, sampleRecord());
    expect(readQueue(folders).jobs).toMatchObject([{ capture: null, record: { state: "done" } }]);
  });

  test("a note asks for a retry", () => {
    captured();
    writeFileSync(join(folders.retries, ID), "");
    expect(readQueue(folders).jobs).toMatchObject([{ isRetried: true }]);
  });

  test("a long sentence of an outcome is cut", async () => {
    const outcome = {
      status: "skipped",
      detail: "x".repeat(100_000),
      skills: [],
      branches: [],
    } as const;
    await writeRecord(folders, sampleRecord({ outcome }));
    expect(readQueue(folders).jobs[0]?.record?.outcome?.detail?.length).toBeLessThan(2000);
  });
});

describe("what can't be read is told and hurts nobody else", () => {
  const OTHER = "fedcba9876543210";
  beforeEach(() => captured(sampleCapture({ id: OTHER, copy: `${OTHER}-aaaa` }), OTHER));

  test.each([
    ["not JSON", '{"version":1,"id'],
    ["empty", ""],
    ["JSON of something else", "[1,2]"],
    ["a field is missing", { ...sampleCapture(), due: undefined }],
    ["a field has the wrong type", { ...sampleCapture(), size: "3" }],
    ["another job's id", sampleCapture({ id: OTHER })],
    ["a copy that leads elsewhere", sampleCapture({ copy: `${ID}-a/../../../../etc/passwd` })],
    ["another job's copy", sampleCapture({ copy: `${OTHER}-aaaa` })],
    ["a later version", { ...sampleCapture(), version: 2 }],
    ["too large", JSON.stringify(sampleCapture()) + " ".repeat(QUEUE_FILE_MAX_BYTES)],
  ])("a capture: %s", (_, text) => {
    captured(text);
    const { jobs, damaged } = readQueue(folders);
    expect(jobs.map(({ id }) => id)).toEqual([OTHER]);
    expect(damaged).toEqual([{ folder: "captured", name: `${ID}.json` }]);
  });

  test.each(["a folder", "a link", "a pipe"])("%s in the place of a record", (kind) => {
    captured();
    const path = join(folders.records, `${ID}.json`);
    if (kind === "a folder") mkdirSync(path);
    else if (kind === "a link") symlinkSync(join(folders.captured, `${ID}.json`), path);
    else execFileSync("mkfifo", [path]);
    const { jobs, damaged } = readQueue(folders);
    expect(jobs).toHaveLength(2);
    expect(damaged).toEqual([{ folder: "records", name: `${ID}.json` }]);
  });

  test("files with other names are nobody's jobs", () => {
    writeFileSync(join(folders.captured, `.${ID}.json.1-2-abc.tmp`), "{");
    writeFileSync(join(folders.captured, "README.json"), "{");
    expect(readQueue(folders).damaged).toEqual([]);
  });

  test("a damaged capture is set aside with its transcript, which is named", () => {
    captured("{");
    for (const name of [`${ID}-aaaa`, `${OTHER}-aaaa`])
      writeFileSync(join(folders.transcripts, name), "text");
    const [file] = readQueue(folders).damaged;
    const note = setAside(folders, file!);
    expect(note).toContain(`skillpr review ${join(folders.damaged, `${ID}-aaaa`)}`);
    expect(readdirSync(folders.damaged).sort()).toEqual([`${ID}-aaaa`, `captured-${ID}.json`]);
    expect(existsSync(join(folders.transcripts, `${OTHER}-aaaa`))).toBe(true);
    expect(readQueue(folders).damaged).toEqual([]);
  });

  test("a damaged record is set aside, and its session is queued again", () => {
    captured();
    writeFileSync(join(folders.records, `${ID}.json`), "{}");
    const [file] = readQueue(folders).damaged;
    expect(setAside(folders, file!)).toContain("looked at again");
    expect(readJob(folders, ID)).toMatchObject({ capture: { id: ID }, record: null });
  });
});
