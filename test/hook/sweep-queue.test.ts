import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  DONE_RECORD_MAX_AGE_MS,
  DONE_RECORDS_KEPT,
  REUSED_PID_MARGIN_MS,
} from "../../src/core/limits.ts";
import { processAgeMs } from "../../src/git/process-owner.ts";
import { writeRecord } from "../../src/hook/job-record.ts";
import { temporaryName } from "../../src/hook/private-file.ts";
import { readQueue } from "../../src/hook/queue.ts";
import { type QueueFolders, queueFolders } from "../../src/hook/queue-files.ts";
import { sweepQueue } from "../../src/hook/sweep-queue.ts";
import { age } from "../support/queue.ts";
import { ID, iso, sampleCapture, sampleRecord } from "./queue-samples.ts";

let home: string;
let folders: QueueFolders;
const now = Date.now();
/** No process has ever had this pid: the system's numbers end before it. */
const NOBODY = 999_999_999;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skillpr-sweep-"));
  folders = queueFolders(home);
  for (const dir of [folders.captured, folders.transcripts, folders.records])
    mkdirSync(dir, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(folder: string, name: string, ageSeconds: number): string {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, "text");
  age(path, ageSeconds);
  return path;
}

function captured(more = {}) {
  const capture = sampleCapture(more);
  writeFileSync(join(folders.captured, `${capture.id}.json`), JSON.stringify(capture));
  return capture;
}

test("temporary files of dead processes go, those of living ones and fresh ones stay", () => {
  const { pid } = process;
  const sinceStart = (processAgeMs(pid) ?? Number.NaN) / 1000;
  const margin = REUSED_PID_MARGIN_MS / 1000;
  const dead = [
    put(folders.captured, `.${ID}.json.${NOBODY}-0123456789ab.tmp`, 60),
    // The pid lives, but it is another process now.
    put(folders.transcripts, `.${ID}-aa.${pid}-0123456789ab.tmp`, sinceStart + margin + 60),
    put(folders.records, `${ID}.json.${pid}-01234567.tmp`, sinceStart + margin + 60),
    put(folders.records, `${ID}.json.${NOBODY}-0123abcd.tmp`, 60),
    put(folders.queue, `usage.json.${NOBODY}-0123abcd.tmp`, 60),
    put(join(home, "reviewed"), `aa.json.${NOBODY}-0123abcd.tmp`, 60),
  ];
  const alive = [
    put(folders.captured, temporaryName(`${ID}.json`), 60),
    // Somebody set the clock while it was written.
    put(folders.captured, temporaryName(`${ID}.json`), sinceStart + margin - 60),
    put(folders.records, `${ID}.json.${pid}-0123abcd.tmp`, 60),
    // Of a process in another container, perhaps: it can't be seen.
    put(folders.captured, `.${ID}.json.${NOBODY}-ba9876543210.tmp`, 0),
    put(folders.queue, "notes.tmp", 60),
  ];
  sweepQueue(folders, now);
  expect(dead.filter((path) => existsSync(path))).toEqual([]);
  expect(alive.filter((path) => !existsSync(path))).toEqual([]);
});

test("a copy that no capture names goes once no hook can be about to name it", () => {
  captured();
  const [named, fresh, old, future] = [
    put(folders.transcripts, `${ID}-aaaa`, 7200),
    put(folders.transcripts, `${ID}-bbbb`, 60),
    put(folders.transcripts, `${ID}-cccc`, 7200),
    put(folders.transcripts, `${ID}-dddd`, -7200),
  ].map((path) => () => existsSync(path));
  sweepQueue(folders, now);
  expect([named, fresh, old, future].map((isThere) => isThere?.())).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test("a copy that a later capture has replaced goes at once, one that a hook may be about to name stays", () => {
  captured({ capturedAt: iso(now - 30_000) });
  const [replaced, newer, other] = [
    put(folders.transcripts, `${ID}-bbbb`, 60),
    put(folders.transcripts, `${ID}-cccc`, 20),
    put(folders.transcripts, `${"e".repeat(16)}-cccc`, 60),
  ].map((path) => () => existsSync(path));
  sweepQueue(folders, now);
  expect([replaced, newer, other].map((isThere) => isThere?.())).toEqual([false, true, true]);
});

test("what no hook and no worker named is not theirs to remove", () => {
  const year = 365 * 24 * 3600;
  const files = [folders.transcripts, folders.damaged, folders.announced].map((folder) =>
    put(folder, "thesis.txt", year),
  );
  const own = [
    put(folders.damaged, `captured-${ID}.json`, year),
    put(folders.damaged, `${ID}-aaaa`, year),
    put(folders.announced, `a-skill-${"0".repeat(40)}`, year),
  ];
  sweepQueue(folders, now);
  expect(files.filter((path) => !existsSync(path))).toEqual([]);
  expect(own.filter((path) => existsSync(path))).toEqual([]);
});

test("copies of done jobs go at once, those of parked and waiting ones stay", async () => {
  const ids = ["1", "2", "3"].map((digit) => digit.repeat(16));
  const states = ["done", "parked", "waiting"] as const;
  for (const [index, id] of ids.entries()) {
    const state = states[index] ?? "done";
    captured({ id, copy: `${id}-aa` });
    await writeRecord(
      folders,
      sampleRecord({ id, copy: `${id}-aa`, transcript: `${id}-bb`, state }),
    );
    for (const copy of ["aa", "bb"]) put(folders.transcripts, `${id}-${copy}`, 7200);
  }
  sweepQueue(folders, now);
  const left = readdirSync(folders.transcripts).map((name) => name[0]);
  expect(left.sort()).toEqual(["2", "2", "3", "3"]);
});

test("a folder in the place of a done job's copy keeps nobody from working", async () => {
  const copy = `${ID}-aa`;
  captured({ copy });
  await writeRecord(folders, sampleRecord({ copy, transcript: copy, state: "done" }));
  mkdirSync(join(folders.transcripts, copy));
  sweepQueue(folders, now);
  expect(readdirSync(folders.transcripts)).toEqual([copy]);
});

test("done jobs beyond the number and the age that are kept are forgotten, others never", async () => {
  const idOf = (n: number) => n.toString(16).padStart(16, "0");
  const ended = iso(now - 1000);
  for (let n = 0; n < DONE_RECORDS_KEPT; n++) {
    const record = sampleRecord({
      id: idOf(n),
      endedAt: ended,
      copy: `${idOf(n)}-a`,
      transcript: `${idOf(n)}-a`,
    });
    writeFileSync(join(folders.records, `${idOf(n)}.json`), JSON.stringify(record));
  }
  const old = iso(now - DONE_RECORD_MAX_AGE_MS - 1000);
  const others = [
    { id: "a".repeat(16), state: "done", endedAt: old },
    { id: "b".repeat(16), state: "parked", endedAt: old },
    // One too many, by a moment.
    { id: "c".repeat(16), state: "done", endedAt: iso(now - 2000) },
  ] as const;
  for (const other of others) {
    const copy = `${other.id}-a`;
    captured({ id: other.id, copy });
    await writeRecord(folders, sampleRecord({ ...other, copy, transcript: copy }));
  }
  sweepQueue(folders, now);
  const ids = new Set(readQueue(folders).jobs.map(({ id }) => id));
  expect(ids.size).toBe(DONE_RECORDS_KEPT + 1);
  expect(others.map(({ id }) => ids.has(id))).toEqual([false, true, false]);
  expect(readdirSync(folders.captured)).toEqual([`${"b".repeat(16)}.json`]);
});
