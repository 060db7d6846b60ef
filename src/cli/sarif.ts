/** Findings as SARIF 2.1.0, which code scanning services read. */
import type { Finding } from "../verify/finding.ts";
import { RULES } from "../verify/rules.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

/**
 * @param place.root where findings about no single file are shown, e.g. `.qwen/skills`
 * @param place.version of this program
 */
export function toSarif(
  findings: readonly Finding[],
  { root, version }: { readonly root: string; readonly version: string },
) {
  const known = RULES.map(({ id, level, why, example }) => ({
    id,
    shortDescription: { text: why },
    help: { text: `Refuses, for example: ${example}` },
    defaultConfiguration: { level },
  }));
  const others = new Set(findings.map(({ rule }) => rule));
  for (const { id } of RULES) others.delete(id);
  const rules = [...known, ...[...others].map((id) => ({ id }))];
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const results = findings.map((finding) => ({
    ruleId: finding.rule,
    ruleIndex: indexes.get(finding.rule) ?? -1,
    level: finding.level,
    message: { text: `${finding.message} ${finding.hint}` },
    locations: [{ physicalLocation: locationOf(finding, root) }],
  }));
  const driver = { name: "skillpr", version, rules };
  // Columns are UTF-16 units, as editors count them.
  const run = { tool: { driver }, columnKind: "utf16CodeUnits", results };
  return { $schema: SCHEMA, version: "2.1.0", runs: [run] };
}

function locationOf({ path, line, column }: Finding, root: string) {
  const uri = (path ?? root).split("/").map(encodeURIComponent).join("/");
  return {
    artifactLocation: { uri, uriBaseId: "%SRCROOT%" },
    ...(line === null
      ? {}
      : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } }),
  };
}
