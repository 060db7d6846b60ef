import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { YAML_DEPTH_MAX, YAML_PROBLEMS_MAX } from "../../src/core/limits.ts";
import { parseStrictYaml, stringifyYaml } from "../../src/core/yaml.ts";

function problemsOf(source: string): string[] {
  const result = parseStrictYaml(source);
  return result.ok ? [] : result.problems.map(({ kind, line }) => `${kind}:${line}`);
}

describe("parseStrictYaml", () => {
  it("reads the core schema: strings stay strings where YAML 1.1 saw something else", () => {
    const source = "a: yes\nb: 1.0.0\nc: 2026-11-29T12:00:00Z\nd: 012\ne: true\nf: 1.5\ng: ~\n";
    const result = parseStrictYaml(source);
    expect(result).toEqual({
      ok: true,
      value: { a: "yes", b: "1.0.0", c: "2026-11-29T12:00:00Z", d: 12, e: true, f: 1.5, g: null },
    });
  });

  it("reads nested maps and lists, and an empty document as null", () => {
    expect(parseStrictYaml("a:\n  - b: 1\n  - [x, {y: z}]\n")).toEqual({
      ok: true,
      value: { a: [{ b: 1 }, ["x", { y: "z" }]] },
    });
    expect(parseStrictYaml("")).toEqual({ ok: true, value: null });
    expect(parseStrictYaml("---\na: 1\n")).toEqual({ ok: true, value: { a: 1 } });
  });

  it("gives maps without a prototype", () => {
    const result = parseStrictYaml("a: {b: 1}\n");
    expect(result.ok && Object.getPrototypeOf(result.value)).toBeNull();
  });

  it.each([
    ["duplicate keys", "a: 1\nb: 2\na: 3\n", "duplicate-key:3"],
    ["a quoted duplicate", 'a: 1\n"a": 2\n', "duplicate-key:2"],
    ["an anchor", "a: &x 1\n", "anchor:1"],
    ["an anchor on a key", "a: 1\n&x b: 1\n", "anchor:2"],
    ["an alias", "a: 1\nb: *x\n", "alias:2"],
    ["a tag", "a: !!str 1\n", "tag:1"],
    ["a tag without a name", "a: ! x\n", "tag:1"],
    ["a merge key", "a: 1\n<<: {b: 1}\n", "merge-key:2"],
    ["a second document", "a: 1\n---\nb: 2\n", "multiple-documents:2"],
    ["two empty documents", "---\n---\n", "multiple-documents:2"],
    ["a document end", "a: 1\n...\n", "multiple-documents:2"],
    ["a directive", "%YAML 1.1\n---\na: 1\n", "directive:1"],
    ["a tab as indentation", "a:\n\tb: 1\n", "tab:2"],
    ["a tab before a value", "a:\tb\n", "tab:1"],
    ["__proto__", "a: 1\n__proto__: {x: 1}\n", "forbidden-key:2"],
    ["constructor, nested", "a:\n  constructor: 1\n", "forbidden-key:2"],
    ["prototype in a flow map", "a: {prototype: 1}\n", "forbidden-key:1"],
    ["a list as a key", "a: 1\n[b]: 1\n", "syntax:2"],
    ["a number as a key", "1: a\n", "syntax:1"],
    ["a value with a colon", "a: b: c\n", "syntax:1"],
    ["an open bracket", "a: [1\n", "syntax:2"],
  ])("refuses %s", (_name, source, problem) => {
    expect(problemsOf(source)).toContain(problem);
  });

  it("leaves what only looks like an indicator inside text alone", () => {
    const source = "a: 'x & y * z ! %'\nb: |\n  &x *y\n  ... --- \n# &c *d\nc: a&b*c!d\n";
    expect(problemsOf(source)).toEqual([]);
  });

  it("says where a problem after a long text stands", () => {
    expect(problemsOf("a: |\n  one\n  two\nb: 'x\n\n  y'\nc: *d\n")).toContain("alias:7");
  });

  it("refuses an alias bomb before it is expanded", () => {
    const levels = Array.from({ length: 20 }, (_, n) => `l${n}: &l${n} [*l${n - 1}, *l${n - 1}]`);
    expect(problemsOf(levels.join("\n"))).toContain("alias:1");
  });

  it("allows the greatest depth and refuses one more", () => {
    const nest = (depth: number) => `a: ${"[".repeat(depth)}${"]".repeat(depth)}\n`;
    expect(problemsOf(nest(YAML_DEPTH_MAX - 1))).toEqual([]);
    expect(problemsOf(nest(YAML_DEPTH_MAX))).toEqual(["syntax:1"]);
  });

  it.each(["[", "{a: ", "- ", "? ", ": ", "[? ", "{: ", "- ? ", "[\n", "a: ", '"', "&x ", "!x "])(
    "ends quickly on %j eight thousand times",
    (unit) => expect(problemsOf(unit.repeat(8000)).length).toBeGreaterThan(0),
  );

  it("compares keys once each: ten thousand take no minutes", () => {
    const source = Array.from({ length: 10_000 }, (_, n) => `key${n}: ${n}`).join("\n");
    const started = performance.now();
    expect(problemsOf(source)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it("lists the first problems only", () => {
    expect(problemsOf("a: 1\n".repeat(100))).toHaveLength(YAML_PROBLEMS_MAX);
  });

  it("never throws on any text", () => {
    const indicators = "-?:,[]{}#&*!|>'\"%@` \t\n\r.ab1\u00a0\ufeff\u2028".split("");
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...indicators), { maxLength: 60 }), (characters) => {
        const result = parseStrictYaml(characters.join(""));
        expect(result.ok || result.problems.length > 0).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("stringifyYaml", () => {
  it("keeps the order of keys and quotes what some reader would misread", () => {
    const value = { b: "plain text", a: "yes", at: "2026-11-29T12:00:00Z", c: "x: y # z" };
    expect(stringifyYaml(value)).toBe(
      "b: plain text\na: 'yes'\nat: '2026-11-29T12:00:00Z'\nc: 'x: y # z'\n",
    );
  });

  it("folds no long line and writes no real line break inside a string", () => {
    const long = "word ".repeat(200).trim();
    expect(stringifyYaml({ long })).toBe(`long: ${long}\n`);
    expect(stringifyYaml({ text: "one\nsource: two\n" })).toBe('text: "one\\nsource: two\\n"\n');
  });

  it("writes the strings that a strict reader reads back", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.string()), (value) => {
        const result = parseStrictYaml(stringifyYaml(value));
        // A tab or a control character in a string is read back too; only the keys are plain here.
        expect(result).toEqual({ ok: true, value });
      }),
      { numRuns: 300 },
    );
  });
});
