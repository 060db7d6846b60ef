/** SARIF by the parts of its 2.1.0 schema that are written: names, types and what must be there. */
import { describe, expect, it } from "vitest";
import { toSarif } from "../../src/cli/sarif.ts";
import { parseWith, z } from "../../src/core/schema.ts";
import { RULES } from "../../src/verify/rules.ts";
import { verify } from "../../src/verify/verify.ts";
import { FLOW, inputOf, ROOT, skillText } from "../verify/verify-input.ts";

const whole = z.int().check(z.gte(1));
const message = z.strictObject({ text: z.string() });
const level = z.enum(["none", "note", "warning", "error"]);
const uri = z.string().check(z.regex(/^(?!\/)(?:[\w.!~*'()/-]|%[0-9A-F]{2})+$/));
const region = z.strictObject({ startLine: whole, startColumn: z.optional(whole) });
const physicalLocation = z.strictObject({
  artifactLocation: z.strictObject({ uri, uriBaseId: z.literal("%SRCROOT%") }),
  region: z.optional(region),
});
const rule = z.strictObject({
  id: z.string(),
  shortDescription: z.optional(message),
  help: z.optional(message),
  defaultConfiguration: z.optional(z.strictObject({ level })),
});
const result = z.strictObject({
  ruleId: z.string(),
  ruleIndex: z.int().check(z.gte(0)),
  level,
  message,
  locations: z.array(z.strictObject({ physicalLocation })),
});
const driver = z.strictObject({ name: z.string(), version: z.string(), rules: z.array(rule) });
const Sarif = z.strictObject({
  $schema: z.string(),
  version: z.literal("2.1.0"),
  runs: z.array(
    z.strictObject({
      tool: z.strictObject({ driver }),
      columnKind: z.literal("utf16CodeUnits"),
      results: z.array(result),
    }),
  ),
});

function sarifOf(input: Parameters<typeof inputOf>[0]) {
  const log = toSarif(verify(inputOf(input)), { root: ROOT, version: "1.2.3" });
  const read = JSON.parse(JSON.stringify(log));
  return parseWith(Sarif, read, { what: "sarif", code: "input", hint: "" }).runs[0];
}

describe("toSarif", () => {
  it("has every rule once, and no result where there is no finding", () => {
    const run = sarifOf({ next: { [FLOW]: skillText("release-flow") } });
    expect(run?.results).toEqual([]);
    const ids = run?.tool.driver.rules.map(({ id }) => id) ?? [];
    expect(ids).toEqual(RULES.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("places findings by line and column, and refers to their rule", () => {
    const odd = `${ROOT}/a b/naïve %?#.md`;
    const next = { [FLOW]: skillText("release-flow", { body: "TODO: more" }), [odd]: "x" };
    const run = sarifOf({ next });
    for (const { ruleId, ruleIndex } of run?.results ?? [])
      expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    const todo = run?.results.find(({ ruleId }) => ruleId === "quality.placeholder");
    expect(todo?.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: FLOW, uriBaseId: "%SRCROOT%" },
          region: { startLine: 10, startColumn: 1 },
        },
      },
    ]);
    const uris = run?.results.map((one) => one.locations[0]?.physicalLocation.artifactLocation.uri);
    expect(uris).toContain(`${ROOT}/a%20b/na%C3%AFve%20%25%3F%23.md`);
  });

  it("shows what is about no file at the skills root, and takes in what is no rule of its own", () => {
    const next = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`f${n}.txt`, "x"]));
    const run = sarifOf({ next });
    const last = run?.results.at(-1);
    expect(last?.ruleId).toBe("structure.too-many");
    expect(run?.tool.driver.rules[last?.ruleIndex ?? 0]).toEqual({ id: "structure.too-many" });
    expect(last?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(ROOT);
  });
});
