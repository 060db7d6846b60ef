import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, it } from "vitest";
import { SkillprError } from "../../src/core/errors.ts";
import { TOOL_ARGUMENT_MAX_CHARS, TOOL_RESULT_MAX_CHARS } from "../../src/core/limits.ts";
import { readTranscript } from "../../src/transcript/read-transcript.ts";
import { FIXTURES, readFixture, readText } from "./fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "transcripts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function failure(path: string): Promise<SkillprError> {
  try {
    await readTranscript({ kind: "file", path });
  } catch (error) {
    if (error instanceof SkillprError) return error;
    throw error;
  }
  throw new Error("was read");
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Bytes of the heap that are really in use: garbage would make the measurement a matter of luck. */
function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

describe("what stands before the first message", () => {
  const message = readFileSync(`${FIXTURES}claude-code/session.jsonl`, "utf8").split("\n");
  const snapshots = (count: number) =>
    Array.from({ length: count }, (_, n) => JSON.stringify({ type: "file-history-snapshot", n }));
  const read = (lines: readonly string[]) =>
    readTranscript({ kind: "bytes", name: "x", bytes: Buffer.from(lines.join("\n")) });

  it.each([50, 51, 60, 120, 600])("may be %s records that tell nothing", async (count) => {
    const { agent, toolCallCount } = await read(message);
    expect(await read([...snapshots(count), ...message])).toMatchObject({ agent, toolCallCount });
  });

  it("is not looked through without end", async () => {
    await expect(read([...snapshots(2000), ...message])).rejects.toThrow(/is not a transcript/);
  });
});

describe("readTranscript", () => {
  it("digests the raw bytes, the same from a file and from memory", async () => {
    const bytes = readFileSync(`${FIXTURES}qwen-chat/arc.jsonl`);
    const expected = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    expect((await readFixture("qwen-chat/arc.jsonl")).digest).toBe(expected);
    expect((await readTranscript({ kind: "bytes", name: "x", bytes })).digest).toBe(expected);
  });

  it.each([
    ["an empty file", "", /is empty$/],
    ["blanks", " \n\n ", /holds nothing but blanks$/],
    ["a text", "just a text\n", /is not a transcript that skillpr recognises$/],
    ["a document", '{"a":1}', /is not a transcript/],
    ["a list of numbers", "[1,2,3]", /is not a transcript/],
    [
      "another agent's",
      '{"type":"session_start","version":2,"cwd":"/home/user/parcels"}\n',
      /looks like a Factory Droid session/,
    ],
    ["a history", '{"display":"x","pastedContents":{}}', /looks like a prompt history/],
    [
      "a document that breaks off before its first message",
      '{"session_id":"s","platform":"cli","mess',
      /is not a transcript that skillpr recognises: its end is missing$/,
    ],
    ["a tar archive", `parcels.jsonl${"\0".repeat(244)}ustar\0`, /looks like a tar archive/],
    ["a 7z archive", Buffer.from("377abcaf271c0004", "hex"), /looks like an archive/],
    ["several conversations", '{"messages":[]}\n{"messages":[]}\n', /looks like a data set/],
  ])("refuses %s and names the file", async (_, content, message) => {
    const path = file("given.jsonl", content);
    const error = await failure(path);
    expect(error.code).toBe("input");
    expect(error.message).toMatch(message);
    expect(error.message.startsWith(path)).toBe(true);
    expect(error.hint).not.toBe("");
  });

  it("lists what is read in the hint", async () => {
    expect((await failure(file("text.txt", "text"))).hint).toMatch(
      /Qwen Code chat records.*OpenAI-style/,
    );
  });

  it("refuses a missing file, a folder and a FIFO without waiting", async () => {
    expect((await failure(join(folder, "none"))).message).toMatch(/does not exist$/);
    expect((await failure(folder)).message).toMatch(/is a folder/);
    execFileSync("mkfifo", [join(folder, "fifo")]);
    expect((await failure(join(folder, "fifo"))).message).toMatch(/is a pipe, device or socket/);
    expect((await failure("/dev/zero")).message).toMatch(/is a pipe, device or socket/);
  });

  it.skipIf(process.getuid?.() === 0)("refuses an unreadable file", async () => {
    const path = file("secret.jsonl", "{}");
    chmodSync(path, 0);
    expect((await failure(path)).message).toMatch(/can't be read/);
  });

  it.skipIf(process.platform !== "linux").each(["/proc/kmsg", "/proc/self/mem"])(
    "refuses what looks like a file and can't be read as one: %s",
    async (path) => {
      expect(await failure(path)).toMatchObject({ code: "input" });
    },
  );

  it("escapes control characters of a file name", async () => {
    await expect(readText("x", "a\u001b[31m.jsonl")).rejects.toThrow("a\\u{1b}[31m.jsonl is not");
  });

  it("keeps of long values only what the limits allow", async () => {
    const call = {
      functionCall: {
        id: "c1",
        name: "write_file",
        args: { file_path: "a", content: "x ".repeat(20_000) },
      },
    };
    const answer = {
      functionResponse: { id: "c1", name: "write_file", response: { output: "y ".repeat(20_000) } },
    };
    const base = { sessionId: "s", timestamp: "2026-03-02T10:00:00Z" };
    const text = [
      JSON.stringify({ ...base, uuid: "a", type: "assistant", message: { parts: [call] } }),
      JSON.stringify({ ...base, uuid: "b", type: "tool_result", message: { parts: [answer] } }),
    ].join("\n");
    const kept = (await readText(text)).turns[0]?.toolCalls[0];
    expect(String(kept?.args["content"]).length).toBeLessThanOrEqual(TOOL_ARGUMENT_MAX_CHARS);
    expect(kept?.result?.length).toBeLessThanOrEqual(TOOL_RESULT_MAX_CHARS);
    expect(kept?.result).toMatch(/^y y[\s\S]*characters left out[\s\S]*y y $/);
  });

  it("reads a large file without holding it", async () => {
    const path = file("large.jsonl", "");
    const line = (n: number) =>
      `${JSON.stringify({
        uuid: `r${n}`,
        parentUuid: n === 0 ? null : `r${n - 1}`,
        sessionId: "s",
        timestamp: "2026-03-02T10:00:00Z",
        type: "tool_result",
        message: {
          parts: [
            {
              functionResponse: {
                id: `c${n}`,
                name: "x",
                response: { output: "z".repeat(100_000) },
              },
            },
          ],
        },
      })}\n`;
    for (let n = 0; n < 300; n += 1) appendFileSync(path, line(n));
    const session = await readTranscript({ kind: "file", path });
    expect(session.notes).toEqual(["300 results belong to calls that the file doesn't hold"]);
  });

  it("keeps no parent string alive through a cut one", async () => {
    const big = "word ".repeat(400_000);
    const before = heapAfterCollection();
    const sessions = [];
    for (let n = 0; n < 20; n += 1) {
      const text = JSON.stringify({
        uuid: "a",
        sessionId: `s${n}`,
        timestamp: "2026-03-02T10:00:00Z",
        type: "user",
        message: { parts: [{ text: `${n} ${big}` }] },
      });
      sessions.push(await readText(text));
    }
    // 20 messages of 2 MB each; of each 64 KB are kept, in two bytes a character at most.
    expect(heapAfterCollection() - before).toBeLessThan(20 * 1024 * 1024);
    expect(sessions).toHaveLength(20);
  });
});
