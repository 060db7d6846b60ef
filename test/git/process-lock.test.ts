import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "rolldown";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { LOCK_SIGN_MS } from "../../src/core/limits.ts";
import { acquireLock, isLocked } from "../../src/git/process-lock.ts";
import { currentOwner } from "../../src/git/process-owner.ts";

const execute = promisify(execFile);
let home: string;
let folder: string;
/** The lock alone, as a file that other processes can import. */
let built: { readonly source: string };
beforeAll(async () => {
  const input = join(import.meta.dirname, "../../src/git/process-lock.ts");
  const { output } = await build({ input, platform: "node", write: false });
  built = { source: output[0].code };
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skillpr-test-lock-"));
  folder = join(home, "lock");
  writeFileSync(join(home, "lock.mjs"), built.source);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("a lock between processes", () => {
  test("is held by one, and free again when it is given up", async () => {
    const first = await acquireLock(folder, 1);
    expect(first).not.toBeNull();
    expect(isLocked(folder)).toBe(true);
    expect(await acquireLock(folder, 2)).toBeNull();
    first?.release();
    first?.release();
    expect(isLocked(folder)).toBe(false);
    await using again = await acquireLock(folder, 1);
    expect(again).not.toBeNull();
  });

  test("of a process that is gone is nobody's, also when its pid lives on as another", async () => {
    const [lock] = [await acquireLock(folder, 1)];
    const mine = readdirSync(folder)[0] ?? "";
    lock?.release();
    const [pid, started, host, random] = mine.split("-");
    const reused = `${pid}-${Number(started) + 1}-${host}-${random}`;
    const dead = `4194300-1-${host}-${random}`;
    for (const name of [reused, dead]) writeFileSync(join(folder, name), "");
    await using again = await acquireLock(folder, 1);
    expect(again).not.toBeNull();
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test.each([11 * 60_000, -11 * 60_000])(
    "of another machine or container holds while it gives signs, and is free %i ms after the last",
    async (silentMs) => {
      const { pid, started } = currentOwner();
      await acquireLock(folder, 1).then((lock) => lock?.release());
      const other = join(folder, `${pid}-${started}-0123456789ab-00000000`);
      writeFileSync(other, "");
      expect(await acquireLock(folder, 1)).toBeNull();
      const then = new Date(Date.now() - silentMs);
      utimesSync(other, then, then);
      await using lock = await acquireLock(folder, 1);
      expect(lock).not.toBeNull();
    },
  );

  test("gives signs of life as long as it is held", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const lock = await acquireLock(folder, 1);
      const file = join(folder, readdirSync(folder)[0] ?? "");
      utimesSync(file, 0, 0);
      vi.advanceTimersByTime(LOCK_SIGN_MS);
      expect(statSync(file).mtimeMs).toBeGreaterThan(Date.now() - LOCK_SIGN_MS);
      lock?.release();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("other files in its folder are not looked at and stay", async () => {
    await acquireLock(folder, 1).then((lock) => lock?.release());
    writeFileSync(join(folder, "notes.txt"), "mine");
    await using lock = await acquireLock(folder, 1);
    expect(lock).not.toBeNull();
    expect(readdirSync(folder)).toContain("notes.txt");
  });

  test("many processes that want it at once hold it one after the other", async () => {
    const script = `
      import { mkdirSync, rmdirSync } from "node:fs";
      import { acquireLock } from "./lock.mjs";
      const lock = await acquireLock(${JSON.stringify(folder)}, 2000);
      mkdirSync(${JSON.stringify(join(home, "inside"))}); // fails when somebody else is inside
      await new Promise((resolve) => setTimeout(resolve, 5));
      rmdirSync(${JSON.stringify(join(home, "inside"))});
      lock.release();`;
    const file = join(home, "contend.mjs");
    writeFileSync(file, script);
    const run = () => execute(process.execPath, [file]);
    const results = await Promise.allSettled(Array.from({ length: 6 }, run));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("of a killed process is free", async () => {
    const file = join(home, "hold.mjs");
    writeFileSync(
      file,
      `import { acquireLock } from "./lock.mjs";
       await acquireLock(${JSON.stringify(folder)}, 1);
       process.stdout.write("held");
       setInterval(() => {}, 1000);`,
    );
    const child = spawn(process.execPath, [file]);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    expect(await acquireLock(folder, 1)).toBeNull();
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await gone;
    await using lock = await acquireLock(folder, 1);
    expect(lock).not.toBeNull();
  });
});
