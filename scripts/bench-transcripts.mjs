// Reads a generated Qwen Code transcript of 100 MB, without redaction, in turns with a bare
// `readFileSync().split("\n")` and JSON.parse of each line, and prints both medians and their ratio
// (the bar: 1.6). Then reads one file of 200 MB, and twenty times one of 10 MB, each in a process of its own, and
// prints the peak memory of both and its ratio. Memory counts as flat when the ratio is at most 1.25: both
// processes read the same number of bytes, so that Node's own heap has grown alike (its young generation alone
// takes up to 48 MB once it is busy), and what is left is what the size of the file costs. The peak of a
// single reading of 10 MB stands beside it; 200 MB must stay below 300 MB.
// usage: node scripts/bench-transcripts.mjs [rounds] [megabytes]
import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const ROUNDS = Number(process.argv[2] ?? 7);
const MEGABYTES = Number(process.argv[3] ?? 100);

const home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-bench-")));
try {
  const entry = await bundle();
  const { readTranscript } = await import(pathToFileURL(entry).href);
  await compareSpeed(readTranscript);
  compareMemory(entry);
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function compareSpeed(readTranscript) {
  const path = generate(MEGABYTES);
  const sides = [
    { name: "split and parse", run: () => splitAndParse(path), times: [] },
    { name: "readTranscript", run: () => readTranscript({ kind: "file", path }), times: [] },
  ];
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const { run, times } of sides) {
      globalThis.gc?.();
      const startedAt = performance.now();
      await run();
      if (round >= 0) times.push(performance.now() - startedAt); // the first one warms up
    }
  }
  const [bare, ours] = sides.map(({ name, times }) => {
    const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
    console.log(`${name.padStart(16)}: ${median.toFixed(0)} ms for ${MEGABYTES} MB`);
    return median;
  });
  console.log(`           ratio: ${(ours / bare).toFixed(2)} (${ROUNDS} rounds each)`);
}

function splitAndParse(path) {
  let records = 0;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line !== "" && JSON.parse(line) !== null) records += 1;
  }
  return records;
}

function compareMemory(entry) {
  const child = join(home, "child.mjs");
  writeFileSync(
    child,
    `import { readTranscript } from ${JSON.stringify(entry)};
for (let times = Number(process.argv[3]); times > 0; times -= 1) {
  const { turns } = await readTranscript({ kind: "file", path: process.argv[2] });
  if (turns.length < 100) throw new Error("not read");
}
console.log(process.resourceUsage().maxRSS);
`,
  );
  const peakOf = (path, times) => {
    const answer = execFileSync(process.execPath, [child, path, String(times)]);
    const peak = Number.parseInt(answer.toString(), 10) / 1024;
    const what = `${times === 1 ? "" : `${times} x `}${Math.round(statSync(path).size / 1024 / 1024)} MB`;
    console.log(`${what.padStart(16)}: peak of ${peak.toFixed(0)} MB`);
    return peak;
  };
  const small = generate(10);
  peakOf(small, 1);
  const sameWork = peakOf(small, 20);
  const large = peakOf(generate(200), 1);
  const isFlat = large / sameWork <= 1.25 && large < 300;
  console.log(
    `           ratio: ${(large / sameWork).toFixed(2)} (${isFlat ? "flat" : "not flat"})`,
  );
}

/** A session as Qwen Code writes it: a call, its telemetry, and a result, mostly of some kilobytes, sometimes of a hundred. */
function generate(megabytes) {
  const path = join(home, `${megabytes}.jsonl`);
  const file = openSync(path, "w");
  const base = {
    sessionId: "bench",
    cwd: "/home/user/parcels",
    version: "0.14.1",
    gitBranch: "main",
  };
  let parentUuid = null;
  let bytes = 0;
  const write = (record) => {
    const uuid = `00000000-0000-4000-8000-${String(bytes).padStart(12, "0")}`;
    bytes += writeSync(file, `${JSON.stringify({ uuid, parentUuid, ...base, ...record })}\n`);
    parentUuid = uuid;
  };
  write({ type: "user", message: { role: "user", parts: [{ text: "Sort the parcels." }] } });
  for (let n = 0; bytes < megabytes * 1024 * 1024; n += 1) {
    const id = `call_${n}`;
    const name = "read_file";
    const functionCall = { id, name, args: { file_path: `/home/user/parcels/src/part-${n}.ts` } };
    const parts = [{ text: `I look at part ${n} of it.` }, { functionCall }];
    write({ type: "assistant", model: "coder-model", message: { role: "model", parts } });
    const event = {
      "event.name": "qwen-code.api_response",
      response_id: id,
      prompt_id: `bench########${n}`,
    };
    write({ type: "system", subtype: "ui_telemetry", systemPayload: { uiEvent: event } });
    const output = code(n, n % 10 === 0 ? 2000 : 60);
    const response = { functionResponse: { id, name, response: { output } } };
    const toolCallResult = { callId: id, status: "success", resultDisplay: `Read ${name}` };
    write({ type: "tool_result", message: { role: "user", parts: [response] }, toolCallResult });
  }
  closeSync(file);
  return path;
}

function code(n, lines) {
  return Array.from(
    { length: lines },
    (_, line) =>
      `  const total${line} = parcels.filter((parcel) => parcel.weight > ${n}).map(({ id }) => "p-" + id);\n`,
  ).join("");
}

async function bundle() {
  const file = join(home, "entry.mjs");
  const input = join(import.meta.dirname, "../src/transcript/read-transcript.ts");
  const build = await rolldown({ input, platform: "node", transform: { target: "node20" } });
  await build.write({ file, format: "esm" });
  await build.close();
  return file;
}
