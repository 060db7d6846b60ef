import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSimpleYaml } from "../../src/core/simple-yaml.ts";
import { parseAnyYaml, parseStrictYaml } from "../../src/core/yaml.ts";

/** Pieces that a line may be made of, right and wrong ones. */
const PIECE = fc.constantFrom(
  ..."name|description|metadata|source|null|True|yes|1.0.0|1.5|012|~|- a|[x]|{y: z}|'|\"|''|#| #|:|: |::|  |   | |a|b c|don't|&x|*x|!t|%|@|`|`b`|?|? |-|--|---|...|<<|__proto__|constructor|http://example.com/a#b|auto-skill|'2026-01-01T00:00:00Z'|\"a b\"|\\|\\n|>|,|é|\u2028|\t|=|0x1f|.inf|2026-01-01|a:b".split(
    "|",
  ),
);
const LINE = fc
  .tuple(
    fc.constantFrom("", "  ", " ", "    "),
    fc.array(PIECE, { maxLength: 5 }),
    fc.constantFrom(": ", ":", ""),
    fc.array(PIECE, { maxLength: 5 }),
  )
  .map(([indent, key, colon, value]) => indent + key.join("") + colon + value.join(""));
/** Mostly the shape that is read quickly, so that its edges are met often. */
const SIMPLE_LINE = fc
  .tuple(
    fc.constantFrom("", "", "  "),
    fc.constantFrom("name", "b", "c-d", "e_f", "metadata", "null", "No", "constructor"),
    fc.constantFrom(": ", ": ", ": ", ":"),
    fc.constantFrom("a", "Use it", "x-y.z", "'q'", '"q"', "1.0.2", ""),
    fc.array(PIECE, { maxLength: 2 }),
  )
  .map(([indent, key, colon, start, value]) => indent + key + colon + start + value.join(""));

describe("parseSimpleYaml", () => {
  it("reads the frontmatter of a skill", () => {
    const source = [
      "name: release-flow",
      "description: Make a release (don't skip steps), see https://example.com/a#b. Use when asked.",
      "version: 1.0.0",
      "metadata:",
      "  source: auto-skill",
      "  extracted_at: '2026-01-01T12:00:00Z'",
      "",
    ].join("\n");
    const map = parseSimpleYaml(source);
    expect(map).toEqual({
      name: "release-flow",
      description:
        "Make a release (don't skip steps), see https://example.com/a#b. Use when asked.",
      version: "1.0.0",
      metadata: { source: "auto-skill", extracted_at: "2026-01-01T12:00:00Z" },
    });
    expect(parseAnyYaml(source)).toEqual({ ok: true, value: map });
    expect(Object.getPrototypeOf(map)).toBeNull();
    expect(Object.getPrototypeOf(map?.["metadata"])).toBeNull();
  });

  it.each([
    "",
    "a: 1\n",
    "a: true\n",
    "a: b: c\n",
    "a: b #c\n",
    "a:\n",
    "a: b\na: c\n",
    "  a: b\n",
    "a: 'it''s'\n",
    'a: "b\\n"\n',
    "a: b\n\n",
    "a: b\n  c: d\n",
    "constructor: b\n",
  ])("leaves %j to the parser", (source) => {
    expect(parseSimpleYaml(source)).toBeNull();
  });

  it("gives what the parser gives, or nothing", () => {
    let read = 0;
    const text = fc
      .array(fc.oneof(SIMPLE_LINE, SIMPLE_LINE, SIMPLE_LINE, LINE), { minLength: 1, maxLength: 3 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, fc.boolean(), (lines, isEnded) => {
        const source = isEnded ? `${lines}\n` : lines;
        const map = parseSimpleYaml(source);
        if (map === null) return;
        read += 1;
        expect(parseAnyYaml(source)).toEqual({ ok: true, value: map });
        expect(parseStrictYaml(source)).toEqual({ ok: true, value: map });
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(100);
  });
});
