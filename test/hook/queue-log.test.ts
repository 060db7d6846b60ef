import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HOOK_LOG_MAX_BYTES, HOOK_LOG_MESSAGE_MAX_CHARS } from "../../src/core/limits.ts";
import { type LogEntry, readLog, userLogFile, writeLog } from "../../src/hook/queue-log.ts";
import { temporaryQueue } from "./temporary-queue.ts";

const entry = (message: string, repository: string | null = null, minute = 0): LogEntry => ({
  time: new Date(Date.UTC(2026, 0, 2, 12, minute)).toISOString(),
  event: "Stop",
  message,
  repository,
});

function placeOf(queue: ReturnType<typeof temporaryQueue>) {
  return { queueLog: queue.folders.log, userLog: join(queue.home, "state/skillpr/log.jsonl") };
}

describe("the log", () => {
  test("holds one line an entry, in the queue, private", () => {
    using queue = temporaryQueue();
    const place = placeOf(queue);
    const entries = [entry("one", queue.commonDir), entry("two\nlines", queue.commonDir, 1)];
    for (const one of entries) expect(writeLog(place, one)).toBe(true);
    expect(readLog(place, queue.commonDir)).toEqual(entries);
    expect(readFileSync(queue.folders.log, "utf8").split("\n")).toHaveLength(3);
    expect(statSync(queue.folders.log).mode & 0o777).toBe(0o600);
    expect(existsSync(place.userLog)).toBe(false);
  });

  test("goes to the user's folder where the queue can't be written", () => {
    using queue = temporaryQueue();
    const place = placeOf(queue);
    writeFileSync(join(queue.commonDir, "skillpr"), "in the way");
    expect(writeLog(place, entry("one", queue.commonDir))).toBe(true);
    expect(readFileSync(place.userLog, "utf8")).toContain('"one"');
    expect(readLog(place, queue.commonDir)).toHaveLength(1);
  });

  test("says false where neither can", () => {
    using queue = temporaryQueue();
    const place = placeOf(queue);
    for (const name of ["state", ".git/skillpr"]) writeFileSync(join(queue.home, name), "");
    expect(writeLog(place, entry("one"))).toBe(false);
    expect(readLog(place, queue.commonDir)).toEqual([]);
  });

  test("shows a repository what is about it or about none, in the order of time", () => {
    using queue = temporaryQueue();
    const place = placeOf(queue);
    writeLog(place, entry("later", queue.commonDir, 2));
    const user = { ...place, queueLog: null };
    writeLog(user, entry("other", "/elsewhere/.git"));
    writeLog(user, entry("none", null, 1));
    const messages = readLog(place, queue.commonDir).map(({ message }) => message);
    expect(messages).toEqual(["none", "later"]);
  });

  test("stays small: the newest lines and some before them are kept", () => {
    using queue = temporaryQueue();
    const place = placeOf(queue);
    const long = "x".repeat(2 * HOOK_LOG_MESSAGE_MAX_CHARS);
    const lines = 500;
    for (let n = 0; n < lines; n++) writeLog(place, entry(`${n} ${long}`));
    const sizes = [queue.folders.log, queue.folders.log.replace("log.", "log.old.")].map(
      (file) => statSync(file).size,
    );
    for (const size of sizes) expect(size).toBeLessThan(HOOK_LOG_MAX_BYTES + 2000);
    const kept = readLog(place, queue.commonDir);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.at(-1)?.message).toMatch(/^499 x+…$/);
  });

  test("a pipe in its place holds nobody up", () => {
    using queue = temporaryQueue();
    mkdirSync(queue.folders.queue, { recursive: true });
    execFileSync("mkfifo", [queue.folders.log]);
    expect(writeLog(placeOf(queue), entry("one"))).toBe(true);
    expect(readLog(placeOf(queue), queue.commonDir)).toHaveLength(1);
  });

  test("a link in its place is not followed", () => {
    using queue = temporaryQueue();
    mkdirSync(queue.folders.queue, { recursive: true });
    const other = join(queue.home, "profile");
    writeFileSync(other, "# mine\n");
    symlinkSync(other, queue.folders.log);
    expect(writeLog(placeOf(queue), entry("$(one)"))).toBe(true);
    expect(readFileSync(other, "utf8")).toBe("# mine\n");
    expect(readFileSync(placeOf(queue).userLog, "utf8")).toContain("$(one)");
  });

  test("damaged lines are left out, and one that was cut off takes no other with it", () => {
    using queue = temporaryQueue();
    const place = placeOf(queue);
    writeLog(place, entry("one"));
    appendFileSync(queue.folders.log, '\0\n[]\n{"time":1}\n{"time":"2026-01-0');
    writeLog(place, entry("two", null, 1));
    expect(readLog(place, queue.commonDir).map(({ message }) => message)).toEqual(["one", "two"]);
  });

  test.skipIf(process.getuid?.() === 0)("a folder closed to us is none", () => {
    using queue = temporaryQueue();
    chmodSync(queue.commonDir, 0o500);
    expect(writeLog({ ...placeOf(queue), userLog: "/proc/x/log.jsonl" }, entry("one"))).toBe(false);
  });
});

describe("userLogFile", () => {
  test("follows XDG_STATE_HOME unless it is relative or leads into the repository", () => {
    using queue = temporaryQueue();
    const name = "skillpr/hook.log.jsonl";
    const own = join(homedir(), ".local/state", name);
    mkdirSync(join(queue.home, "project"));
    const inside = [join(queue.home, "project")];
    const fileFor = (path: string) => userLogFile({ XDG_STATE_HOME: path }, inside);
    expect(fileFor(join(queue.home, "state"))).toBe(join(queue.home, "state", name));
    for (const path of ["", "state", join(queue.home, "project/state")])
      expect(fileFor(path)).toBe(own);
    expect(userLogFile({})).toBe(own);
  });
});
