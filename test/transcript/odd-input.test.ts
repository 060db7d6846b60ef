/** What files really look like: each oddity once, over the fixtures of every format. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { TRANSCRIPT_CHUNK_BYTES } from "../../src/core/limits.ts";
import { readTranscript } from "../../src/transcript/read-transcript.ts";
import type { Session } from "../../src/transcript/session.ts";
import { transcriptChunks } from "../../src/transcript/transcript-file.ts";
import { allFixtures, FIXTURES, readText } from "./fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "odd-input-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (bytes: Uint8Array, name = "given") => readTranscript({ kind: "bytes", name, bytes });
const readFile = (path: string) => readTranscript({ kind: "file", path });

/** What a session says, without what follows from the bytes alone. */
function content({ digest: _, rawBytes: __, id, ...session }: Session) {
  return { ...session, id: id.startsWith(`${session.format}-`) ? null : id };
}

function file(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const user = (n: number, text = `message ${n}`) =>
  JSON.stringify({
    uuid: `r${n}`,
    parentUuid: n === 0 ? null : `r${n - 1}`,
    sessionId: "s",
    timestamp: "2026-03-02T10:00:00Z",
    type: "user",
    message: { role: "user", parts: [{ text }] },
  });

/** The same in big-endian order. */
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

describe.each(allFixtures())("%s", (name) => {
  const bytes = readFileSync(FIXTURES + name);
  const text = bytes.toString("utf8");
  const crlf = text.replace(/\r?\n/g, "\r\n");

  it.each([
    ["a byte order mark", Buffer.from(`\ufeff${text}`)],
    ["CRLF", Buffer.from(crlf)],
    ["CRLF and a byte order mark", Buffer.from(`\ufeff${crlf}`)],
    ["no final newline", Buffer.from(text.trimEnd())],
    ["blank lines before it", Buffer.from(`\n\n \r\n${text}`)],
    ["UTF-16 in little-endian order", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16 in big-endian order", swapped(Buffer.from(`\ufeff${text}`, "utf16le"))],
    ["UTF-16 with CRLF", Buffer.from(`\ufeff${crlf}`, "utf16le")],
    ["UTF-16 without a byte order mark", Buffer.from(text.trimStart(), "utf16le")],
    ["gzip", gzipSync(bytes)],
    ["a ZIP", zipSync({ "folder/session.jsonl": bytes })],
    ["a ZIP of gzip", zipSync({ "session.jsonl.gz": gzipSync(bytes) })],
  ])("is read the same with %s", async (_, given) => {
    expect(content(await read(given))).toEqual(content(await read(bytes)));
  });

  it("is the same session packed and unpacked", async () => {
    expect(await read(gzipSync(bytes))).toEqual(await read(bytes));
  });

  it("is read up to where it was cut off", async () => {
    const whole = await read(bytes);
    const cut = await read(bytes.subarray(0, bytes.length - 12)).catch((error) => error);
    if ("turns" in cut) expect(cut.turns.length).toBeLessThanOrEqual(whole.turns.length);
    // What is one document can't be told from half of it.
    else expect(cut).toMatchObject({ code: "input" });
  });

  it("is read with bytes in it that are no UTF-8", async () => {
    const damaged = Buffer.from(
      bytes.toString("latin1").replace(/sort/gi, "s\xff\xfert"),
      "latin1",
    );
    expect((await read(damaged)).turns.length).toBe((await read(bytes)).turns.length);
  });

  it("is read with NUL bytes before and behind it", async () => {
    const padded = Buffer.concat([Buffer.alloc(300), bytes, Buffer.alloc(4096)]);
    expect((await read(padded)).turns.length).toBe((await read(bytes)).turns.length);
  });
});

describe("a file that holds no session", () => {
  it.each([
    ["an empty file", "", /is empty$/],
    ["only whitespace", " \r\n\t\n ", /holds nothing but blanks$/],
    ["only a byte order mark", "\ufeff", /holds nothing but blanks$/],
    ["only a byte order mark of UTF-16", Buffer.from("\ufeff", "utf16le"), /holds nothing but/],
    ["an empty file in gzip", gzipSync(""), /is empty$/],
    ["only NUL bytes", Buffer.alloc(5000), /holds nothing but blanks$/],
    ["random bytes", Buffer.from("8f3a00ff1c2d7e", "hex"), /is not a transcript/],
    ["deeply nested JSON", "[".repeat(3_000_000), /is not a transcript/],
    ["a deeply nested object", '{"a":'.repeat(1_000_000), /is not a transcript/],
  ])("%s is refused", async (_, bytes, message) => {
    const reading = readFile(file("given", bytes));
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toMatchObject({ code: "input" });
  });
});

describe("lines", () => {
  const [one, two, three] = [user(0), user(1), user(2)];

  it("two objects glued on a line are two records", async () => {
    const session = await readText(`${one}${two}\n${three}\n`);
    expect(session).toMatchObject({ turns: { length: 3 }, notes: [] });
  });

  it("a last line cut in the middle is skipped, and the session says so", async () => {
    const session = await readText(`${one}\n${two}\n${three.slice(0, -20)}`);
    expect(session.turns).toHaveLength(2);
    expect(session.notes).toEqual(["the last record is cut off and skipped"]);
  });

  it("NUL bytes before a record, as a crash leaves them, cost no record", async () => {
    const session = await readText(`${one}\n${"\0".repeat(600)}${two}\n${three}\n`);
    expect(session).toMatchObject({ turns: { length: 3 }, notes: [] });
  });

  it("NUL bytes in a record cost that record", async () => {
    const session = await readText(`${one}\n${two.replace("message", "mess\0age")}\n${three}\n`);
    expect(session.turns.map((turn) => turn.text)).toEqual(["message 0", "message 2"]);
    expect(session.notes).toEqual(["1 line is not JSON and skipped"]);
  });

  it("a list behind the lines of a log is read", async () => {
    const log = "Starting up\n[info] ready\n";
    const run = readFileSync(`${FIXTURES}qwen-headless/run.json`, "utf8");
    const session = await readText(`${log}${JSON.stringify(JSON.parse(run))}\n`);
    expect(session).toMatchObject({ format: "qwen-headless", issuedToolCallCount: 4 });
  });

  it("one line of 20 MB is read, and its beginning and end are kept", async () => {
    const long = user(1, `begin ${"parcel ".repeat(3_000_000)}end`);
    expect(long.length).toBeGreaterThan(20_000_000);
    const path = file("long.jsonl", `${one}\n${long}\n${three}\n`);
    const session = await readFile(path);
    expect(session.turns).toHaveLength(3);
    expect(session.turns[1]?.text).toMatch(/^begin parcel[\s\S]*characters left out[\s\S]* end$/);
  });

  it("one line of 20 MB of Markdown is read", async () => {
    const text = `# aider chat started at 2026-03-02 10:00:00\n\n#### Hi.\n\n${"parcel ".repeat(3_000_000)}\n`;
    const session = await readText(text);
    expect(session.turns).toHaveLength(2);
  });

  it("a deeply nested argument is cut, the call is read", async () => {
    const deep = `${'{"a":'.repeat(1000)}1${"}".repeat(1000)}`;
    const part = `{"functionCall":{"id":"c1","name":"x","args":${deep}}}`;
    const record = user(1)
      .replace('"user",', '"assistant",')
      .replace(/\[\{.*\}\]/, `[${part}]`);
    const session = await readText(`${one}\n${record}\n`);
    expect(session.issuedToolCallCount).toBe(1);
  });

  it("a record that nests without end costs itself alone", async () => {
    const session = await readText(`${one}\n${'{"a":'.repeat(500_000)}\n${three}\n`);
    expect(session.turns).toHaveLength(2);
  });
});

describe("files", () => {
  it("one that grows is read as far as it reached", async () => {
    const path = file("growing.jsonl", `${user(0)}\n${user(1)}\n`);
    const chunks = transcriptChunks(path);
    // Opened with the first part; an agent writes on before the rest is read.
    const first = await chunks.next();
    appendFileSync(path, `${user(2)}\n`);
    let rest = 0;
    for await (const chunk of chunks) rest += chunk.length;
    expect(Buffer.from(first.value ?? []).toString("utf8")).toBe(`${user(0)}\n${user(1)}\n`);
    expect(rest).toBe(0);
    expect((await readFile(path)).turns).toHaveLength(3);
  });

  it("one that becomes shorter while it is read says so", async () => {
    const path = file("shrinking.jsonl", Buffer.alloc(4 * TRANSCRIPT_CHUNK_BYTES, "x"));
    const notes: string[] = [];
    for await (const _ of transcriptChunks(path, notes)) truncateSync(path, 10);
    expect(notes).toEqual(["the file became shorter while it was read"]);
  });

  it("one that is replaced while it is read is read as it was", async () => {
    const path = file("replaced.jsonl", Buffer.alloc(2 * TRANSCRIPT_CHUNK_BYTES, "x"));
    let size = 0;
    for await (const chunk of transcriptChunks(path)) {
      size += chunk.length;
      rmSync(path, { force: true });
    }
    expect(size).toBe(2 * TRANSCRIPT_CHUNK_BYTES);
  });

  it("a directory is refused", async () => {
    await expect(readFile(folder)).rejects.toThrow(/is a folder, not a transcript$/);
  });

  it("a FIFO is refused, not waited for", async () => {
    const path = join(folder, "fifo");
    execFileSync("mkfifo", [path]);
    await expect(readFile(path)).rejects.toThrow(/is a pipe, device or socket, not a file$/);
  });

  it("one without permission is refused", async () => {
    const path = file("secret.jsonl", user(0));
    chmodSync(path, 0);
    const root = process.geteuid?.() === 0;
    // Root reads anything: the test becomes somebody else for the time of the reading.
    if (root) chmodSync(folder, 0o755);
    if (root) process.seteuid?.(65534);
    try {
      await expect(readFile(path)).rejects.toMatchObject({
        code: "input",
        message: expect.stringMatching(/secret\.jsonl can't be read/),
      });
    } finally {
      if (root) process.seteuid?.(0);
    }
  });
});
