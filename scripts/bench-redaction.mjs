// Redacts the texts of a session and reads the same session with JSON.parse, in turns: redaction may take at
// most three times as long as reading. Prints the ratio of each session, the median over the rounds: what else
// the machine does slows both of a round.
// usage: node scripts/bench-redaction.mjs [file …]
// Without files: a generated session, and the collected sessions of more than 100 KB beside the repository.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const ROUNDS = 25;
const RECORDS = 6000;
/** Of a session's text, read and redacted in one round: a smaller one several times, so that a clock can tell. */
const ROUND_CHARS = 2e6;
const REAL_MIN_BYTES = 100 * 1024;
const GOAL = 3;
const ROOT = join(import.meta.dirname, "..");
const CASES = join(ROOT, "../shared/cases/transcripts");

const home = mkdtempSync(join(ROOT, "node_modules/.skillpr-bench-"));
try {
  const { createRedactor } = await load();
  const sessions = sessionsToMeasure();
  // In turns: a slow minute of the machine is one of every session.
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const session of sessions) await measure(session, createRedactor, round);
  }
  const results = sessions.map((session) => ({ ...session, ratio: medianRatio(session) }));
  for (const { name, chars, ratio } of results) {
    const size = `${(chars / 1e6).toFixed(2)} million characters`;
    console.log(`${ratio.toFixed(2)}  ${name}, ${size}`);
  }
  const worst = results.reduce((most, each) => (each.ratio > most.ratio ? each : most));
  const above = results.filter(({ ratio }) => ratio > GOAL).length;
  console.log(
    `worst: ${worst.ratio.toFixed(2)} (${worst.name}); above ${GOAL}: ${above} of ${results.length}`,
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}

function sessionsToMeasure() {
  const files = process.argv.slice(2);
  if (files.length > 0) return files.map(realSession);
  const generated = session("a generated session", generatedLines());
  return [generated, ...realFiles().map(realSession)];
}

function realFiles() {
  if (!existsSync(CASES)) return [];
  return readdirSync(CASES, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:jsonl?|traj)$/.test(name))
    .map((name) => join(CASES, name))
    .filter((path) => statSync(path).size > REAL_MIN_BYTES)
    .sort();
}

function realSession(path) {
  return session(basename(path), documentsOf(readFileSync(path, "utf8")));
}

function session(name, documents) {
  const chars = documents.reduce((sum, each) => sum + each.length, 0);
  const texts = documents.flatMap((each) => strings(JSON.parse(each)));
  const times = Math.max(1, Math.round(ROUND_CHARS / chars));
  return { name, documents, texts, chars, times, parsing: [], redacting: [] };
}

async function measure({ documents, texts, times, parsing, redacting }, createRedactor, round) {
  const parse = await timeOf(times, () => documents.map((each) => JSON.parse(each)));
  const redact = await timeOf(times, () =>
    createRedactor({ credentials: ["not-there-4f7Qz"] }).redact(texts),
  );
  if (round < 0) return; // the first ones warm up
  parsing.push(parse);
  redacting.push(redact);
}

function medianRatio({ parsing, redacting }) {
  const ratios = redacting.map((time, round) => time / parsing[round]).sort((a, b) => a - b);
  return ratios[ratios.length >> 1];
}

async function timeOf(times, work) {
  const startedAt = performance.now();
  for (let n = 0; n < times; n += 1) await work();
  return (performance.now() - startedAt) / times;
}

/** The file as one document, or each of its lines that is one. */
function documentsOf(content) {
  return isDocument(content) ? [content] : content.split("\n").filter(isDocument);
}

function isDocument(text) {
  try {
    return typeof JSON.parse(text) === "object";
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function strings(value) {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}

/** Records as an agent writes them: calls with arguments, and results that are this project's own files. */
function generatedLines() {
  const source = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  const code = ["pipeline.ts", "outcome.ts", "review-input.ts"]
    .map((name) => readFileSync(join(ROOT, "src", name), "utf8"))
    .join("\n");
  return Array.from({ length: RECORDS }, (_, n) => {
    const text = n % 3 === 0 ? source : code;
    const start = (n * 977) % (text.length - 3000);
    return JSON.stringify({
      uuid: `7e51b316-ce51-4195-a78e-${String(n).padStart(12, "0")}`,
      timestamp: "2026-01-02T03:04:05.678Z",
      cwd: "/home/user/parcels",
      type: n % 2 === 0 ? "assistant" : "tool_result",
      message: { role: "user", parts: [{ text: text.slice(start, start + 1500 + (n % 1500)) }] },
    });
  });
}

async function load() {
  const entry = join(home, "entry.ts");
  const redactor = join(ROOT, "src/secrets/redactor.ts");
  writeFileSync(entry, `export * from ${JSON.stringify(redactor)};\n`);
  const bundle = await rolldown({ input: entry, platform: "node", external: /^@secretlint\// });
  const file = join(home, "entry.mjs");
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  return import(pathToFileURL(file).href);
}
