/**
 * What a hostile or broken reviewer can leave in the workspace: each attack is planted between
 * review and seal, through the built library, and refused with its rule; nothing is committed, no
 * object enters the repository's store, and the user's checkout stays as it was.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Outcome } from "../../src/outcome.ts";
import type { ReviewInput } from "../../src/review/reviewer.ts";
import { DEMO_SESSION } from "../support/built-cli.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

type Library = typeof import("../../src/index.ts");
const DIST = pathToFileURL(resolve(import.meta.dirname, "../../dist/index.mjs")).href;

const skill = (name: string, more = "", body = `# Steps\n\nRun the tests of ${name}.\n`) =>
  `---\nname: ${name}\ndescription: How to run the tests here.\nversion: 1.0.0\nmetadata:\n  source: auto-skill\n${more}---\n\n${body}`;

/** A credential that the process holds, without the shape of any. */
const OWN_CREDENTIAL = "plain-words-that-are-a-secret";

interface Attack {
  readonly name: string;
  /** Rule of the error that must be among the findings. */
  readonly rule: string;
  /** What the reviewer does; `put` writes a file under the skills root. */
  readonly plant: (place: Place) => void;
  readonly base?: Readonly<Record<string, string>>;
}

interface Place {
  readonly dir: string;
  readonly top: string;
  readonly home: string;
  put(path: string, content: string | Uint8Array): string;
}

const good = (place: Place, name = "good") => place.put(`${name}/SKILL.md`, skill(name));
const base = {
  ".qwen/skills/mine/SKILL.md":
    "---\nname: mine\ndescription: A skill that a person wrote.\n---\n\nText\n",
  ".qwen/skills/learned/SKILL.md": skill("learned"),
};

const attacks: Attack[] = [
  // Facts E 1: kinds of files
  {
    name: "symlink-file",
    rule: "structure.disk-kind",
    plant: (p) => {
      good(p);
      mkdirSync(join(p.dir, "good/references"));
      symlinkSync("/etc/passwd", join(p.dir, "good/references/a.md"));
    },
  },
  {
    name: "symlink-as-skill-md",
    rule: "structure.disk-kind",
    plant: (p) => {
      mkdirSync(join(p.dir, "evil"));
      symlinkSync("/etc/passwd", join(p.dir, "evil/SKILL.md"));
    },
  },
  {
    name: "symlink-folder",
    rule: "structure.disk-kind",
    plant: (p) => symlinkSync(p.home, join(p.dir, "evil")),
  },
  {
    name: "file-to-symlink",
    rule: "structure.disk-kind",
    base,
    plant: (p) => {
      unlinkSync(join(p.dir, "learned/SKILL.md"));
      symlinkSync("../mine/SKILL.md", join(p.dir, "learned/SKILL.md"));
    },
  },
  {
    name: "hard-link",
    rule: "structure.disk-kind",
    plant: (p) => {
      good(p);
      mkdirSync(join(p.dir, "good/references"));
      writeFileSync(join(p.home, "secret"), "secret\n");
      linkSync(join(p.home, "secret"), join(p.dir, "good/references/a.md"));
    },
  },
  {
    name: "fifo",
    rule: "structure.disk-kind",
    plant: (p) => {
      good(p);
      execFileSync("mkfifo", [join(p.dir, "good/pipe")]);
    },
  },
  { name: "exec-bit", rule: "structure.disk-kind", plant: (p) => chmodSync(good(p), 0o755) },
  { name: "setuid-bit", rule: "structure.disk-kind", plant: (p) => chmodSync(good(p), 0o4644) },
  // Facts E 2: git in disguise
  {
    name: "git-file-replaced",
    rule: "structure.disk-kind",
    plant: (p) => {
      good(p);
      writeFileSync(join(p.top, ".git"), `gitdir: ${p.home}/evil\n`);
    },
  },
  {
    name: "nested-git-folder",
    rule: "structure.component",
    plant: (p) => {
      good(p);
      p.put("good/.git/config", "[core]\n\tfsmonitor = touch /tmp/x\n");
    },
  },
  {
    name: "bare-repository-shape",
    rule: "structure.path",
    plant: (p) => {
      for (const f of ["HEAD", "config"]) p.put(`evil/${f}`, "x\n");
    },
  },
  {
    name: "gitmodules",
    rule: "structure.path",
    plant: (p) => {
      good(p);
      p.put("good/.gitmodules", "[submodule]\n");
    },
  },
  {
    name: "gitattributes",
    rule: "structure.path",
    plant: (p) => {
      good(p);
      p.put("good/.gitattributes", "* filter=evil\n");
    },
  },
  // Facts E 3: paths
  {
    name: "outside-the-skills-root",
    rule: "structure.path",
    plant: (p) => {
      good(p);
      writeFileSync(join(p.top, "package.json"), "{}");
    },
  },
  {
    name: "qwen-settings",
    rule: "structure.path",
    plant: (p) => {
      good(p);
      writeFileSync(join(p.top, ".qwen/settings.json"), "{}");
    },
  },
  {
    name: "file-in-the-skills-root",
    rule: "structure.path",
    plant: (p) => {
      p.put("README.md", "hello\n");
    },
  },
  {
    name: "other-case-of-the-root",
    rule: "structure.path",
    plant: (p) => {
      good(p);
      mkdirSync(join(p.top, ".QWEN/skills/x"), { recursive: true });
      writeFileSync(join(p.top, ".QWEN/skills/x/SKILL.md"), skill("x"));
    },
  },
  {
    name: "a-script-beside",
    rule: "structure.path",
    plant: (p) => {
      good(p);
      p.put("good/run.sh", "echo hi\n");
    },
  },
  {
    name: "newline-in-a-name",
    rule: "structure.component",
    plant: (p) => {
      good(p);
      p.put("good/references/a\nb.md", "x\n");
    },
  },
  {
    name: "tab-in-a-name",
    rule: "structure.component",
    plant: (p) => {
      good(p);
      p.put("good/references/a\tb.md", "x\n");
    },
  },
  {
    name: "backslash-in-a-name",
    rule: "structure.component",
    plant: (p) => {
      good(p);
      p.put("good/references/a\\b.md", "x\n");
    },
  },
  {
    name: "bidi-in-a-name",
    rule: "structure.component",
    plant: (p) => {
      good(p);
      p.put("good/references/a\u202eb.md", "x\n");
    },
  },
  {
    name: "zero-width-in-git",
    rule: "structure.component",
    plant: (p) => {
      good(p);
      p.put("good/.g\u200cit/x.md", "x\n");
    },
  },
  {
    name: "windows-name",
    rule: "structure.component",
    plant: (p) => {
      good(p);
      p.put("good/references/aux.md", "x\n");
    },
  },
  {
    name: "trailing-dot",
    rule: "structure.component",
    plant: (p) => {
      good(p);
      p.put("good/references/a.md.", "x\n");
    },
  },
  {
    name: "trailing-space",
    rule: "structure.component",
    plant: (p) => {
      good(p);
      p.put("good/references/a.md ", "x\n");
    },
  },
  {
    name: "case-collision",
    rule: "structure.case-collision",
    plant: (p) => {
      good(p);
      p.put("good/references/A.md", "x\n");
      p.put("good/references/a.md", "x\n");
    },
  },
  {
    name: "case-collision-with-the-base",
    rule: "structure.case-collision",
    base,
    plant: (p) => {
      p.put("Mine/SKILL.md", skill("mine"));
    },
  },
  {
    name: "skill-md-misspelled",
    rule: "structure.skill-file",
    plant: (p) => {
      p.put("evil/SKILL.MD", skill("evil"));
    },
  },
  {
    name: "empty-folder",
    rule: "structure.empty-folder",
    plant: (p) => {
      good(p);
      mkdirSync(join(p.dir, "good/references"));
    },
  },
  {
    name: "extra-folder",
    rule: "structure.extra-folder",
    plant: (p) => {
      good(p);
      p.put("notes/references/a.md", "x\n");
    },
  },
  {
    name: "too-deep",
    rule: "structure.component",
    plant: (p) => {
      good(p);
      p.put("good/references/a/b/c/d/e/f.md", "x\n");
    },
  },
  // Facts E 4: what belongs to people
  {
    name: "edits-a-persons-skill",
    rule: "structure.marker",
    base,
    plant: (p) => {
      p.put("mine/SKILL.md", skill("mine"));
    },
  },
  {
    name: "adds-to-a-persons-skill",
    rule: "structure.marker",
    base,
    plant: (p) => {
      p.put("mine/references/a.md", "x\n");
    },
  },
  {
    name: "deletes-a-skill",
    rule: "structure.operation",
    base,
    plant: (p) => rmSync(join(p.dir, "learned"), { recursive: true }),
  },
  {
    name: "deletes-a-persons-skill",
    rule: "structure.operation",
    base,
    plant: (p) => rmSync(join(p.dir, "mine"), { recursive: true }),
  },
  {
    name: "renames-a-persons-skill",
    rule: "structure.operation",
    base,
    plant: (p) => {
      renameSync(join(p.dir, "mine"), join(p.dir, "yours"));
    },
  },
  {
    name: "removes-the-marker",
    rule: "structure.marker",
    base,
    plant: (p) => {
      p.put("learned/SKILL.md", "---\nname: learned\ndescription: Mine now.\n---\n\nText\n");
    },
  },
  {
    name: "no-marker",
    rule: "structure.marker",
    plant: (p) => {
      p.put("evil/SKILL.md", "---\nname: evil\ndescription: No marker.\n---\n\nText\n");
    },
  },
  {
    name: "one-bad-among-good",
    rule: "structure.marker",
    plant: (p) => {
      good(p);
      p.put("evil/SKILL.md", "---\nname: evil\ndescription: No marker.\n---\n\nText\n");
    },
  },
  // Facts E 5: frontmatter
  {
    name: "hooks",
    rule: "structure.frontmatter",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil", "hooks:\n  Stop: []\n"));
    },
  },
  {
    name: "allowed-tools",
    rule: "structure.frontmatter",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil", "allowedTools: [shell]\n"));
    },
  },
  {
    name: "model",
    rule: "structure.frontmatter",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil", "model: other\n"));
    },
  },
  {
    name: "duplicate-key",
    rule: "structure.frontmatter",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil", "name: other\n"));
    },
  },
  {
    name: "anchor",
    rule: "structure.frontmatter",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil", "license: &a MIT\n"));
    },
  },
  {
    name: "proto",
    rule: "structure.frontmatter",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil", "__proto__: x\n"));
    },
  },
  {
    name: "name-is-not-the-folder",
    rule: "structure.name",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("other"));
    },
  },
  {
    name: "description-too-long",
    rule: "structure.description",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil").replace("How to run", "How to run ".repeat(200)));
    },
  },
  {
    name: "file-too-large",
    rule: "structure.size",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil", "", `${"word ".repeat(15)}\n`.repeat(2000)));
    },
  },
  {
    name: "too-many-files",
    rule: "structure.size",
    plant: (p) => {
      good(p);
      for (let i = 0; i < 40; i++) p.put(`good/references/r${i}.md`, "x\n");
    },
  },
  {
    name: "too-many-skills",
    rule: "structure.count",
    plant: (p) => {
      for (let i = 0; i < 12; i++) good(p, `good-${i}`);
    },
  },
  {
    name: "crlf",
    rule: "structure.text",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil", "", "a\r\nb\r\n"));
    },
  },
  {
    name: "nul-byte",
    rule: "structure.text",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil", "", "a\u0000b\n"));
    },
  },
  {
    name: "terminal-escape",
    rule: "structure.text",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil", "", "a\u001b[31mb\n"));
    },
  },
  {
    name: "byte-order-mark",
    rule: "structure.text",
    plant: (p) => {
      p.put("evil/SKILL.md", `\ufeff${skill("evil")}`);
    },
  },
  {
    name: "a-token",
    rule: "secret.value",
    plant: (p) => {
      p.put(
        "evil/SKILL.md",
        skill("evil", "", `Use ${"gh" + "p_"}${"a1B2".repeat(9)} to log in.\n`),
      );
    },
  },
  {
    name: "the-run-s-own-credential",
    rule: "secret.value",
    plant: (p) => {
      p.put("evil/SKILL.md", skill("evil", "", `Use ${OWN_CREDENTIAL} to log in.\n`));
    },
  },
  {
    name: "nfd-twin-of-a-base-folder",
    rule: "structure.component",
    base: { ".qwen/skills/caf\u00e9/SKILL.md": skill("cafe") },
    plant: (p) => {
      p.put("cafe\u0301/SKILL.md", skill("cafe"));
    },
  },
  {
    name: "a-nested-repository",
    rule: "structure.component",
    plant: (p) => {
      good(p);
      execFileSync("git", ["init", "-q", join(p.dir, "good/references")]);
    },
  },
  {
    name: "a-folder-that-no-branch-can-be-named-after",
    rule: "structure.name",
    base: { ".qwen/skills/Old_Skill/SKILL.md": skill("old-skill") },
    plant: (p) => {
      p.put("Old_Skill/SKILL.md", skill("old-skill", "", "# Steps\n\nRun `npm test` twice.\n"));
    },
  },
  {
    name: "not-utf-8",
    rule: "structure.text",
    plant: (p) => {
      p.put(
        "evil/SKILL.md",
        Buffer.concat([Buffer.from(skill("evil")), Buffer.from([0xff, 0xfe, 0x0a])]),
      );
    },
  },
];

describe("an attack on the workspace is refused whole", () => {
  let repository: TemporaryRepository;
  const { TMPDIR, RUNNER_TEMP } = process.env;
  beforeEach(() => {
    delete process.env["RUNNER_TEMP"];
    restore("TMPDIR", TMPDIR);
  });
  afterAll(() => {
    restore("TMPDIR", TMPDIR);
    restore("RUNNER_TEMP", RUNNER_TEMP);
  });
  afterEach(async () => repository[Symbol.asyncDispose]());

  async function reviewWith(attack: Pick<Attack, "base" | "plant">): Promise<Outcome> {
    repository = await temporaryRepository({
      files: { "README.md": "# parcels\n", ...attack.base },
    });
    process.env["TMPDIR"] = repository.tempRoot;
    const library: Library = await import(DIST);
    const { config } = library.resolveConfig({
      flags: { enabled: true },
      user: {},
      repository: {},
      disabledInAgentSettings: null,
    });
    return library.review(
      { kind: "file", path: DEMO_SESSION },
      {
        config,
        repository: await library.openRepository(repository.dir),
        reviewer: {
          name: "hostile",
          review: async ({ skillsDir }: ReviewInput) => {
            attack.plant({
              dir: skillsDir,
              top: resolve(skillsDir, "../.."),
              home: repository.home,
              put: (path, content) => {
                mkdirSync(dirname(join(skillsDir, path)), { recursive: true });
                writeFileSync(join(skillsDir, path), content);
                return join(skillsDir, path);
              },
            });
            return {
              notes: [],
              usage: {
                reviewer: "hostile",
                model: null,
                turns: 1,
                inputTokens: 0,
                outputTokens: 0,
                requestBytes: 0,
                incomplete: false,
              },
            };
          },
        },
        credentials: [OWN_CREDENTIAL],
        messageTemplate: library.readTemplate("commit-message.txt"),
        force: true,
        dryRun: false,
        outDir: null,
        signal: new AbortController().signal,
        onStep: () => {},
        onNote: () => {},
      },
    );
  }

  test.each(attacks)("$name → $rule", async (attack) => {
    const prepared = { objects: "", refs: "" };
    const outcome = await reviewWith({
      ...attack,
      plant: (place) => {
        prepared.objects = listObjects(repository.dir);
        attack.plant(place);
      },
    });
    expect(outcome.status).toBe("refused");
    const errors = outcome.findings
      .filter(({ level }) => level === "error")
      .map(({ rule }) => rule);
    expect(errors).toContain(attack.rule);
    expect(outcome.proposals).toEqual([]);
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
    expect(listObjects(repository.dir)).toBe(prepared.objects);
    expect(await repository.git("status", "--porcelain")).toBe("");
    expect((await repository.git("worktree", "list")).split("\n")).toHaveLength(1);
    const left = readdirSync(repository.tempRoot).map((name) => join(repository.tempRoot, name));
    expect(left.flatMap((folder) => readdirSync(folder))).toEqual([]);
    for (const finding of outcome.findings) {
      expect(`${finding.message}${finding.hint}${finding.path}`).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(finding.hint).not.toBe("");
    }
  });

  test("the same reviewer with nothing hostile is proposed: the table can fail", async () => {
    const outcome = await reviewWith({
      base,
      plant: (place) => {
        good(place);
        place.put("good/references/more.md", "# More\n");
      },
    });
    expect(outcome.findings).toEqual([]);
    expect(outcome).toMatchObject({
      status: "proposed",
      proposals: [{ skill: "good", operation: "created" }],
    });
    const changed = await repository.git("diff", "--name-only", "main", "auto-skill/good");
    expect(changed.split("\n")).toEqual([
      ".qwen/skills/good/SKILL.md",
      ".qwen/skills/good/references/more.md",
    ]);
  });

  test("a replaced .git file leads git nowhere, and the workspace is gone all the same (complaint 40)", async () => {
    const outcome = await reviewWith({
      plant: (place) => {
        good(place);
        const evil = join(place.home, "evil.git");
        execFileSync("git", ["init", "-q", "--bare", evil]);
        writeFileSync(
          join(evil, "config"),
          `[core]\n\tfsmonitor = touch ${place.home}/sprung\n\tbare = false\n`,
        );
        writeFileSync(join(place.top, ".git"), `gitdir: ${evil}\n`);
      },
    });
    expect(outcome.status).toBe("refused");
    expect(existsSync(join(repository.home, "sprung"))).toBe(false);
    expect(readFileSync(join(repository.home, "evil.git/HEAD"), "utf8")).toContain("ref:");
    expect((await repository.git("worktree", "list")).split("\n")).toHaveLength(1);
  });

  test("a reviewer that throws leaves no workspace behind", async () => {
    await expect(
      reviewWith({
        plant: () => {
          throw new Error("boom");
        },
      }),
    ).rejects.toThrow("boom");
    expect((await repository.git("worktree", "list")).split("\n")).toHaveLength(1);
  });
});

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

function listObjects(dir: string): string {
  return readdirSync(join(dir, ".git/objects"), { recursive: true }).map(String).sort().join("\n");
}
