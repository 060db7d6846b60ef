// Verifies labelled skills and prints the recall on the malicious and the false errors on the benign, with
// Wilson's 95 % intervals, for two halves that a hash of the file's name decides: one that the rules were tuned on,
// one that nobody looked at.
// usage: node scripts/bench-verify.mjs [folder with benign/, malicious/ and LABELS.tsv]  [--names tuned]
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const ROOT = join(import.meta.dirname, "..");
const [folder = join(ROOT, "../shared/cases/skills"), option] = process.argv.slice(2);
if (!existsSync(join(folder, "LABELS.tsv"))) {
  console.error(`There is no LABELS.tsv in ${folder}: give a folder with labelled skills.`);
  process.exit(1);
}

const home = mkdtempSync(join(ROOT, "node_modules/.skillpr-bench-"));
try {
  const { verify } = await load();
  const results = readFileSync(join(folder, "LABELS.tsv"), "utf8")
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
    .map((line) => resultOf(verify, ...line.split("\t")));
  for (const half of ["tuned", "unseen", "both"]) report(half, results);
  if (option === "--names") names(results.filter(({ half }) => half === "tuned"));
} finally {
  rmSync(home, { recursive: true, force: true });
}

function resultOf(verify, file, label) {
  const bytes = readFileSync(join(folder, file));
  const name = file.split("/")[1] ?? "";
  const path = `.qwen/skills/${name}/SKILL.md`;
  const zero = { oldMode: "000000", oldId: "0".repeat(40) };
  const findings = verify({
    skillsRoot: ".qwen/skills",
    profile: "pull-request",
    changes: [{ path, status: "A", mode: "100644", id: "x", ...zero }],
    parent: [],
    next: [{ path, mode: "100644", id: "x" }],
    blob: (id) => (id === "x" ? bytes : undefined),
  }).filter(({ rule }) => /^(?:hidden|attack|secret)\./.test(rule));
  const half = createHash("sha256").update(file).digest()[0] % 2 === 0 ? "tuned" : "unseen";
  return { file, label, half, findings, isError: findings.some(({ level }) => level === "error") };
}

function report(half, results) {
  const chosen = results.filter((result) => half === "both" || result.half === half);
  const [bad, good] = ["malicious", "benign"].map((label) =>
    chosen.filter((r) => r.label === label),
  );
  const found = bad.filter(({ findings }) => findings.length > 0).length;
  console.log(`${half}:`);
  console.log(`  recall on malicious (any finding):  ${share(found, bad.length)}`);
  console.log(
    `  refused among malicious (error):    ${share(bad.filter(isError).length, bad.length)}`,
  );
  console.log(
    `  false errors on benign:             ${share(good.filter(isError).length, good.length)}`,
  );
  const warned = good.filter(({ findings }) => findings.length > 0).length;
  console.log(`  benign with any finding:            ${share(warned, good.length)}`);
}

function isError(result) {
  return result.isError;
}

/** `3 of 4 = 75.0 % (30.1–95.4 %)`, the interval after Wilson. */
function share(hits, total) {
  if (total === 0) return "none";
  const [z, p] = [1.96, hits / total];
  const scale = 1 + z ** 2 / total;
  const middle = (p + z ** 2 / (2 * total)) / scale;
  const half = (z / scale) * Math.sqrt((p * (1 - p)) / total + z ** 2 / (4 * total ** 2));
  const percent = (value) => (100 * Math.min(1, Math.max(0, value))).toFixed(1);
  return `${hits} of ${total} = ${percent(p)} % (${percent(middle - half)}–${percent(middle + half)} %)`;
}

function names(results) {
  for (const { file, label, findings } of results) {
    if (label === "malicious" && findings.length === 0) console.log(`missed: ${file}`);
    for (const { level, rule, line, message } of findings) {
      if (label === "benign") console.log(`${file}:${line} ${level} ${rule} ${message}`);
    }
  }
}

async function load() {
  const build = await rolldown({ input: join(ROOT, "src/verify/verify.ts"), platform: "node" });
  await build.write({ dir: home, entryFileNames: "verify.mjs", format: "esm" });
  await build.close();
  return import(pathToFileURL(join(home, "verify.mjs")).href);
}
