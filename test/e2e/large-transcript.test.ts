/** Transcripts of hundreds of megabytes, and what a reviewer can look up in a long one. */
import { closeSync, openSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEY, results, reviewBy } from "../support/auto-skill.ts";
import { runCli } from "../support/built-cli.ts";
import { calls, scriptedModel } from "../support/scripted-model.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const MEGABYTE = 1024 * 1024;
/** Prints the process's peak memory in megabytes when it ends. */
const PEAK = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS / 1024));',
)}`;

/** A Qwen Code transcript: a task, then calls with these results, and a last word. */
function writeTranscript(path: string, texts: Iterable<string>): void {
  const file = openSync(path, "w");
  const base = { sessionId: "large", cwd: "/home/user/parcels" };
  let n = 0;
  const write = (type: string, parts: readonly unknown[]) => {
    n += 1;
    const record = { ...base, uuid: `u${n}`, parentUuid: n === 1 ? null : `u${n - 1}` };
    writeSync(file, `${JSON.stringify({ ...record, type, message: { role: type, parts } })}\n`);
  };
  write("user", [{ text: "Sort the parcels." }]);
  for (const output of texts) {
    const [id, name] = [`c${n}`, "read_file"];
    write("assistant", [{ functionCall: { id, name, args: { file_path: `part-${n}.ts` } } }]);
    write("tool_result", [{ functionResponse: { id, name, response: { output } } }]);
  }
  write("assistant", [{ text: "Sorted." }]);
  closeSync(file);
}

function* repeated(count: number, text: (n: number) => string): Generator<string> {
  for (let n = 0; n < count; n += 1) yield text(n);
}

const LINE = "const total = parcels.filter(({ weight }) => weight > 7).map(({ id }) => id);\n";

/** Runs `review` and gives its outcome and the peak of its memory in megabytes. */
async function reviewAndMeasure(repository: TemporaryRepository, args: readonly string[]) {
  const result = await runCli(repository, ["review", ...args, "--json"], {
    env: { NODE_OPTIONS: `--import=${PEAK}` },
  });
  const peak = Number(/peak (\d+)/.exec(result.stderr)?.[1]);
  expect(peak).toBeGreaterThan(30);
  return { outcome: result.json(), peak };
}

test("a transcript of 200 MB is reviewed in less than 300 MB, and nothing of it is left behind", async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
  const transcript = join(repository.home, "large.jsonl");
  const long = LINE.repeat((2 * MEGABYTE) / LINE.length);
  const short = LINE.repeat(100);
  // Two million bytes at a time, and as much again in results of eight kilobytes.
  writeTranscript(
    transcript,
    repeated(50 * 251, (n) => (n % 251 === 0 ? `${n}${long}` : `${n}${short}`)),
  );
  const skipped = await reviewAndMeasure(repository, [transcript, "--threshold", "1000000"]);
  expect(skipped.outcome).toMatchObject({ status: "skipped", skippedReason: "below_threshold" });
  expect(skipped.outcome.session?.toolCallCount).toBe(50 * 251);
  expect(skipped.peak).toBeLessThan(300);
  const reviewed = await reviewAndMeasure(repository, [transcript, "--reviewer", "offline"]);
  expect(reviewed.outcome).toMatchObject({ status: "nothing_to_save" });
  expect(reviewed.peak).toBeLessThan(300);
  const left = readdirSync(repository.tempRoot, { recursive: true, encoding: "utf8" });
  expect(left.filter((name) => name.includes("skillpr-") && name.includes("/"))).toEqual([]);
}, 300_000);

test("memory stays flat as a transcript of small results grows from 20 to 200 MB", async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
  const peaks: number[] = [];
  for (const megabytes of [20, 200]) {
    const transcript = join(repository.home, `${megabytes}.jsonl`);
    const result = LINE.repeat(50);
    const calls = Math.floor((megabytes * MEGABYTE) / (result.length + 400));
    writeTranscript(
      transcript,
      repeated(calls, (n) => `${n}${result}`),
    );
    const { outcome, peak } = await reviewAndMeasure(repository, [
      transcript,
      "--threshold",
      "1000000",
    ]);
    expect(outcome.session?.toolCallCount).toBe(calls);
    peaks.push(peak);
    if (megabytes === 20) continue;
    const reviewed = await reviewAndMeasure(repository, [transcript, "--reviewer", "offline"]);
    expect(reviewed.outcome).toMatchObject({ status: "nothing_to_save" });
    expect(reviewed.peak).toBeLessThan(300);
  }
  const [small = 0, large = 0] = peaks;
  // What 180 MB of results more may take: a third of what they were if each kept its text.
  expect(large - small).toBeLessThan(100);
  expect(large).toBeLessThan(300);
}, 300_000);

test("what the prompt shortens is found in the transcript, whole and without secrets", async () => {
  await using repository = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
  const transcript = join(repository.home, "long.jsonl");
  const token = ["gh", "p_", "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"].join("");
  const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n} of the listing`);
  lines[11_111] = `export GITHUB_TOKEN=${token}`;
  writeTranscript(
    transcript,
    repeated(24, (n) => `result ${n}\n${lines.join("\n")}`),
  );
  await using model = await scriptedModel([
    calls(
      ["ls", { path: "/transcript" }],
      ["shell", { command: "grep -n '^  result 17$' /transcript/session-*.md" }],
      ["shell", { command: "grep -h -A 1 'line 11110 of' /transcript/session-*.md | tail -n 1" }],
      ["read_file", { file_path: "/transcript/session.md", offset: 300_000, limit: 2 }],
    ),
    "Nothing to save.",
  ]);
  const result = await reviewBy(model, repository, ["--timeout", "600"], { transcript });
  expect(result.json()).toMatchObject({ status: "nothing_to_save" });
  const prompt = model.requests[0]?.text ?? "";
  expect(prompt).toContain("It is shortened");
  expect(Buffer.byteLength(prompt)).toBeLessThan(200_000);
  const [listed, found, redacted, page] = results(model.requests[1]);
  expect(listed).toMatch(/session-001\.md[\s\S]*session-003\.md[\s\S]*session\.md/);
  expect(found).toMatch(/^\/transcript\/session-00\d\.md:\d+: {2}result 17$/);
  expect(redacted).toBe("  export GITHUB_TOKEN=[redacted:github-token:1]");
  expect(page).toMatch(/^\[lines 300001 to 300002 of \d+;/);
  for (const { text } of model.requests) {
    expect(text).not.toContain(token.slice(4));
    expect(text).not.toContain(KEY);
  }
});
