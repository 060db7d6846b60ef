import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TRANSCRIPT_SETTLED_MS } from "../../src/core/limits.ts";
import { freshTranscript } from "../../src/hook/fresh-transcript.ts";
import { type QueueFolders, queueFolders } from "../../src/hook/queue-files.ts";
import { sweepQueue } from "../../src/hook/sweep-queue.ts";
import { age } from "../support/queue.ts";
import { ID, sampleCapture } from "./queue-samples.ts";

const COPY = `${ID}-aaaa`;
/** No process has ever had this pid: the system's numbers end before it. */
const NOBODY = 999_999_999;
let home: string;
let folders: QueueFolders;
let original: string;
let named: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skillpr-fresh-"));
  folders = queueFolders(home);
  original = join(home, "session.jsonl");
  named = [];
  mkdirSync(folders.transcripts, { recursive: true });
  writeFileSync(join(folders.transcripts, COPY), "one\n");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function fresh(more: { current?: string; onWait?: () => void } = {}) {
  return freshTranscript({
    folders,
    capture: sampleCapture({ transcriptPath: original }),
    current: COPY,
    onName: async (name) => {
      expect(readdirSync(folders.transcripts)).not.toContain(name);
      named.push(name);
    },
    signal: new AbortController().signal,
    onNote: (note) => expect.unreachable(note),
    ...more,
  });
}

function originalIs(text: string): void {
  writeFileSync(original, text);
  age(original, 60);
}

const textOf = (name: string | null) => readFileSync(join(folders.transcripts, name ?? ""), "utf8");

describe("the original", () => {
  test("grew: it is copied once more, under a name that was told before", async () => {
    originalIs("one\ntwo\n");
    const name = await fresh();
    expect(name).not.toBe(COPY);
    expect(named).toEqual([name]);
    expect(textOf(name)).toBe("one\ntwo\n");
    // The capture still names the first one.
    expect(readdirSync(folders.transcripts).sort()).toEqual([COPY, name].sort());
  });

  test("grew: what a worker that is killed within the copy leaves is swept away", async () => {
    originalIs("one\ntwo\n");
    const watcher = watch(folders.transcripts);
    const temporary = new Promise<string>((resolve) => {
      watcher.on("change", (_, name) => String(name).endsWith(".tmp") && resolve(String(name)));
    });
    await fresh();
    const left = (await temporary).replace(`.${process.pid}-`, `.${NOBODY}-`);
    watcher.close();
    writeFileSync(join(folders.transcripts, left), "one\nt");
    age(join(folders.transcripts, left), 60);
    sweepQueue(folders, Date.now());
    expect(readdirSync(folders.transcripts)).not.toContain(left);
  });

  test("grew a second time: the copy between is dropped", async () => {
    originalIs("one\ntwo\n");
    const second = await fresh();
    originalIs("one\ntwo\nthree\n");
    const third = await fresh({ current: second! });
    expect(textOf(third)).toBe("one\ntwo\nthree\n");
    expect(readdirSync(folders.transcripts).sort()).toEqual([COPY, third].sort());
  });

  test.each([
    ["is the same", "one\n"],
    ["is shorter", "on"],
    ["begins otherwise: it is another session's now", "ONE\ntwo\n"],
  ])("%s: the copy stays the newest", async (_, text) => {
    originalIs(text);
    expect(await fresh()).toBe(COPY);
    expect(readdirSync(folders.transcripts)).toEqual([COPY]);
  });

  test.each(["is gone", "is a link", "is a pipe", "is a folder"])(
    "%s: the copy stays the newest",
    async (kind) => {
      if (kind === "is a link") {
        writeFileSync(join(home, "other"), "one\ntwo\n");
        symlinkSync(join(home, "other"), original);
      }
      if (kind === "is a pipe") execFileSync("mkfifo", [original]);
      if (kind === "is a folder") mkdirSync(original);
      expect(await fresh()).toBe(COPY);
      expect(named).toEqual([]);
    },
  );

  test("was written to a moment ago: the wait is told, and ends a second after that", async () => {
    writeFileSync(original, "one\ntwo\n");
    age(original, 0.4);
    let waits = 0;
    const startedAt = performance.now();
    expect(textOf(await fresh({ onWait: () => (waits += 1) }))).toBe("one\ntwo\n");
    expect(waits).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(TRANSCRIPT_SETTLED_MS);
  });

  test("is quiet for long: nobody waits", async () => {
    originalIs("one\ntwo\n");
    await fresh({ onWait: () => expect.unreachable() });
  });

  test("is still written to: what comes within a moment is in the copy", async () => {
    writeFileSync(original, "one\n");
    setTimeout(() => appendFileSync(original, "more\n"), 0);
    const name = await fresh();
    expect(textOf(name)).toBe("one\nmore\n");
  });

  test("has a time to come, because the clock was set back: it is read all the same", async () => {
    originalIs("one\ntwo\n");
    age(original, -3600);
    expect(textOf(await fresh())).toBe("one\ntwo\n");
  });
});

describe("the copy is lost", () => {
  beforeEach(() => rmSync(join(folders.transcripts, COPY)));

  test("the original is copied anew", async () => {
    originalIs("one\ntwo\n");
    expect(textOf(await fresh())).toBe("one\ntwo\n");
  });

  test("and the original too: there is nothing", async () => {
    expect(await fresh()).toBeNull();
  });
});

test("a copy that was announced and never made is passed over for the capture's", async () => {
  expect(await fresh({ current: `${ID}-never` })).toBe(COPY);
});
