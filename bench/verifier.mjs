// Verifies labelled skills and prints the recall on the malicious and the false errors on the benign, with
// Wilson's 95 % intervals, for two halves that a hash of the file's name decides: one that the rules were tuned on,
// one that nobody looked at.
// Beside it stands what other validators (bench/peers) say of the same files.
// usage: node bench/verifier.mjs [folder with benign/, malicious/ and LABELS.tsv] [--names] [--fetch-agnix]
//   --names: which of the tuned half were missed, and what was found in its benign ones
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadPeers, writeSkillFolder } from "./peers.mjs";
import { imported, ROOT } from "./support.mjs";

const options = process.argv.slice(2).filter((each) => each.startsWith("--"));
const [folder = join(ROOT, "../shared/cases/skills")] = process.argv
  .slice(2)
  .filter((each) => !each.startsWith("--"));
if (!existsSync(join(folder, "LABELS.tsv"))) {
  console.error(`There is no LABELS.tsv in ${folder}: give a folder with labelled skills.`);
  process.exit(1);
}

const home = mkdtempSync(join(ROOT, "node_modules/.skillpr-bench-"));
try {
  const { verify } = await imported(home, ["src/verify/verify.ts"]);
  const results = readFileSync(join(folder, "LABELS.tsv"), "utf8")
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
    .map((line) => resultOf(verify, ...line.split("\t")));
  for (const half of ["tuned", "unseen"])
    report(
      `skillpr, ${half} half`,
      results.filter((result) => result.half === half),
    );
  report("skillpr", results);
  for (const peer of await loadPeers({ mayFetchAgnix: options.includes("--fetch-agnix") }))
    await reportPeer(peer, results);
  if (options.includes("--names")) names(results.filter(({ half }) => half === "tuned"));
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

function report(title, results) {
  const [bad, good] = ["malicious", "benign"].map((label) =>
    results.filter((result) => result.label === label),
  );
  const lines = [
    ["recall on malicious (any finding):", bad.filter(isFound), bad],
    ["refused among malicious (error):", bad.filter(isError), bad],
    ["false errors on benign:", good.filter(isError), good],
    ["benign with any finding:", good.filter(isFound), good],
  ];
  console.log(`${title}:`);
  for (const [what, hits, of] of lines)
    console.log(`  ${what.padEnd(36)}${share(hits.length, of.length)}`);
  if (bad.length === 0 || good.length === 0) return;
  // Who refuses everything has the best recall: what counts is how far the two are apart.
  const apart = bad.filter(isFound).length / bad.length - good.filter(isError).length / good.length;
  console.log(`  recall less false errors:           ${(100 * apart).toFixed(1)} points`);
}

/** The same figures of another validator: a finding is whatever it complains of. */
async function reportPeer({ name, judge, skipped }, files) {
  if (skipped !== undefined) {
    console.log(`${name}: skipped: ${skipped}`);
    return;
  }
  const results = [];
  for (const { file, label } of files) {
    const text = readFileSync(join(folder, file), "utf8");
    const place = writeSkillFolder(home, { label, name: file.split("/")[1], text });
    const { findings, errors } = await judge(place);
    results.push({ label, findings: new Array(findings), isError: errors > 0 });
  }
  report(name, results);
}

function isFound({ findings }) {
  return findings.length > 0;
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
