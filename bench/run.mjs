// `npm run bench`: every benchmark in a process of its own, one after the other; prints a table, writes
// bench/results.json and docs/benchmarks.md. With names, only those: what else the two files hold stays.
// usage: npm run bench [-- name …]   (see BENCHES)
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { benchmarksPage, table } from "./page.mjs";
import { isGood, ROOT } from "./support.mjs";

/** In the order of the page. Each is `bench/<name>.mjs` and prints its rows with `--json`. */
export const BENCHES = [
  "hook",
  "start",
  "workspace",
  "review",
  "transcripts",
  "redaction",
  "verify-speed",
  "auto-skill",
  "requests",
  "queue",
  "status",
];
const RESULTS = join(ROOT, "bench/results.json");
const PAGE = join(ROOT, "docs/benchmarks.md");

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(", ")}. There are: ${BENCHES.join(", ")}.`);
  process.exit(1);
}
const known = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")).benches : {};
const measuredNow = {};
const failed = [];
for (const name of asked.length === 0 ? BENCHES : BENCHES.filter((each) => asked.includes(each))) {
  const result = measured(name);
  if (result === null) failed.push(name);
  else measuredNow[name] = result;
  // After each: one that fails, or that somebody stops, takes nothing of the minutes before along.
  save();
}
const rows = Object.values(save()).flatMap(({ rows }) => rows);
console.log(table(rows));
const over = rows.filter((row) => !isGood(row));
if (over.length > 0)
  console.log(`\n${over.length} above the bar: ${over.map(({ id }) => id).join(", ")}`);

if (failed.length > 0) {
  console.error(`\nNot measured: ${failed.join(", ")}. The page keeps what it had of them.`);
  process.exitCode = 1;
}

/** Writes both files, in the order of the page. @returns all that they hold now */
function save() {
  const all = { ...known, ...measuredNow };
  const names = BENCHES.filter((name) => all[name] !== undefined);
  const benches = Object.fromEntries(names.map((name) => [name, all[name]]));
  writeFileSync(RESULTS, `${JSON.stringify({ benches }, null, 2)}\n`);
  writeFileSync(PAGE, benchmarksPage({ benches }));
  return benches;
}

function measured(name) {
  console.error(`${name} …`);
  // Neither side pays for certificates or options that Node would load at its start.
  const { NODE_EXTRA_CA_CERTS: _certs, NODE_OPTIONS: _options, ...env } = process.env;
  const file = join(ROOT, "bench", `${name}.mjs`);
  const { status, stdout } = spawnSync(process.execPath, ["--expose-gc", file, "--json"], {
    env,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) {
    console.error(`bench/${name}.mjs ended with ${status}.`);
    return null;
  }
  const [cpu] = cpus();
  const machine = {
    node: process.version,
    cores: cpus().length,
    cpu: cpu?.model.trim() ?? "unknown",
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
  };
  return { machine, rows: JSON.parse(stdout) };
}
