import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { expandInputs } from "../../src/transcript/expand-inputs.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "inputs-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
for (const name of [
  "one.jsonl",
  "two.txt",
  "sessions/b.jsonl",
  "sessions/a.json",
  "sessions/deep/.hidden/c.jsonl",
  "sessions/a.runtime.json",
  "sessions/a.ledger.jsonl",
  "odd[1]*.jsonl",
  "empty/readme.md",
]) {
  mkdirSync(join(cwd, name, ".."), { recursive: true });
  writeFileSync(join(cwd, name), "{}");
}

let stdinReads = 0;
const stdin = async () => {
  stdinReads += 1;
  return Buffer.from("given");
};

async function expanded(...inputs: string[]) {
  const sources = await expandInputs(inputs, { cwd, stdin });
  return sources.map((source) =>
    source.kind === "file" ? source.path.slice(cwd.length + 1) : source.name,
  );
}

describe("expandInputs", () => {
  it("takes files as they are, whatever their ending", async () => {
    expect(await expanded("two.txt", join(cwd, "one.jsonl"))).toEqual(["two.txt", "one.jsonl"]);
  });

  it("takes what lies in a folder, without the neighbours of transcripts", async () => {
    expect(await expanded("sessions")).toEqual([
      "sessions/a.json",
      "sessions/b.jsonl",
      "sessions/deep/.hidden/c.jsonl",
    ]);
  });

  it("takes globs, each file once", async () => {
    expect(await expanded("sessions/*.jsonl", "sessions/b.jsonl", "**/b.jsonl")).toEqual([
      "sessions/b.jsonl",
    ]);
  });

  it("takes a file whose name looks like a glob", async () => {
    expect(await expanded("odd[1]*.jsonl")).toEqual(["odd[1]*.jsonl"]);
  });

  it("reads standard input once", async () => {
    expect(await expanded("-", "one.jsonl", "-")).toEqual(["standard input", "one.jsonl"]);
    expect(stdinReads).toBe(1);
  });

  it.each([
    ["missing.jsonl", /missing\.jsonl does not exist/],
    ["*.nothing", /\*\.nothing: no file found/],
    ["empty", /empty: no \.jsonl, \.json or \.traj file found/],
  ])("says that %s names nothing", async (input, message) => {
    const expanding = expanded("one.jsonl", input);
    await expect(expanding).rejects.toThrow(message);
    await expect(expanding).rejects.toMatchObject({ code: "input" });
  });
});
