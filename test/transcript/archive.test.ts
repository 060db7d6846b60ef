import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { unpackedChunks, zipEntries } from "../../src/transcript/archive.ts";
import { expandInputs } from "../../src/transcript/expand-inputs.ts";
import { readTranscript } from "../../src/transcript/read-transcript.ts";

const cwd = mkdtempSync(join(tmpdir(), "archives-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const LIMITS = { packedBytes: 100_000, unpackedBytes: 50_000, entryBytes: 40_000, entries: 10 };
const message = Buffer.from('{"role":"user","content":"Sort."}\n');
const other = Buffer.from('{"role":"user","content":"Sort again."}\n');

async function unpacked(bytes: Uint8Array): Promise<string> {
  let text = "";
  for await (const chunk of unpackedChunks([bytes], "given", LIMITS)) {
    text += Buffer.from(chunk).toString("latin1");
  }
  return text;
}

async function sessionsOf(bytes: Uint8Array) {
  writeFileSync(join(cwd, "given.zip"), bytes);
  const sources = await expandInputs(["given.zip"], { cwd, stdin: async () => message });
  const sessions = [];
  for (const source of sources) {
    const session = await readTranscript(source);
    const name = source.kind === "file" ? source.path : source.name;
    sessions.push([name.slice(cwd.length + 1), session.turns.map((turn) => turn.text)]);
  }
  return sessions;
}

/** A ZIP whose directory announces another size for its one file. */
function announcing(size: number, files: Record<string, Uint8Array>): Buffer {
  const bytes = Buffer.from(zipSync(files));
  const directory = bytes.indexOf("PK\u0001\u0002", 0, "latin1");
  bytes.writeUInt32LE(size, directory + 24);
  return bytes;
}

describe("archives of several transcripts", () => {
  it("give a session each", async () => {
    const zip = zipSync({
      "a.jsonl": message,
      "deep/b.jsonl.gz": gzipSync(other),
      "deep/c.zip": zipSync({ "c.jsonl": other }),
    });
    expect(await sessionsOf(zip)).toEqual([
      ["given.zip: a.jsonl", ["Sort."]],
      ["given.zip: deep/b.jsonl.gz", ["Sort again."]],
      ["given.zip: deep/c.zip", ["Sort again."]],
    ]);
  });

  it("pass over folders, sidecars, and what isn't named like a transcript", async () => {
    const zip = zipSync({
      "folder/": new Uint8Array(),
      "README.md": message,
      "__MACOSX/._a.jsonl": message,
      "a.runtime.json": message,
      "a.jsonl": message,
    });
    expect(await sessionsOf(zip)).toEqual([["given.zip", ["Sort."]]]);
  });

  it("are refused by name where one transcript is expected", async () => {
    const bytes = zipSync({ "a.jsonl": message, "b.jsonl": other });
    await expect(readTranscript({ kind: "bytes", name: "given", bytes })).rejects.toMatchObject({
      code: "input",
      message: "given is an archive of 2 files (a.jsonl, b.jsonl), not one transcript",
    });
  });

  it("give the name of a damaged file among others", async () => {
    const zip = Buffer.from(zipSync({ "a.jsonl": message, "b.jsonl": Buffer.alloc(3000, "abcd") }));
    const second = zip.indexOf("b.jsonl", 0, "latin1");
    zip.fill(0xff, second + 7, second + 20);
    await expect(sessionsOf(zip)).rejects.toThrow(/given\.zip: b\.jsonl can't be unpacked/);
  });
});

describe("what an archive unpacks to is bounded", () => {
  it("in bytes of gzip", async () => {
    expect(await unpacked(gzipSync(Buffer.alloc(50_000)))).toHaveLength(50_000);
    await expect(unpacked(gzipSync(Buffer.alloc(50_001)))).rejects.toThrow(/packed and larger/);
  });

  it("in bytes of a file and of all files of a ZIP", async () => {
    const large = Buffer.alloc(40_001, "x");
    await expect(unpacked(zipSync({ a: large }))).rejects.toThrow(/packed and larger/);
    const files = { a: large.subarray(1), b: large.subarray(1) };
    expect(() => zipEntries(zipSync(files), "given", LIMITS)).toThrow(/packed and larger/);
  });

  it("in bytes of the archive", async () => {
    const noise = Buffer.from(zipSync({ a: Buffer.alloc(100_001) }, { level: 0 }));
    await expect(unpacked(noise)).rejects.toThrow(/packed and larger/);
  });

  it("in files", async () => {
    const files = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${n}.jsonl`, message]));
    await expect(unpacked(zipSync(files))).rejects.toThrow("given holds more than 10 files");
  });

  it("in nesting", async () => {
    const nested = (levels: number): Uint8Array =>
      levels === 0 ? message : gzipSync(nested(levels - 1));
    expect(await unpacked(nested(3))).toBe(message.toString("latin1"));
    await expect(unpacked(nested(4))).rejects.toThrow(/more than 3 archives inside each other/);
  });

  it("whatever a ZIP announces", async () => {
    const packed = { "a.jsonl": Buffer.alloc(30_000, "x") };
    await expect(unpacked(announcing(0xfffffff0, packed))).rejects.toThrow(/packed and larger/);
    // A file that is larger than announced fills no more than that.
    expect((await unpacked(announcing(100, packed))).length).toBeLessThanOrEqual(100);
  });
});

describe("damaged archives", () => {
  const gzip = gzipSync(Buffer.from("parcels ".repeat(500)));
  const zip = Buffer.from(zipSync({ "a.jsonl": Buffer.from("parcels ".repeat(500)) }));

  it.each([
    ["gzip that is cut off", gzip.subarray(0, -12)],
    ["gzip with a damaged header", Buffer.from("1f8b08ff0000", "hex")],
    ["gzip with damaged data", Buffer.concat([gzip.subarray(0, 20), Buffer.alloc(20, 0xff)])],
    ["a ZIP that is cut off", zip.subarray(0, -30)],
    [
      "a ZIP with damaged data",
      Buffer.concat([zip.subarray(0, 37), Buffer.alloc(10, 0xff), zip.subarray(47)]),
    ],
    ["the beginning of a ZIP", zip.subarray(0, 4)],
  ])("%s is refused", async (_, bytes) => {
    const unpacking = unpacked(bytes);
    await expect(unpacking).rejects.toMatchObject({ code: "input" });
    await expect(unpacking).rejects.toThrow(/^given(?:: a\.jsonl)? can't be unpacked$/);
  });

  it("a ZIP without files is refused", async () => {
    await expect(unpacked(zipSync({}))).rejects.toThrow("given is an archive without a transcript");
  });
});
