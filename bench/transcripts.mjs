// Reads a generated Qwen Code transcript of 100 MB, without redaction, in turns with a bare
// `readFileSync().split("\n")` and JSON.parse of each line. Then reads one file of 200 MB, and twenty times one of
// 10 MB, each in a process of its own, and compares the peaks of memory: both processes read the same number of
// bytes, so that Node's own heap has grown alike (its young generation alone takes up to 48 MB once it is busy),
// and what is left is what the size of the file costs. The peak of a single reading of 10 MB stands beside it.
// usage: node bench/transcripts.mjs [rounds]
import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  alone,
  compared,
  imported,
  inTemporaryHome,
  inTurns,
  statistic,
  whenMain,
} from "./support.mjs";

const MEGABYTES = 100;
/** Both have read the same number of bytes; what is above is the size of the file. */
const FLAT = 1.25;
const PEAK_MAX_MB = 300;

export function measure({ rounds = 7 } = {}) {
  return inTemporaryHome(async (home) => {
    const { readTranscript } = await imported(home, ["src/transcript/read-transcript.ts"]);
    return [await speed(home, readTranscript, rounds), ...memory(home)];
  });
}

async function speed(home, readTranscript, rounds) {
  const path = generate(home, MEGABYTES);
  const before = () => globalThis.gc?.();
  const times = await inTurns(
    [
      { name: "bare", before, run: () => void splitAndParse(path) },
      {
        name: "ours",
        before,
        run: async () => void (await readTranscript({ kind: "file", path })),
      },
    ],
    { rounds, warmUp: 1 },
  );
  return compared({
    id: "transcript",
    what: `reading a ${MEGABYTES} MB transcript`,
    beside: "`readFileSync().split` + `JSON.parse`",
    unit: "ms",
    ours: times.ours,
    theirs: times.bare,
    bar: 1.6,
    rounds,
    how: "A generated Qwen Code session, read in one process, without redaction.",
  });
}

function splitAndParse(path) {
  let records = 0;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line !== "" && JSON.parse(line) !== null) records += 1;
  }
  return records;
}

function memory(home) {
  const child = join(home, "child.mjs");
  const entry = pathToFileURL(join(home, "bundle/entry.mjs")).href;
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
    return statistic([Math.round(Number.parseInt(answer.toString(), 10) / 1024)]);
  };
  const small = generate(home, 10);
  const [once, sameWork] = [peakOf(small, 1), peakOf(small, 20)];
  const large = peakOf(generate(home, 200), 1);
  const row = { unit: "MB", ours: large, rounds: 1 };
  return [
    compared({
      ...row,
      id: "transcript-memory",
      what: "peak memory of reading a file of 200 MB",
      beside: "reading one of 10 MB twenty times",
      theirs: sameWork,
      bar: FLAT,
      how: `Processes of their own; both read the same number of bytes. A single reading of 10 MB has a peak of ${once.median} MB.`,
    }),
    alone({
      ...row,
      id: "transcript-peak",
      what: "peak memory of reading a file of 200 MB, by itself",
      bar: PEAK_MAX_MB,
      how: "The resident size of the whole process at its largest.",
    }),
  ];
}

/** A session as Qwen Code writes it: a call, its telemetry, and a result, mostly of some kilobytes, sometimes of a hundred. */
function generate(home, megabytes) {
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

await whenMain(import.meta, measure);
