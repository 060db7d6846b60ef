// What every benchmark shares: a home of its own, sides measured in turns, and rows that say what was
// measured, beside what, and which ratio may not be passed.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

export const ROOT = resolve(import.meta.dirname, "..");
export const CLI = join(ROOT, "dist/cli.js");

/** @typedef {{ median: number, min: number, max: number }} Statistic */
/**
 * @typedef {object} Row one measured comparison
 * @property {string} id unique over all benchmarks
 * @property {string} what is measured
 * @property {string} beside what it is measured, or "–"
 * @property {"ms" | "MB" | "bytes" | "requests" | "s of CPU"} unit of ours and theirs
 * @property {Statistic} ours
 * @property {Statistic | null} theirs null: the number stands alone
 * @property {number} value what the bar is for: the ratio of the medians, or our median
 * @property {number | null} bar the largest value that is good; null: measured, without a bar
 * @property {number} rounds of each side
 * @property {string} how one sentence for the page
 */

/** Calls `work` with a temporary folder, and removes it whatever happens. */
export async function inTemporaryHome(work) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-bench-")));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** What measured processes run with: nothing of the user's git, agents, models or Node options. */
export function environmentOf(home) {
  const who = { NAME: "Robin Example", EMAIL: "robin@example.com" };
  return {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((role) =>
        Object.entries(who).map(([key, value]) => [`GIT_${role}_${key}`, value]),
      ),
    ),
  };
}

/**
 * Runs the sides one after the other, round by round, so that what else the machine does meets all alike.
 *
 * @param {{ name: string, run: (round: number) => unknown, before?: (round: number) => unknown }[]} sides
 *   `run` is timed, unless it returns a number, which counts instead; `before` is not timed
 * @param {{ rounds: number, warmUp?: number }} options rounds below zero warm up and don't count
 * @returns {Promise<Record<string, Statistic>>} milliseconds, or what `run` returned
 */
export async function inTurns(sides, { rounds, warmUp = 2 }) {
  const values = Object.fromEntries(sides.map(({ name }) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { name, run, before } of sides) {
      await before?.(round);
      const startedAt = performance.now();
      const own = await run(round);
      const time = performance.now() - startedAt;
      if (round >= 0) values[name].push(typeof own === "number" ? own : time);
    }
  }
  return Object.fromEntries(Object.entries(values).map(([name, all]) => [name, statistic(all)]));
}

/** @returns {Statistic} @throws when a value is missing: as JSON it would be null, which is below every bar */
export function statistic(values) {
  if (values.length === 0 || !values.every(Number.isFinite))
    throw new Error(`not measured: ${JSON.stringify(values)}`);
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  return { median, min: sorted[0], max: sorted.at(-1) };
}

/** A row whose value is the ratio of two medians. @returns {Row} */
export function compared(row) {
  return { ...row, value: row.ours.median / row.theirs.median };
}

/** A row whose value is our own median. @returns {Row} */
export function alone(row) {
  return { ...row, beside: "–", theirs: null, value: row.ours.median };
}

/**
 * Imports TypeScript modules of this project, bundled as one.
 *
 * @param {string} home where the bundle is written; below `node_modules` when packages stay outside of it
 * @param {string[]} files relative to the root
 * @param {{ external?: (string | RegExp)[], dir?: string }} options `dir`: the bundle's own folder
 */
export async function imported(home, files, { external = [], dir = join(home, "bundle") } = {}) {
  const entry = join(home, "entry.ts");
  const paths = files.map((file) => JSON.stringify(join(ROOT, file)));
  writeFileSync(entry, paths.map((path) => `export * from ${path};\n`).join(""));
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    external: [/^node:/, ...external],
    transform: { target: "node20" },
  });
  await bundle.write({
    dir,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name].mjs",
  });
  await bundle.close();
  return import(pathToFileURL(join(dir, "entry.mjs")).href);
}

/** Where a value is missing, or a difference of times came out below zero, nothing was measured: that is no pass. */
export function isGood({ value, bar, ours, theirs }) {
  if (bar === null) return true;
  const isMeasured = Number.isFinite(value) && ours.median >= 0;
  return isMeasured && value <= bar && (theirs === null || theirs.median > 0);
}

/** One row as a line of text. */
export function asLine(row) {
  const bar = row.bar === null ? "" : `, the bar is ${shown(row.bar)}`;
  const sides = [`${amount(row.ours, row.unit)}`];
  if (row.theirs !== null) sides.push(`beside ${amount(row.theirs, row.unit)} of ${row.beside}`);
  const value = row.theirs === null ? "" : `: ${shown(row.value)} ×`;
  return `${isGood(row) ? "ok  " : "OVER"} ${row.what}: ${sides.join(" ")}${value} (${row.rounds} rounds${bar})`;
}

/** A median with its range. @param {Statistic} value @param {Row["unit"]} unit */
export function amount({ median, min, max }, unit) {
  const range = min === max ? "" : ` (${shown(min)}–${shown(max)})`;
  return `${shown(median)}${range} ${unit}`;
}

/** Three digits that count, whole numbers as they are. */
export function shown(value) {
  if (Number.isInteger(value)) return value.toLocaleString("en");
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

/** For a module that is started by itself: measures and prints. With `--json` as one JSON array. */
export async function whenMain({ url }, measure) {
  if (process.argv[1] === undefined || fileURLToPath(url) !== resolve(process.argv[1])) return;
  const [rounds] = process.argv.slice(2).filter((arg) => /^\d+$/.test(arg));
  const rows = await measure(rounds === undefined ? {} : { rounds: Number(rounds) });
  if (process.argv.includes("--json")) console.log(JSON.stringify(rows));
  else for (const row of rows) console.log(asLine(row));
}
