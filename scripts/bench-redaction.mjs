// Redacts the texts of a session and reads the same session with JSON.parse, in turns, and prints the
// ratio of the shortest times, since what else the machine does only adds: redaction may take at most
// three times as long as reading.
// usage: node scripts/bench-redaction.mjs [file.jsonl …]   (without files: a generated session)
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const ROUNDS = 15;
const RECORDS = 6000;
const ROOT = join(import.meta.dirname, "..");

const home = mkdtempSync(join(ROOT, "node_modules/.skillpr-bench-"));
try {
  const { createRedactor } = await load();
  const files = process.argv.slice(2);
  const lines = files.length > 0 ? files.flatMap(linesOf) : generatedLines();
  const texts = lines.flatMap((line) => strings(JSON.parse(line)));
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  console.log(`${lines.length} records, ${(chars / 1e6).toFixed(1)} million characters`);
  const parsing = [];
  const redacting = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const parse = await timeOf(() => lines.map((line) => JSON.parse(line)));
    const redact = await timeOf(() =>
      createRedactor({ credentials: ["not-there-4f7Qz"] }).redact(texts),
    );
    if (round < 0) continue; // the first warms up
    parsing.push(parse);
    redacting.push(redact);
  }
  const [parse, redact] = [Math.min(...parsing), Math.min(...redacting)];
  console.log(`JSON.parse: ${parse.toFixed(1)} ms`);
  console.log(`redaction:  ${redact.toFixed(1)} ms`);
  console.log(`ratio:      ${(redact / parse).toFixed(2)} (the best of ${ROUNDS} rounds each)`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function timeOf(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function linesOf(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => {
      try {
        return typeof JSON.parse(line) === "object";
      } catch (error) {
        if (error instanceof SyntaxError) return false;
        throw error;
      }
    });
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
