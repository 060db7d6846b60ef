// Redacts the texts of a session and reads the same session with JSON.parse, in turns: redaction may take at most three
// times as long as reading.
// usage: node bench/redaction.mjs [rounds]
// A generated session, and the collected sessions of more than 100 KB where that folder lies beside the repository.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { compared, imported, ROOT, shown, statistic, whenMain } from "./support.mjs";

const RECORDS = 6000;
/** Of a session's text, read and redacted in one round: a smaller one several times, so that a clock can tell. */
const ROUND_CHARS = 2e6;
const REAL_MIN_BYTES = 100 * 1024;
const BAR = 3;
const CASES = join(ROOT, "../shared/cases/transcripts");

export async function measure({ rounds = 25 } = {}) {
  // Beside the packages: the scanner is loaded from there, as it is in the program.
  const home = mkdtempSync(join(ROOT, "node_modules/.skillpr-bench-"));
  try {
    const external = [/^@secretlint\//];
    const { createRedactor } = await imported(home, ["src/secrets/redactor.ts"], { external });
    const generated = session("a generated session", generatedLines());
    const sessions = [generated, ...realFiles().map(realSession)];
    // In turns: a slow minute of the machine is one of every session.
    for (let round = -2; round < rounds; round += 1) {
      for (const each of sessions) await measureOnce(each, createRedactor, round);
    }
    return rowsOf(generated, sessions.slice(1), rounds);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function rowsOf(generated, real, rounds) {
  const row = (each, id, what, how) =>
    compared({
      id,
      what,
      beside: "`JSON.parse` of the same text",
      unit: "ms",
      ours: statistic(each.redacting),
      theirs: statistic(each.parsing),
      bar: BAR,
      rounds,
      how,
    });
  const rows = [
    row(
      generated,
      "redaction",
      "redaction of a generated session",
      `${(generated.chars / 1e6).toFixed(1)} million characters: calls with arguments, and results that are source files.`,
    ),
  ];
  if (real.length === 0) return rows;
  const sorted = real.toSorted((a, b) => ratio(a) - ratio(b));
  const ratios = sorted.map((each) => shown(ratio(each))).join(", ");
  const how = `Of ${real.length} real sessions above 100 KB, whose ratios are ${ratios}.`;
  const middle = sorted[sorted.length >> 1];
  return [
    ...rows,
    row(middle, "redaction-real", "redaction of real sessions, the middle one", how),
    row(sorted.at(-1), "redaction-worst", "redaction of real sessions, the slowest one", how),
  ];
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

/** Reads and redacts in turns, as the program does with each session: what slows the machine meets both alike. */
async function measureOnce({ documents, texts, times, parsing, redacting }, createRedactor, round) {
  let [parse, redact] = [0, 0];
  for (let n = 0; n < times; n += 1) {
    parse += await timeOf(() => documents.map((each) => JSON.parse(each)));
    redact += await timeOf(() =>
      createRedactor({ credentials: ["not-there-4f7Qz"] }).redact(texts),
    );
  }
  if (round < 0) return; // the first ones warm up
  parsing.push(parse / times);
  redacting.push(redact / times);
}

/** Of the medians, as in every other row of the page. */
function ratio({ parsing, redacting }) {
  return statistic(redacting).median / statistic(parsing).median;
}

async function timeOf(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
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

await whenMain(import.meta, measure);
