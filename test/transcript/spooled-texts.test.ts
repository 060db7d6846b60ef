import { execFileSync } from "node:child_process";
import { existsSync, fstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TOOL_RESULT_MAX_CHARS } from "../../src/core/limits.ts";
import { createRedactor } from "../../src/secrets/redactor.ts";
import { readTranscript } from "../../src/transcript/read-transcript.ts";
import { redactSession } from "../../src/transcript/redact-session.ts";
import { learnFromSpool, sessionText } from "../../src/transcript/session-text.ts";
import { TextSpool } from "../../src/transcript/text-spool.ts";

let home: string;
let made = 0;
const openSpool = () =>
  new TextSpool(() => {
    made += 1;
    const path = mkdtempSync(join(home, "spool-"));
    return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
  });

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-test-")));
  made = 0;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Message {
  readonly says?: string;
  readonly args?: Record<string, unknown>;
  readonly result?: string;
}

/** A Qwen Code transcript: a task, then a call with its result for each message. */
function transcript(messages: readonly Message[]): Uint8Array {
  const base = { sessionId: "s1", cwd: "/home/user/parcels" };
  const record = (type: string, uuid: string, parts: readonly unknown[]) =>
    JSON.stringify({ ...base, type, uuid, parentUuid: null, message: { role: type, parts } });
  const lines = messages.flatMap(({ says, args = {}, result }, n) => {
    const id = `c${n}`;
    const said = says === undefined ? [] : [{ text: says }];
    const functionCall = { id, name: "read_file", args };
    const response = { id, name: "read_file", response: { output: result ?? "done" } };
    return [
      record("assistant", `a${n}`, [...said, { functionCall }]),
      record("tool_result", `r${n}`, [{ functionResponse: response }]),
    ];
  });
  return Buffer.from([record("user", "u", [{ text: "Go." }]), ...lines].join("\n"));
}

/** The whole text of a transcript, as the reviewer's `/transcript` has it. */
async function textOf(spool: TextSpool | null, messages: readonly Message[]) {
  const bytes = transcript(messages);
  const session = await readTranscript({ kind: "bytes", name: "given.jsonl", bytes }, spool);
  const redactor = createRedactor({ credentials: [] });
  const source = spool === null ? null : { spool, redact: redactor.redact.bind(redactor) };
  if (source !== null) await learnFromSpool(session, source);
  const redacted = await redactSession(session, redactor);
  const { parts } = await sessionText(redacted, source);
  return { session, parts, text: parts.map((part) => part.read().toString()).join("") };
}

const numbered = (n: number, word = "line") =>
  Array.from({ length: n }, (_, i) => `${word} ${i} of it`).join("\n");
const token = () => ["gh", "p_", "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"].join("");

describe("the whole of a session", () => {
  test("has every text that the session itself keeps cut", async () => {
    using spool = openSpool();
    const [said, content, result] = [numbered(9000, "said"), numbered(4000, "arg"), numbered(4000)];
    const { session, text } = await textOf(spool, [
      { says: said, args: { file_path: "a.ts", content }, result },
      { says: "Short.", args: { file_path: "b.ts" }, result: "short" },
    ]);
    const [call] = session.turns[1]?.toolCalls ?? [];
    expect(call?.result?.length).toBeLessThanOrEqual(TOOL_RESULT_MAX_CHARS);
    for (const whole of [said, content, result]) expect(text).toContain(whole.replace(/^/gm, "  "));
    expect(text).toContain('  [argument "content", whole:]\n  arg 0 of it');
    expect(text).not.toContain("characters left out");
    expect(text).toMatch(/^ {2}Short\.$/m);
  });

  test("has it without a spool as far as the session does, and says what is left out", async () => {
    const { session, text } = await textOf(null, [{ result: numbered(4000) }]);
    expect(session.turns[1]?.toolCalls[0]?.fullResult).toBeUndefined();
    expect(text).toMatch(/\[… \d+ characters left out …\]/);
  });

  test("has arguments with more values than are kept", async () => {
    using spool = openSpool();
    const items = Array.from({ length: 5000 }, (_, i) => `item ${i}`);
    const { text } = await textOf(spool, [{ args: { items } }]);
    expect(text).toContain('"item 4999"');
  });

  test("repeats nothing when a long message was logged twice", async () => {
    using spool = openSpool();
    const says = numbered(9000, "said");
    const twice = Buffer.from(transcript([{ says }]))
      .toString()
      .split("\n");
    const bytes = Buffer.from([twice[0], twice[1], twice[1], twice[2]].join("\n"));
    const session = await readTranscript({ kind: "bytes", name: "x", bytes }, spool);
    expect(session.turns.flatMap((turn) => turn.fullTexts ?? [])).toHaveLength(1);
  });

  test("comes in parts of whole lines when it is long", async () => {
    using spool = openSpool();
    const { parts, text } = await textOf(spool, [
      { result: numbered(400_000) },
      { result: `one ${"long ".repeat(200_000)}line` },
    ]);
    expect(parts.length).toBeGreaterThan(1);
    let lines = 0;
    for (const part of parts) {
      const own = part.read();
      expect(part.firstLine).toBe(lines);
      expect(part.bytes).toBe(own.length);
      expect(own.length).toBeLessThanOrEqual(4 * 1024 * 1024);
      expect(own.at(-1)).toBe(0x0a);
      lines += own.toString().split("\n").length - 1;
      expect(part.lines).toBe(own.toString().split("\n").length - 1);
    }
    expect(text).toContain("\n  line 399999 of it\n");
    expect(text).toMatch(/long \n {2}\[the line goes on\] long/);
  });
});

describe("secrets in long texts", () => {
  const key = () => {
    const material = Array.from(
      { length: 60 },
      (_, i) => `${i}`.padStart(2, "0") + "qX7".repeat(20) + "ab",
    );
    const [begin, end] = ["BEGIN", "END"].map((word) => `-----${word} RSA ${"PRIVATE"} KEY-----`);
    return [begin, ...material, end].join("\n");
  };

  test("are replaced wherever the windows end", async () => {
    using spool = openSpool();
    // Around the end of the first window lies a secret at each step of some characters.
    const line = `export A=${token()} # ${"x".repeat(50)}`;
    const filler = (n: number) => numbered(100_000, "long line").slice(0, 2 * 1024 * 1024 - n);
    const { text } = await textOf(spool, [
      { result: `${filler(3000)}\n${`${line}\n`.repeat(60)}${numbered(3000)}` },
      { result: `${filler(3000).replaceAll("\n", " ")} ${`${line} `.repeat(60)}${numbered(3000)}` },
      { result: `${filler(20_000)}\n${`key:\n${key()}\n`.repeat(10)}${numbered(3000)}` },
    ]);
    expect(text.split("[redacted:github-token:1]").length - 1).toBe(120);
    expect(text).not.toContain(token().slice(4, 20));
    expect(text).not.toContain("qX7qX7");
    expect(text.match(/redacted:private-key/g)).toHaveLength(10);
  });

  test("are replaced where they stand alone, when only a long text gives them away", async () => {
    using spool = openSpool();
    const value = ["Zk4", "Rm8Tq1Vw6Yb3"].join("");
    const { text } = await textOf(spool, [
      { result: `the word is ${value}` },
      { result: `${numbered(2000)}\nAPI_TOKEN=${value}\n${numbered(2000)}` },
    ]);
    expect(text).not.toContain(value);
  });

  test("are withheld with the rest of a text in which no edge is safe", async () => {
    using spool = openSpool();
    const text = spool.add("a b ".repeat(1_000_000));
    // A redaction for which any two halves are more than the whole.
    const redact = async (given: readonly string[]) => given.map((each) => `${each.length}|`);
    const session = { turns: [{ ...turnBase, fullTexts: text === null ? [] : [text] }] };
    const { parts } = await sessionText(session as never, { spool, redact });
    expect(parts[0]?.read().toString()).toMatch(
      /can't be checked for secrets in parts and is left out/,
    );
  });
});

const turnBase = {
  id: "t1",
  role: "agent",
  text: "",
  toolCalls: [],
  midTurn: false,
  rewound: false,
  subagent: null,
  at: null,
};

describe("the spool", () => {
  test("makes no file for a session whose texts are all short", async () => {
    using spool = openSpool();
    await textOf(spool, [{ says: "Short.", result: numbered(10) }]);
    expect(made).toBe(0);
    expect(readdirSync(home)).toEqual([]);
  });

  test("makes none either while it can keep what it holds in memory", async () => {
    using spool = openSpool();
    const source = { kind: "bytes", name: "x", bytes: transcript([{ result: numbered(4000) }]) };
    await readTranscript(source as never, spool);
    expect(made).toBe(0);
  });

  test("leaves no name behind from the moment that its file is open", async () => {
    const spool = openSpool();
    await textOf(spool, [{ result: numbered(100_000) }]);
    expect(made).toBe(1);
    expect(readdirSync(home)).toEqual([]);
    spool[Symbol.dispose]();
    expect(readdirSync(home)).toEqual([]);
  });

  test.skipIf(!existsSync("/proc/self/fd"))("keeps its file for the owner alone", () => {
    using spool = openSpool();
    const text = spool.add("secret ".repeat(100_000));
    if (text === null) throw new Error("no room");
    spool.read(text, 0, 10);
    const modes = readdirSync("/proc/self/fd").flatMap((fd) => {
      try {
        const link = execFileSync("readlink", [`/proc/${process.pid}/fd/${fd}`], {
          encoding: "utf8",
        });
        return link.startsWith(home) ? [fstatSync(Number(fd)).mode & 0o777] : [];
      } catch {
        return []; // closed meanwhile
      }
    });
    expect(modes).toEqual([0o600]);
  });

  test("gives back any bytes of any text", () => {
    using spool = openSpool();
    const texts = ["a".repeat(300_000), "", "äöü", "b".repeat(600_000)].map((text) => ({
      text,
      spooled: spool.add(text),
    }));
    for (const { text, spooled } of texts) {
      if (spooled === null) throw new Error("no room");
      expect(spool.read(spooled, 0, spooled.bytes).toString()).toBe(text);
      expect(spool.read(spooled, 2, 4).toString()).toBe(
        Buffer.from(text).subarray(2, 6).toString(),
      );
    }
  });
});
