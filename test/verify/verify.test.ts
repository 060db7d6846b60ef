import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FINDINGS_MAX } from "../../src/core/limits.ts";
import { isAllowedSkillFile, parseSkillPath } from "../../src/skills/skill-path.ts";
import type { DiskEntry } from "../../src/verify/change.ts";
import { hasError } from "../../src/verify/finding.ts";
import { verify } from "../../src/verify/verify.ts";
import {
  FLOW,
  flow,
  flowChanged,
  inputOf,
  placeOf,
  ROOT,
  rulesOf,
  skillText,
  type Tree,
} from "./verify-input.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

function expectPrintable(findings: ReturnType<typeof verify>): void {
  for (const { path, message, hint } of findings) {
    expect(`${path} ${message} ${hint}`).not.toMatch(CONTROL);
  }
}

describe("verify", () => {
  it("finds nothing in a new skill, an update, and no change at all", () => {
    expect(rulesOf({ next: { [FLOW]: flow } })).toEqual([]);
    expect(rulesOf({ parent: { [FLOW]: flow }, next: { [FLOW]: flowChanged } })).toEqual([]);
    const broken = { [FLOW]: "no skill", [`${ROOT}/x/\u0000`]: "y" };
    expect(rulesOf({ parent: broken, next: broken })).toEqual([]);
    expect(rulesOf({ parent: broken, next: broken, profile: "pull-request" })).toEqual([]);
  });

  it("sorts by path, line and rule, those about no file first", () => {
    const many = Array.from({ length: 9 }, (_, n) => `s${n}`);
    const next: Tree = Object.fromEntries(
      many.map((name) => [`${ROOT}/${name}/SKILL.md`, skillText(name)]),
    );
    const worse = { [`${ROOT}/s1/SKILL.md`]: "---\nname: x\nhooks: {}\n---\n\u0000\n" };
    const places = verify(inputOf({ next: { ...next, ...worse, "z.txt": "z" } })).map(placeOf);
    expect(places).toEqual([
      "structure.count -",
      `structure.description ${ROOT}/s1/SKILL.md`,
      `structure.marker ${ROOT}/s1/SKILL.md`,
      `structure.name ${ROOT}/s1/SKILL.md:2`,
      `structure.frontmatter ${ROOT}/s1/SKILL.md:3`,
      `structure.text ${ROOT}/s1/SKILL.md:5`,
      "structure.path z.txt",
    ]);
  });

  it("lists so many findings and counts the rest, keeping the level", () => {
    const names = Array.from({ length: FINDINGS_MAX + 5 }, (_, n) => `file-${n}.txt`);
    const findings = verify(inputOf({ next: Object.fromEntries(names.map((n) => [n, "x"])) }));
    expect(findings).toHaveLength(FINDINGS_MAX);
    expect(findings.at(-1)).toMatchObject({
      rule: "structure.too-many",
      level: "error",
      message: "There are 6 more findings that are not listed.",
    });
  });

  it("lists what refuses the change before what only warns", () => {
    const names = Array.from({ length: FINDINGS_MAX + 1 }, (_, n) => `by-hand-${n}`);
    const text = "---\nname: other\ndescription: d\n---\n";
    const next = Object.fromEntries(names.map((name) => [`${ROOT}/${name}/SKILL.md`, text]));
    const findings = verify(
      inputOf({ next: { ...next, [`${ROOT}/z/run.sh`]: "x" }, profile: "pull-request" }),
    );
    expect(findings).toHaveLength(FINDINGS_MAX);
    expect(findings.filter(({ rule }) => rule === "structure.path")).toHaveLength(1);
    const paths = findings.slice(0, -1).map(({ path }) => path ?? "");
    expect(paths).toEqual([...paths].sort());
  });

  it("stays at the level of warnings where there are only warnings", () => {
    const names = Array.from({ length: FINDINGS_MAX + 1 }, (_, n) => `by-hand-${n}`);
    const text = "---\nname: other\ndescription: d\n---\n";
    const next = Object.fromEntries(names.map((name) => [`${ROOT}/${name}/SKILL.md`, text]));
    const findings = verify(inputOf({ next, profile: "pull-request" }));
    expect(findings.at(-1)).toMatchObject({ rule: "structure.too-many", level: "warning" });
  });
});

describe("verify, whatever comes", () => {
  const piece = fc.oneof(
    fc.constantFrom(".qwen", "skills", ".QWEN", "Skills", "release-flow", "references", "SKILL.md"),
    fc.constantFrom("..", ".", "", ".git", "a.md", "a.sh", "SKILL.MD", "a\\b.md", "con.md"),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const tail = fc.array(piece, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));
  const path = fc.oneof(
    tail,
    tail.map((rest) => `${ROOT}/${rest}`),
    tail.map((rest) => `${ROOT}/release-flow/references/${rest}`),
  );

  it("accepts no path outside the allow-list", () => {
    fc.assert(
      fc.property(path, (changed) => {
        const parsed = parseSkillPath(changed, ROOT);
        if (parsed && isAllowedSkillFile(parsed.rest)) return;
        const findings = verify(inputOf({ next: { [FLOW]: flow, [changed]: "x\n" } }));
        expect(hasError(findings)).toBe(true);
        expectPrintable(findings);
      }),
      { numRuns: 1000 },
    );
  });

  it("accepts under the allow-list, in a valid skill, every path", () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_.]{0,8}[a-z0-9]$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const rest = `references/${names.join("/")}.md`;
        fc.pre(isAllowedSkillFile(rest));
        expect(
          rulesOf({ next: { [FLOW]: flow, [`${ROOT}/release-flow/${rest}`]: "x\n" } }),
        ).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("never throws on the bytes of a SKILL.md", () => {
    const fragment = fc.constantFrom(
      ..."---\n|name: a\n|source: auto-skill\n|metadata:\n|  |\t|: |- |[|{|*a|&a|!!x|'|\"|\u0000|\r|\ufeff".split(
        "|",
      ),
    );
    const text = fc.array(fragment, { maxLength: 30 }).map((list) => list.join(""));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      text.map((body) => new TextEncoder().encode(body)),
      text.map((body) => new TextEncoder().encode(`---\n${body}\n---\n`)),
    );
    const profile = fc.constantFrom("proposal" as const, "pull-request" as const);
    fc.assert(
      fc.property(bytes, bytes, profile, (before, after, chosen) => {
        const parent = { [FLOW]: before };
        expectPrintable(verify(inputOf({ parent, next: { [FLOW]: after }, profile: chosen })));
      }),
      { numRuns: 1000 },
    );
  });

  it("never throws on modes, statuses and what lies on disk", () => {
    const kinds = ["file", "folder", "symlink", "hard-link", "special", "unreadable"] as const;
    const entry = fc.record<DiskEntry>({
      path,
      kind: fc.constantFrom(...kinds),
      children: fc.nat(3),
      permissions: fc.nat(0o7777),
    });
    const change = fc.record({
      path,
      status: fc.oneof(fc.constantFrom("A", "M", "D", "T"), fc.string({ maxLength: 3 })),
      oldMode: fc.constantFrom("000000", "100644"),
      mode: fc.oneof(fc.constantFrom("100644", "120000", "160000"), fc.string({ maxLength: 6 })),
      oldId: fc.constant(""),
      id: fc.string({ maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), change, (disk, moreChange) => {
        expectPrintable(verify(inputOf({ next: {}, disk, moreChanges: [moreChange] })));
      }),
      { numRuns: 500 },
    );
  });

  const bodyPiece = fc.constantFrom(
    ..."# H\n|- |1. |`npx a-b`|```sh\n|```\n|npm i x@|https://a.dev/|TODO:|/home/r/x|as discussed|<<E\n|> |\n\n|\u200d|sudo ".split(
      "|",
    ),
  );
  const content = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc
      .array(bodyPiece, { maxLength: 12 })
      .map((list) => skillText("release-flow", { body: list.join("") })),
  );
  const tree = fc.dictionary(fc.oneof(path, fc.constant(FLOW)), content, { maxKeys: 6 });
  const eitherProfile = fc.constantFrom("proposal" as const, "pull-request" as const);

  it("finds nothing where nothing changed, whatever is there", () => {
    fc.assert(
      fc.property(tree, eitherProfile, (same, profile) => {
        expect(verify(inputOf({ parent: same, next: same, profile }))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("gives the same findings for the same trees, however often", () => {
    fc.assert(
      fc.property(tree, tree, eitherProfile, (parent, next, profile) => {
        const input = { ...inputOf({ parent, next, profile }), grounded: new Set<string>() };
        const first = verify(input);
        expectPrintable(first);
        expect(verify(input)).toEqual(first);
        expect(verify({ ...input, changes: [...input.changes].reverse() })).toEqual(first);
      }),
      { numRuns: 300 },
    );
  });
});
