import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROJECT_FILE_MAX_BYTES, TOOL_OUTPUT_MAX_CHARS } from "../../src/core/limits.ts";
import {
  redactBytes,
  redactGitOutput,
  redactLines,
  withoutCutEnd,
} from "../../src/review/redact-lines.ts";
import { createRedactor } from "../../src/secrets/redactor.ts";
import { MARKED, type ToolBench, toolBench } from "./tool-bench.ts";

const key = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
}).privateKey;
const material = key.split("\n").slice(1, -2);
const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`;
const credential = "example-credential-0123456789";

/** Nothing of a secret that is longer than chance. */
function expectClean(text: string): void {
  for (const line of [...material, token, credential]) {
    for (let at = 0; at + 16 <= line.length; at += 4)
      expect(text).not.toContain(line.slice(at, at + 16));
  }
}

const redactor = createRedactor({ credentials: [credential] });
const redact = async (text: string) => (await redactor.redact([text]))[0] ?? "";

describe("line numbers stay", () => {
  test.each([
    ["one key", `one\n${key}two\n`],
    ["two keys side by side", `one\n${key}${key}two`],
    ["a key, a token, and a placeholder that was there", `${key}x ${token}\n[redacted:x:1]\nend`],
    ["at the end", `one\n${key.trimEnd()}`],
    ["nothing secret", "one\ntwo\n"],
  ])("%s", async (_, text) => {
    const clean = await redactLines(text, redact);
    expectClean(clean);
    const [before, after] = [text.split("\n"), clean.split("\n")];
    expect(after).toHaveLength(before.length);
    for (const [index, line] of before.entries())
      if (/^(?:one|two|end|\[redacted:x:1\])$/.test(line)) expect(after[index]).toBe(line);
  });
});

test("bytes that are no UTF-8 stay what they are around a secret", async () => {
  const bytes = Buffer.concat([
    Buffer.from([0xff, 0]),
    Buffer.from(` ${token} `),
    Buffer.from([0xfe]),
  ]);
  const clean = Buffer.from(await redactBytes(bytes, false, redact));
  expect([clean[0], clean[1], clean.at(-1)]).toEqual([0xff, 0, 0xfe]);
  expectClean(clean.toString("latin1"));
});

test("where a file was cut, its last line is left out", () => {
  expect(withoutCutEnd("one\ntwo ghp_abc")).toBe("one\n");
  expect(withoutCutEnd("one two ghp_abc")).toBe("one two ");
  const long = `${"x".repeat(1_000_000)} `;
  expect(withoutCutEnd(`${long}ghp_abc`)).toBe(long);
});

test("lines of a key without its frame are masked in what git shows, and its short last line", async () => {
  const [first = "", second = ""] = material;
  const last = "Zm9vYmFyQmF6MTIz";
  const diff = [`@@ -4,2 +4,3 @@`, ` ${first}`, `+${second}`, `+${last}==`, ` ${last}`, " done"];
  const lines = (await redactGitOutput(diff.join("\n"), redact)).split("\n");
  const part = "[redacted:private-key:part]";
  expect(lines).toEqual([diff[0], ` ${part}`, `+${part}`, `+${part}`, ` ${last}`, " done"]);
  const sum = "0123456789abcdef".repeat(4);
  expect(await redactGitOutput(`+${sum}\n+${"word".repeat(16)}`, redact)).toContain(sum);
});

test("lines of a known file are shown as in the file without its secrets, whatever stands around them", async () => {
  const pem = `${["-----BEGIN", "PRIVATE KEY-----"].join(" ")}\n${material.join("\n")}\nQmF6MTIz\n${["-----END", "PRIVATE KEY-----"].join(" ")}\n`;
  const file = `const a = 1;\r\n${pem}const b = 2;\n`;
  const parts = [
    "@@ -2,1 +2,1 @@ QmF6",
    "+QmF6MTIz",
    "| -QmF6MTIz",
    "12ab34cd (A 2026-01-02 9)     QmF6MTIz",
    "+const a = 1;\r",
    "@@ -2,1 +2,1 @@ const b = 2;",
  ];
  const lines = (await redactGitOutput(parts.join("\n"), redact, [file])).split("\n");
  expect(lines.join("\n")).not.toContain("QmF6");
  expect(lines[0]).toBe("@@ -2,1 +2,1 @@");
  expect(lines[2]).toMatch(/^\| -\[redacted:private-key:\d\]$/);
  expect(lines[3]).toMatch(/^12ab34cd \(A 2026-01-02 9\) {5}\[redacted:/);
  expect(lines.slice(4)).toEqual(parts.slice(4));
});

test("a secret in UTF-16 is found, and other bytes with a zero among them stay", async () => {
  const bytes = Buffer.from(`\ufefftoken ${token}\nnext\n`, "utf16le");
  const clean = Buffer.from(await redactBytes(bytes, false, redact)).toString("latin1");
  expect(clean.replaceAll("\0", "")).not.toContain(token.slice(0, 20));
  expect(clean.split("\n")).toHaveLength(3);
  const other = Buffer.from([0, 1, 2, 0, 255, 10, 0]);
  expect(await redactBytes(other, false, redact)).toEqual(other);
});

describe("no part that a tool cuts out shows a part of a secret", () => {
  let tools: ToolBench;
  // A line of its own length, as the last of each key has.
  const shortKey = key.replace(/\n[\s\S]*\n(?=-)/, `\n${(material[2] ?? "").slice(0, 56)}\n`);
  const pad = (chars: number) => `${"x".repeat(chars)} ${token} ${"y ".repeat(20_000)}`;
  beforeAll(async () => {
    const head = Math.floor((TOOL_OUTPUT_MAX_CHARS * 3) / 4);
    tools = await toolBench({
      files: {
        "key.pem": `before\n${key}after\n`,
        "encoded.txt": Buffer.from(pad(head - 20)).toString("base64"),
        "short.pem": shortKey,
        "conf.txt": `token ${token}\npassword ${credential}\n`,
        ...Object.fromEntries([10, 20, 30].map((at) => [`pad${at}.txt`, pad(head - at)])),
        // The bound goes through the token: what is left of it is too short to be told for one.
        "large.txt": `${"0123456789abcde\n".repeat(PROJECT_FILE_MAX_BYTES / 16 - 2)}${"z".repeat(6)} ${token}\n`,
      },
      prepare: async (repository) => {
        // A change in the middle of the key: its frame is not in the diff.
        const changed = key
          .split("\n")
          .with(12, material[3] ?? "")
          .join("\n");
        repository.write("key.pem", `before\n${changed}after\n`);
        repository.write("wide.txt", Buffer.from(`token ${token}\n`, "utf16le"));
        repository.write("short.pem", shortKey.replace("\n", "\nAAAA"));
        await repository.commit("second");
      },
      redact,
    });
    tools.skill("marked/SKILL.md", `${MARKED}\n${key}`);
  });
  afterAll(() => tools[Symbol.asyncDispose]());

  test.each<[string, object]>([
    ["read_file", { file_path: "key.pem", offset: 5, limit: 3 }],
    ["read_file", { file_path: ".qwen/skills/marked/SKILL.md", offset: 12, limit: 3 }],
    ["read_file", { file_path: "large.txt", offset: 262_140 }],
    ...[
      "sed -n 5,8p key.pem",
      "grep -v PRIVATE key.pem",
      "rev conf.txt; cut -c1-20 conf.txt; cut -c21- conf.txt",
      "base64 conf.txt",
      "cat pad10.txt",
      "cat pad20.txt",
      "cat pad30.txt",
      "base64 -d encoded.txt",
      "base64 -d encoded.txt >&2",
      "tr -d '\\0' < wide.txt | sed 's/./&~/g' | tr -d '~'",
      "git show HEAD:wide.txt | tr -d '\\0' | rev",
      "git blame -s -L 2,2 short.pem",
      "git log -L2,2:short.pem",
      "git log -p -U0 --graph -- short.pem",
      "git show HEAD:key.pem | sed -n 5,8p",
      "git show HEAD:conf.txt | cut -c1-20",
      "git blame -s key.pem | tail -n 12",
      "git blame -L 6,9 key.pem",
      "git diff -U1 HEAD~1 HEAD -- key.pem",
      "git log -p -1 -U0",
    ].map((command): [string, object] => ["shell", { command }]),
  ])("%s %j", async (name, args) => {
    const { text } = await tools.call(name, args);
    expectClean(text);
    expect(text).not.toContain([...token].reverse().join("").slice(0, 16));
    expect(text).not.toContain(Buffer.from(token).toString("base64").slice(4, 20));
  });

  test("a file that is too large ends with its last whole line", async () => {
    const { text } = await tools.call("read_file", { file_path: "large.txt", offset: 262_141 });
    expect(text).toMatch(/too large to be read whole\)\]\n0123456789abcde$/);
  });

  test("the lines behind a secret have their numbers", async () => {
    const number = `before\n${key}after\n`.split("\n").indexOf("after") + 1;
    const { text } = await tools.call("shell", { command: "grep -n after key.pem" });
    expect(text).toBe(`${number}:after`);
    const shown = await tools.call("shell", { command: "git show HEAD:key.pem | grep -n after" });
    expect(shown.text).toBe(`${number}:after`);
  });
});
