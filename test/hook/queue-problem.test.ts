import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { queueProblem } from "../../src/hook/queue-problem.ts";
import { temporaryQueue } from "./temporary-queue.ts";

test("a queue that isn't there yet, and one of folders, are as they should be", () => {
  using queue = temporaryQueue();
  expect(queueProblem(queue.folders)).toBeNull();
  mkdirSync(queue.folders.transcripts, { recursive: true });
  expect(queueProblem(queue.folders)).toBeNull();
});

test("a link or a file in the place of any folder is named", () => {
  using queue = temporaryQueue();
  const { folders, home } = queue;
  const elsewhere = join(home, "elsewhere");
  mkdirSync(elsewhere);
  const own = [folders.captured, folders.transcripts, folders.records, folders.damaged];
  const more = [folders.announced, folders.retries, folders.workerLock];
  for (const folder of [...own, ...more, dirname(folders.queue), folders.queue]) {
    rmSync(dirname(folders.queue), { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    symlinkSync(elsewhere, folder);
    expect(queueProblem(folders)).toBe(`${folder} is no folder`);
    rmSync(folder);
    writeFileSync(folder, "");
    expect(queueProblem(folders)).toBe(`${folder} is no folder`);
    rmSync(folder);
  }
});
