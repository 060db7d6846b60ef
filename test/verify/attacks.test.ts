/**
 * Every way to get out of the form of a skill, by name, and the rule that refuses it. What a
 * SKILL.md itself can hide has a folder each in test/fixtures/skills.
 */
import { describe, expect, it } from "vitest";
import * as limits from "../../src/core/limits.ts";
import { hasError } from "../../src/verify/finding.ts";
import { RULES } from "../../src/verify/rules.ts";
import { verify } from "../../src/verify/verify.ts";
import {
  FLOW,
  flow,
  flowChanged,
  type InputOptions,
  inputOf,
  personalText,
  ROOT,
  skillText,
} from "./verify-input.ts";

const at = (rest: string) => `${ROOT}/release-flow/${rest}`;
const adds = (path: string, content = "x\n"): InputOptions => ({
  next: { [FLOW]: flow, [path]: content },
});
const mode = (mode: string, content = flow) => ({ mode, content });
const many = (count: number, nameOf: (n: number) => string, textOf = (_: string) => "x\n") =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => nameOf(n)).map((name) => [name, textOf(name)]),
  );

const ATTACKS: Readonly<Record<string, readonly [rule: string, InputOptions]>> = {
  "symlink as SKILL.md": ["mode", { next: { [FLOW]: mode("120000", "/etc/passwd") } }],
  "symlink as a skill's folder": ["path", { next: { [`${ROOT}/evil`]: mode("120000", "/etc") } }],
  "symlink as a reference": [
    "mode",
    { next: { [FLOW]: flow, [at("references/a.md")]: mode("120000", "/etc/passwd") } },
  ],
  "file becomes a symlink": [
    "mode",
    { parent: { [FLOW]: flow }, next: { [FLOW]: mode("120000", "x") } },
  ],
  "symlink becomes a file": [
    "operation",
    { parent: { [FLOW]: mode("120000", "x") }, next: { [FLOW]: flow } },
  ],
  "file becomes a submodule": [
    "mode",
    { parent: { [FLOW]: flow }, next: { [FLOW]: mode("160000") } },
  ],
  "submodule becomes a file": [
    "operation",
    { parent: { [FLOW]: mode("160000") }, next: { [FLOW]: flow } },
  ],
  "submodule as a skill": ["path", { next: { [`${ROOT}/evil`]: mode("160000") } }],
  "execute bit on a new file": ["mode", { next: { [FLOW]: mode("100755") } }],
  "execute bit set": ["mode", { parent: { [FLOW]: flow }, next: { [FLOW]: mode("100755") } }],
  "execute bit taken away": [
    "mode",
    { parent: { [FLOW]: mode("100755") }, next: { [FLOW]: flow } },
  ],
  "hard link": ["disk-kind", { next: { [FLOW]: flow }, disk: [{ path: FLOW, kind: "hard-link" }] }],
  "named pipe": [
    "disk-kind",
    { next: { [FLOW]: flow }, disk: [{ path: at("p"), kind: "special" }] },
  ],
  "execute bit that git ignores": [
    "disk-kind",
    { next: { [FLOW]: flow }, disk: [{ path: FLOW, kind: "file", permissions: 0o755 }] },
  ],
  "set-user-id bit": [
    "disk-kind",
    { next: { [FLOW]: flow }, disk: [{ path: FLOW, kind: "file", permissions: 0o4644 }] },
  ],
  "folder shaped like a bare repository": [
    "extra-folder",
    { next: { [FLOW]: flow }, disk: [{ path: "x", kind: "folder", children: 4 }] },
  ],
  ".git file of the workspace replaced": ["path", adds(".git", "gitdir: /tmp/evil\n")],
  ".git file": ["component", adds(at(".git"))],
  ".git folder": ["component", adds(at(".git/config"))],
  ".GIT in capitals": ["component", adds(at("references/.GIT/a.md"))],
  "git~1, its short name on Windows": ["component", adds(at("references/git~1/a.md"))],
  ".git with a zero-width joiner": ["component", adds(at("references/.g\u200cit/a.md"))],
  ".git with a stream of NTFS": ["component", adds(at("references/.git::$INDEX_ALLOCATION/a.md"))],
  ".git with a dot behind": ["component", adds(at("references/.git./a.md"))],
  ".gitmodules": ["path", adds(".gitmodules")],
  ".gitattributes with a filter": ["path", adds(`${ROOT}/.gitattributes`, "* filter=evil\n")],
  ".gitattributes in a skill": ["path", adds(at(".gitattributes"), "* filter=evil\n")],
  "path that leaves again": ["path", adds(`${ROOT}/../../x.md`)],
  "path that leaves inside a skill": ["path", adds(at("references/../../../x.md"))],
  "skills root in capitals": ["path", adds(".QWEN/skills/release-flow/SKILL.md", flow)],
  "skills folder in capitals": ["path", adds(".qwen/Skills/release-flow/SKILL.md", flow)],
  "settings of the agent": ["path", adds(".qwen/settings.json", "{}")],
  "agent's memory file": ["path", adds("QWEN.md")],
  workflow: ["path", adds(".github/workflows/a.yml")],
  "script in a skill": ["path", adds(at("scripts/run.sh"))],
  "file beside the skills": ["path", adds(`${ROOT}/README.md`)],
  "decomposed twin of a name": ["component", adds(at("references/cafe\u0301.md"))],
  "two compositions of one name": [
    "case-collision",
    {
      next: {
        [FLOW]: flow,
        [at("references/caf\u00e9.md")]: "x",
        [at("references/cafe\u0301.md")]: "y",
      },
    },
  ],
  "bidirectional control in a name": ["component", adds(at("references/a\u202egm.md"))],
  "line break in a name": ["component", adds(at("references/a\nb.md"))],
  "tab in a name": ["component", adds(at("references/a\tb.md"))],
  "backslash in a name": ["component", adds(at("references/a\\b.md"))],
  "device of Windows": ["component", adds(at("references/CON/a.md"))],
  "device of Windows with an extension": ["component", adds(at("references/aux.md"))],
  "colon in a name": ["component", adds(at("references/a:b.md"))],
  "dot at a name's end": ["component", adds(at("references/a./b.md"))],
  "space at a name's end": ["component", adds(at("references/a /b.md"))],
  "name of 300 bytes": ["component", adds(at(`references/${"x".repeat(297)}.md`))],
  "deep folders": [
    "component",
    adds(at(`references/${"a/".repeat(limits.SKILL_PATH_MAX_DEPTH)}b.md`)),
  ],
  "name that isn't UTF-8": ["component", adds(at("references/\ufffd.md"))],
  "case collision with the base": [
    "case-collision",
    {
      parent: { [`${ROOT}/Release-Flow/SKILL.md`]: flow },
      next: { [`${ROOT}/Release-Flow/SKILL.md`]: flow, [FLOW]: flow },
    },
  ],
  "case collision of a folder with a file": [
    "case-collision",
    { next: { [FLOW]: flow, [at("references/A.md")]: "x", [at("references/a.md/b.md")]: "y" } },
  ],
  "folder in place of a file": [
    "operation",
    {
      parent: { [FLOW]: flow, [at("references")]: "x" },
      next: { [FLOW]: flow, [at("references/a.md")]: "x" },
    },
  ],
  "SKILL.MD": ["skill-file", { next: { [at("SKILL.MD")]: flow } }],
  "skill.md": ["skill-file", { next: { [at("skill.md")]: flow } }],
  "no SKILL.md": ["skill-file", { next: { [at("references/a.md")]: "x\n" } }],
  "skills root as a symlink in the base": [
    "skills-root",
    { parent: { [ROOT]: mode("120000", "x") }, next: { [FLOW]: flow } },
  ],
  "folder above the skills root as a symlink": [
    "skills-root",
    { parent: { ".qwen": mode("120000", "x") }, next: { [FLOW]: flow } },
  ],
  "folder above the skills root as a submodule": [
    "skills-root",
    { parent: { ".qwen": mode("160000") }, next: { [FLOW]: flow } },
  ],
  "skills root as a submodule in the base": [
    "skills-root",
    { parent: { [ROOT]: mode("160000") }, next: { [FLOW]: flow } },
  ],
  "skills root that becomes a symlink": [
    "skills-root",
    { parent: { [FLOW]: flow }, next: { [ROOT]: mode("120000", "x") } },
  ],
  deletion: ["operation", { parent: { [FLOW]: flow }, next: {} }],
  "rename of a person's skill": [
    "operation",
    {
      parent: { [FLOW]: personalText("release-flow") },
      next: { [`${ROOT}/other/SKILL.md`]: personalText("other") },
    },
  ],
  "edit of a person's skill": [
    "marker",
    {
      parent: { [FLOW]: personalText("release-flow") },
      next: { [FLOW]: personalText("release-flow", "license: MIT\n") },
    },
  ],
  "edit that marks a person's skill": [
    "marker",
    { parent: { [FLOW]: personalText("release-flow") }, next: { [FLOW]: flow } },
  ],
  "edit that takes the marker away": [
    "marker",
    { parent: { [FLOW]: flow }, next: { [FLOW]: personalText("release-flow") } },
  ],
  "reference added to a person's skill": [
    "marker",
    {
      parent: { [FLOW]: personalText("release-flow") },
      next: { [FLOW]: personalText("release-flow"), [at("references/a.md")]: "x\n" },
    },
  ],
  "marker with a lone carriage return": [
    "marker",
    { next: { [FLOW]: flow.replace("source: auto-skill", "x: y\rsource: auto-skill") } },
  ],
  ...Object.fromEntries(
    Object.entries({
      "commented out": "  # source: auto-skill",
      "in flow style": "  {source: auto-skill}",
      "under a quoted key": '  "source": auto-skill',
      "with an escape": '  source: "\\x61uto-skill"',
      "by an alias": "  a: &m auto-skill\n  source: *m",
      "indented by a tab": "\tsource: auto-skill",
      "with two spaces": "  source:  auto-skill",
      "with a space behind": "  source: auto-skill ",
      "in a list": "  - source: auto-skill",
      "one level deeper": "  more:\n    source: auto-skill",
      tagged: "  source: !!str auto-skill",
    }).map(([how, line]): [string, readonly [string, InputOptions]] => [
      `marker ${how}`,
      ["marker", { next: { [FLOW]: flow.replace("  source: auto-skill", line) } }],
    ]),
  ),
  "byte order mark": ["text", { next: { [FLOW]: `\ufeff${flow}` } }],
  CRLF: ["text", { next: { [FLOW]: flow.replaceAll("\n", "\r\n") } }],
  NUL: ["text", { next: { [FLOW]: `${flow}\0\n` } }],
  "bytes that are no UTF-8": ["text", { next: { [FLOW]: new Uint8Array([0xff, 0xfe]) } }],
  "bomb of aliases": [
    "frontmatter",
    {
      next: { [FLOW]: flow.replace("version: 1.0.0", "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]") },
    },
  ],
  hooks: ["frontmatter", { next: { [FLOW]: skillText("release-flow", { extra: "hooks: {}" }) } }],
  allowedTools: [
    "frontmatter",
    { next: { [FLOW]: skillText("release-flow", { extra: "allowedTools: [x]" }) } },
  ],
  "description of 25,138 characters": [
    "frontmatter",
    { next: { [FLOW]: flow.replace(/description: .*/, `description: ${"word ".repeat(5028)}`) } },
  ],
  "description of 1,100 characters": [
    "description",
    { next: { [FLOW]: flow.replace(/description: .*/, `description: ${"word ".repeat(220)}x`) } },
  ],
  "file of 146 KB": ["size", { next: { [FLOW]: `${flow}${"line\n".repeat(29_200)}` } }],
  "skill of many large files": [
    "size",
    {
      next: {
        [FLOW]: flow,
        ...many(
          5,
          (n) => at(`references/${n}.md`),
          () => "line\n".repeat(12_000),
        ),
      },
    },
  ],
  "line of 3,000 characters": ["size", { next: { [FLOW]: `${flow}${"x".repeat(3000)}\n` } }],
  "file that is too large to be read": ["size", { next: { [FLOW]: flow }, unloaded: [FLOW] }],
  "many files": [
    "size",
    { next: { [FLOW]: flow, ...many(limits.SKILL_MAX_FILES, (n) => at(`references/${n}.md`)) } },
  ],
  "many skills": [
    "count",
    {
      next: many(
        limits.SKILLS_CHANGED_MAX + 1,
        (n) => `${ROOT}/s${n}/SKILL.md`,
        (path) => skillText(path.split("/")[2] ?? ""),
      ),
    },
  ],
  "a Skillbook's JSON without what it gives": [
    "skillbook",
    {
      next: {
        [`${ROOT}/skillbook/SKILL.md`]: skillText("skillbook"),
        [`${ROOT}/skillbook/skillbook.json`]: "{}\n",
      },
    },
  ],
  "name of a bundled skill": [
    "shadow",
    { next: { [`${ROOT}/review/SKILL.md`]: skillText("review") } },
  ],
  "name of a skill in another folder": [
    "shadow",
    {
      parent: { [`${ROOT}/old/SKILL.md`]: flow },
      next: { [`${ROOT}/old/SKILL.md`]: flow, [FLOW]: flow },
    },
  ],
  "name of another folder": ["name", { next: { [FLOW]: skillText("deploy") } }],
};

describe("structure", () => {
  it.each(Object.entries(ATTACKS))("refuses: %s", (_name, [rule, options]) => {
    const errors = verify(inputOf(options)).filter(({ level }) => level === "error");
    expect(errors.map((finding) => finding.rule)).toContain(`structure.${rule}`);
  });

  it("has an attack for every rule but those about damaged trees and leftovers", () => {
    const structure = RULES.map(({ id }) => id).filter((id) => id.startsWith("structure."));
    const used = new Set(Object.values(ATTACKS).map(([rule]) => `structure.${rule}`));
    const rest = structure.filter((id) => !used.has(id));
    // Their attacks are objects that git would not write: test/proposal/verify-trees.test.ts.
    expect(rest).toEqual(["structure.malformed-tree", "structure.tree", "structure.empty-folder"]);
  });

  it("lets pass what is next to these and harmless", () => {
    const fine: InputOptions[] = [
      { next: { [FLOW]: flow, [at("references/a/b/notes.md")]: "Emoji 👩‍💻 and café.\n" } },
      { parent: { [FLOW]: flow }, next: { [FLOW]: flowChanged } },
    ];
    for (const options of fine) expect(hasError(verify(inputOf(options)))).toBe(false);
  });
});
