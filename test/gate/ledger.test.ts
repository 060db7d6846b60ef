import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LEDGER_SESSION_LOOKS } from "../../src/core/limits.ts";
import { type LedgerEntry, openLedger } from "../../src/gate/ledger.ts";

let home: string;
let dir: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "ledger-"));
  dir = join(home, "state", "ledger");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const entry: LedgerEntry = {
  digest: `sha256:${"ab".repeat(32)}`,
  sessionId: "s1",
  agent: "qwen-code",
  status: "proposed",
  skills: ["dates-in-utc"],
  at: "2026-03-02T10:00:00.000Z",
};
const file = () => join(dir, `${"ab".repeat(32)}.json`);

describe("the ledger", () => {
  it("creates nothing before the first entry", async () => {
    expect(await openLedger(dir).find(entry.digest)).toBeNull();
    expect(existsSync(dir)).toBe(false);
  });

  it("finds what it recorded, and only that", async () => {
    await openLedger(dir).record(entry);
    const ledger = openLedger(dir);
    expect(await ledger.find(entry.digest)).toEqual(entry);
    expect(await ledger.find(`sha256:${"cd".repeat(32)}`)).toBeNull();
    expect(ledger.notes()).toEqual([]);
  });

  it("is private and leaves no temporary file", async () => {
    await openLedger(dir).record(entry);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it("replaces an entry; of many writers one whole entry stays", async () => {
    const ledger = openLedger(dir);
    const entries = Array.from({ length: 20 }, (_, n) => ({ ...entry, sessionId: `s${n}` }));
    await Promise.all(entries.map((each) => ledger.record(each)));
    expect(entries).toContainEqual(await ledger.find(entry.digest));
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it.each([
    ["no JSON", "{"],
    ["another shape", "[]"],
    ["an unknown status", JSON.stringify({ ...entry, status: "failed" })],
    ["another session's", JSON.stringify({ ...entry, digest: `sha256:${"cd".repeat(32)}` })],
    ["too large", JSON.stringify({ ...entry, at: "x".repeat(100_000) })],
  ])("takes a damaged entry (%s) for none and says so", async (_, content) => {
    const ledger = openLedger(dir);
    await ledger.record(entry);
    writeFileSync(file(), content);
    expect(await ledger.find(entry.digest)).toBeNull();
    expect(ledger.notes()).toEqual([
      `The ledger entry ${file()} is damaged; the session counts as not reviewed.`,
    ]);
    await ledger.record(entry);
    expect(await ledger.find(entry.digest)).toEqual(entry);
  });

  it("finds the entries of a session by how far it was reviewed, the longest first", async () => {
    const reviewed = (turns: number) => ({ turns, before: "sha256:a", last: "sha256:b" });
    const at = (n: number, more: Partial<LedgerEntry> = {}) => ({
      ...entry,
      digest: `sha256:${String(n).padStart(64, "0")}`,
      reviewed: reviewed(n),
      ...more,
    });
    const ledger = openLedger(dir);
    const others = [at(5, { sessionId: "../s2" }), at(6, { agent: "claude-code" }), entry];
    for (const each of [at(3), at(12), at(7), ...others]) await ledger.record(each);
    const found = async (turns: number) =>
      (await ledger.ofSession("qwen-code", "s1", turns)).map((each) => each.reviewed?.turns);
    expect(await found(20)).toEqual([12, 7, 3]);
    expect(await found(11)).toEqual([7, 3]);
    expect(await found(2)).toEqual([]);
    expect((await ledger.ofSession("qwen-code", "../s2", 9)).map((each) => each.digest)).toEqual([
      at(5).digest,
    ]);
    rmSync(join(dir, `${"7".padStart(64, "0")}.json`));
    expect(await found(20)).toEqual([12, 3]);
    for (let n = 13; n < 30; n++) await ledger.record(at(n));
    expect(await found(40)).toHaveLength(LEDGER_SESSION_LOOKS);
    expect(ledger.notes()).toEqual([]);
  });

  it("says which folder can't be written", async () => {
    writeFileSync(join(home, "state"), "a file in the way");
    await expect(openLedger(dir).record(entry)).rejects.toMatchObject({ code: "config" });
    await expect(openLedger(dir).record(entry)).rejects.toThrow(dir);
    await expect(openLedger(dir).record(entry)).rejects.toMatchObject({
      hint: expect.stringContaining("git folder"),
    });
  });

  it("makes no path of what is no digest", async () => {
    await expect(openLedger(dir).find("sha256:../../x")).rejects.toThrow(/not a digest/);
  });
});
