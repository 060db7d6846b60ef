/** Odd transcripts through the whole program: what it says of them, how it ends, what memory it takes. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { runCli } from "../support/built-cli.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

const MILLION = 1_000_000;
const message = (text: string) => Buffer.from(`{"role":"user","content":"${text}"}\n`);

/** A transcript of a million records. */
function writeMillion(path: string, recordAt: (n: number) => string): void {
  const file = openSync(path, "w");
  for (let block = 0; block < MILLION; block += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, index) => `${recordAt(block + index)}\n`);
    writeSync(file, lines.join(""));
  }
  closeSync(file);
}

const PLACE = `"sessionId":"s","cwd":"/home/user/parcels"`;

/** A record of Qwen Code. */
function qwenRecord(n: number, type: string, part: string): string {
  const head = `"uuid":"${n}","parentUuid":"${n - 1}",${PLACE}`;
  return `{${head},"type":"${type}","message":{"parts":[${part}]}}`;
}

const words = (n: number) => qwenRecord(n, "user", `{"text":"m${n}"}`);

/** By turns a call and its result. */
function reading(n: number): string {
  const isCall = n % 2 === 0;
  const known = `"id":"c${isCall ? n : n - 1}","name":"read_file"`;
  return isCall
    ? qwenRecord(n, "assistant", `{"functionCall":{${known},"args":{"file_path":"part-${n}.ts"}}}`)
    : qwenRecord(n, "tool_result", `{"functionResponse":{${known},"response":{"output":"r${n}"}}}`);
}

const timeOf = (n: number) =>
  `"timestamp":"${new Date(1_772_000_000_000 + n * 1000).toISOString()}"`;

/** The same of Claude Code, where each call writes a file. */
function writing(n: number): string {
  const call = `toolu_${n - (n % 2)}`;
  const file = `"file_path":"/home/user/parcels/part-${n}.ts","content":"x"`;
  const use = `{"type":"tool_use","id":"${call}","name":"Write","input":{${file}}}`;
  const result = `{"type":"tool_result","tool_use_id":"${call}","content":"ok"}`;
  const [type, message] =
    n % 2 === 0
      ? ["assistant", `"id":"m${n}","role":"assistant","content":[${use}]`]
      : ["user", `"role":"user","content":[${result}]`];
  const head = `"uuid":"u${n}","parentUuid":"u${n - 1}",${PLACE},${timeOf(n)}`;
  return `{${head},"type":"${type}","message":{${message}}}`;
}

/** The same of Codex CLI, where each call patches one. */
function patching(n: number): string {
  const call = `"call_id":"call_${n - (n % 2)}"`;
  const patch = `*** Begin Patch\\n*** Add File: part-${n}.ts\\n+x\\n*** End Patch\\n`;
  const item =
    n % 2 === 0
      ? `"type":"custom_tool_call","name":"apply_patch",${call},"input":"${patch}"`
      : `"type":"custom_tool_call_output",${call},"output":"ok"`;
  return `{${timeOf(n)},"type":"response_item","payload":{${item}}}`;
}

/** And of GitHub Copilot CLI, where each runs a command. */
function running(n: number): string {
  const call = `"toolCallId":"call_${n - (n % 2)}"`;
  const head = `"id":"e${n}","parentId":"e${n - 1}",${timeOf(n)}`;
  const request = `{${call},"name":"bash","arguments":{"command":"wc part-${n}.ts"}}`;
  return n % 2 === 0
    ? `{${head},"type":"assistant.message","data":{"content":"","toolRequests":[${request}]}}`
    : `{${head},"type":"tool.execution_complete","data":{${call},"success":true,"result":{"content":"r${n}"}}}`;
}

test.each([
  { records: "words", recordAt: words, turns: MILLION },
  { records: "files read", recordAt: reading, turns: MILLION / 2 },
  { records: "files written", recordAt: writing, turns: MILLION / 2 },
  { records: "files patched", recordAt: patching, turns: MILLION / 2 },
  { records: "commands", recordAt: running, turns: MILLION / 2 },
])(
  "a million tiny records ($records) are reviewed in less than 700 MB",
  async ({ recordAt, turns }) => {
    await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
    const path = join(repository.tempRoot, "million.jsonl");
    writeMillion(path, recordAt);
    const measure = join(repository.tempRoot, "peak.cjs");
    writeFileSync(
      measure,
      'process.on("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS + " KiB"));',
    );
    const run = async (...args: readonly string[]) => {
      const options = { env: { NODE_OPTIONS: `--require ${measure}` } };
      const result = await runCli(repository, [...args, "--json", path], options);
      const peak = Number(/peak (\d+) KiB/.exec(result.stderr)?.[1]);
      expect(peak).toBeGreaterThan(30 * 1000);
      expect(peak).toBeLessThan(700 * 1000);
      return result.json<object>();
    };
    expect(await run("transcripts")).toMatchObject({ transcripts: [{ turns }] });
    const reviewed = await run("review", "--reviewer", "offline", "--force", "--dry-run");
    expect(reviewed).toMatchObject({ status: "nothing_to_save" });
  },
  600_000,
);

test("a ZIP of several transcripts is listed one by one, and what is none is named", async () => {
  await using repository = await temporaryRepository();
  const path = join(repository.tempRoot, "artefact.zip");
  const files = { "a.jsonl": message("Sort."), "b.jsonl.gz": gzipSync(message("Again.")) };
  writeFileSync(path, zipSync({ ...files, "c.json": message("[]").subarray(0, 4) }));
  const result = await runCli(repository, ["transcripts", "--json", path]);
  expect(result.code).toBe(1);
  expect(result.json<object>()).toEqual({
    transcripts: [
      expect.objectContaining({ file: `${path}: a.jsonl`, turns: 1 }),
      expect.objectContaining({ file: `${path}: b.jsonl.gz`, turns: 1 }),
    ],
    errors: [expect.objectContaining({ file: `${path}: c.json` })],
  });
});

test("a FIFO is refused and not waited for; the others are listed", async () => {
  await using repository = await temporaryRepository();
  const fifo = join(repository.tempRoot, "fifo");
  execFileSync("mkfifo", [fifo]);
  const path = join(repository.tempRoot, "a.jsonl");
  writeFileSync(path, message("Sort."));
  const result = await runCli(repository, ["transcripts", "--json", fifo, path]);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain("is a pipe, device or socket, not a file");
  expect(result.json<{ transcripts: object[] }>().transcripts).toHaveLength(1);
});

test("histories in Markdown are found in the folders where agents keep them", async () => {
  await using repository = await temporaryRepository();
  const history = join(repository.tempRoot, "project", ".specstory", "history");
  mkdirSync(history, { recursive: true });
  writeFileSync(join(history, "a.md"), "<!-- Generated by SpecStory -->\n\n_**User**_\n\nSort.\n");
  writeFileSync(join(history, "..", "..", "README.md"), "# parcels\n");
  const chat = "# aider chat started at 2026-03-02 10:00:00\n\n#### Sort.\n";
  writeFileSync(join(history, "..", "..", ".aider.chat.history.md"), chat);
  const folder = join(repository.tempRoot, "project");
  const result = await runCli(repository, ["transcripts", "--json", folder]);
  expect(result.code).toBe(0);
  const { transcripts } = result.json<{ transcripts: { agent: string }[] }>();
  expect(transcripts.map(({ agent }) => agent)).toEqual(["aider", "specstory"]);
  const own = await runCli(repository, ["transcripts", "--json", history]);
  expect(own.json<{ transcripts: object[] }>().transcripts).toHaveLength(1);
});
