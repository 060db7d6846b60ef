// docs/benchmarks.md, made of the measured rows; test/benchmarks.test.ts holds it to bench/results.json.
import { amount, isGood, shown } from "./support.mjs";

/** @param {import("./support.mjs").Row[]} rows @returns a Markdown table */
export function table(rows) {
  const head =
    "| what | beside | ours | theirs | value | bar | rounds |\n|---|---|---|---|---|---|---|";
  const line = (row) =>
    [
      row.what,
      row.beside,
      amount(row.ours, row.unit),
      row.theirs === null ? "–" : amount(row.theirs, row.unit),
      row.theirs === null ? "–" : `${shown(row.value)} ×`,
      bar(row),
      row.rounds,
    ].join(" | ");
  return `${head}\n${rows.map((row) => `| ${line(row)} |`).join("\n")}`;
}

function bar(row) {
  if (row.bar === null) return "–";
  const limit = row.theirs === null ? shown(row.bar) : `${shown(row.bar)} ×`;
  return `≤ ${limit} ${isGood(row) ? "✓" : "✗ **missed**"}`;
}

/** @returns the page's whole text */
export function benchmarksPage({ benches }) {
  const sections = Object.entries(benches).map(([name, { rows, machine }]) => {
    const how = rows.map((row) => `- **${row.what}**: ${row.how}`).join("\n");
    return `### \`bench/${name}.mjs\`\n\n${how}\n\nMeasured with Node ${machine.node.slice(1)} on ${machine.cores} cores (${machine.cpu}), ${machine.memoryGiB} GiB.\n`;
  });
  const rows = Object.values(benches).flatMap(({ rows }) => rows);
  return `# Benchmarks

\`npm run bench\` measures all of this, prints the table and writes this page and \`bench/results.json\`; \`npm run bench -- hook
start\` measures only what is named, and what else stands here stays from an earlier run. A row with two sides measures both
in the same run on the same machine: the sides take turns, round by round, and the value is the ratio of their medians. A row
with "–" stands alone, and its bar is for what it counts. In brackets stand the smallest and the largest of several rounds.
Nothing here promises a time: another machine has other times, and about the same ratios. \`NODE_EXTRA_CA_CERTS\` and
\`NODE_OPTIONS\` are unset for both sides. Measure on a quiet machine. The rows beside Qwen Code need its package
(\`npm run test:qwen -- --install-only\`).

${table(rows)}

## How each is made

${sections.join("\n")}`;
}
