// Writes the tables of the action's inputs and outputs into README.md, from action.yml. `--check` only compares.
import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "yaml";

const readme = new URL("../README.md", import.meta.url);
const { inputs, outputs } = parse(readFileSync(new URL("../action.yml", import.meta.url), "utf8"));

const cell = (text) =>
  text.trim().replace(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");
const code = (text) => `\`${text}\``;
const defaultOf = ({ default: value, required }) =>
  required === true ? "required" : value === undefined ? "" : code(value);

const tables = {
  inputs: [
    "| Input | What it is | Default |",
    "|---|---|---|",
    ...Object.entries(inputs).map(
      ([name, input]) => `| ${code(name)} | ${cell(input.description)} | ${defaultOf(input)} |`,
    ),
  ],
  outputs: [
    "| Output | What it is |",
    "|---|---|",
    ...Object.entries(outputs).map(
      ([name, output]) => `| ${code(name)} | ${cell(output.description)} |`,
    ),
  ],
};

const before = readFileSync(readme, "utf8");
let after = before;
for (const [name, lines] of Object.entries(tables)) {
  const place = new RegExp(`(<!-- action ${name} -->\n)[\\s\\S]*?(<!-- end of action ${name} -->)`);
  if (!place.test(after)) throw new Error(`README.md has no place for the action's ${name}`);
  after = after.replace(place, (_, begin, end) => `${begin}${lines.join("\n")}\n${end}`);
}

if (!process.argv.includes("--check")) writeFileSync(readme, after);
else if (after !== before) {
  process.stderr.write("README.md differs from action.yml: npm run docs:action\n");
  process.exitCode = 1;
}
