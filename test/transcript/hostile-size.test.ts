/** Small files that were made to take long: the time must grow with the input, not with its square. */
import { describe, expect, it } from "vitest";
import { inlineCodeWrites } from "../../src/transcript/inline-code-writes.ts";
import { JsonRecordReader } from "../../src/transcript/json-records.ts";
import { asId } from "../../src/transcript/json-values.ts";
import { parseJson } from "../../src/transcript/parse-json.ts";
import { patchedPaths } from "../../src/transcript/patched-paths.ts";
import { shellWrites } from "../../src/transcript/shell-writes.ts";
import { matchSkillsRoot } from "../../src/transcript/skills-root-match.ts";
import { expectLinear } from "./growth.ts";

/** A text of about so many characters that repeats a piece. */
const repeated = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length));

describe("the time grows with the input", () => {
  it.each(["{}", "[]", "*", "*a", "?*", "{a}*.", "[", "{", "}"])(
    "of a path with the pattern %s",
    async (piece) => {
      const of = repeated(piece);
      await expectLinear((n) => matchSkillsRoot(`.qwen${of(n)}x/skills`, ".qwen/skills"), 100_000);
    },
  );

  it.each([
    "open('",
    "open(",
    "open(a, ",
    "open('a', 'r",
    "'\\\\",
    "'a'\"",
    '`\\"',
    "copy",
    "open  ",
    ", '",
  ])("of inline code with %j", async (piece) => {
    const of = repeated(piece);
    await expectLinear((n) => inlineCodeWrites(`unlink ${of(n)}`), 100_000);
    await expectLinear((n) => inlineCodeWrites(of(n)), 100_000);
  });

  it.each([
    "@'\n\n'@",
    "@'\n",
    '@"\n\n"@ ',
    "$(",
    '"$(',
    "$()",
    '"`',
    "`a`",
    "cat <<a\n",
    "<<a ",
    "a=$a$a;",
    "for i in a b; do $i;",
    "a|",
    "a b|xargs rm ",
    "> a ",
    "cp -r a b ",
    "-o",
    '> "',
    "sudo -u ",
    "::WriteAll(",
    "git checkout ",
  ])("of a command with %j", async (piece) => {
    const of = repeated(piece);
    await expectLinear((n) => shellWrites(of(n)), 60_000);
  });

  it("of a command with a name in a loop", async () => {
    const of = repeated("rm $f;");
    await expectLinear((n) => shellWrites(`for f in ${"a ".repeat(n / 4)}; do ${of(n)}`), 60_000);
  });

  it("of patches, ids and records", async () => {
    await expectLinear((n) => patchedPaths(`*** Begin Patch${"\n".repeat(n)}`), 100_000);
    await expectLinear((n) => asId(`${"*".repeat(n)}a`), 100_000);
    for (const piece of ["\n", " ", "\u00a0", "[", '{"a":', '{"a":"\\', "[1,", '[{"a":\n']) {
      const of = repeated(piece);
      await expectLinear((n) => recordsOf(of(n)), 500_000);
    }
  });
});

function recordsOf(text: string): unknown[] {
  const records: unknown[] = [];
  const reader = new JsonRecordReader({ record: (record) => records.push(record) });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 4096) reader.push(bytes.subarray(at, at + 4096));
  reader.end();
  return records;
}

describe("patterns in a path", () => {
  it.each([
    [".qwen/sk*/a", true],
    [".qwen/skill?/a", true],
    [".{qwen,x}/skills/a", true],
    [".[q]wen/s[k]il*s", true],
    ["{.qwen}/skills/a", true],
    [".qwen/sk*z/a", false],
    ["*/skills/a", false],
    [".qwen/?/a", false],
    [".qwen/skills?/a", false],
  ])("%s", (path, matches) => {
    expect(matchSkillsRoot(path, ".qwen/skills") !== null).toBe(matches);
  });
});

describe("parseJson", () => {
  it("refuses what nests without end, and reads what nests deep", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(parseJson(nested(1000))).toBeInstanceOf(Array);
    expect(parseJson(nested(5_000_000))).toBeUndefined();
    expect(parseJson(`"${"[".repeat(10_000)}"`)).toBe("[".repeat(10_000));
    expect(parseJson(`["\\"${"[".repeat(10_000)}"]`)).toEqual([
      `\\"${"[".repeat(10_000)}`.slice(1),
    ]);
  });
});

describe("the reader of records", () => {
  it("reads on behind a megabyte of blanks, in parts of any size", () => {
    expect(recordsOf(`${" \n".repeat(500_000)}{"n":1}\n{"n":2}`)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("takes a log that begins with a bracket for lines", () => {
    expect(recordsOf('[info] ready\n{"n":1}')).toEqual([{ n: 1 }]);
  });
});
