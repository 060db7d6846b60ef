/** `skillpr adopt`: skills in place become proposals, and not one file moves. */
import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Adoption } from "../../src/adoption.ts";
import { reviewBy } from "../support/auto-skill.ts";
import { reviewDemo, runCli } from "../support/built-cli.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const files = { "README.md": "# parcels\n" };

/** As Qwen Code's own reviewer writes it. */
function inPlace(name: string, more: { marker?: string; body?: string } = {}): string {
  const {
    marker = "source: auto-skill\n",
    body = "Run `npm test`.\n\n```sh\nnpm test -- --seed 7\n```\n",
  } = more;
  return (
    `---\nname: ${name}\ndescription: How to work with ${name}.\n${marker}` +
    `extracted_at: '2026-01-02T03:04:05Z'\n---\n\n# ${name}\n\n${body}`
  );
}

async function adopt(repository: TemporaryRepository, ...args: string[]) {
  const result = await runCli(repository, ["adopt", ...args, "--json"]);
  const { results, error } = result.json<{ results: Adoption[]; error?: { message: string } }>();
  const of = (folder: string) => results.find((one) => one.folder === folder);
  return { ...result, results, error, of };
}

const SKILL = ".qwen/skills/auto-skill-labels";
const PENDING = ".qwen/pending-skills/task-1/auto-skill-seeds";

describe("what an agent wrote in place becomes a proposal", () => {
  test("each on its own branch, with where it came from; nothing else changes", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    repository.write(`${SKILL}/references/why.md`, "# Why\n\nBecause.\n");
    repository.write(`${PENDING}/SKILL.md`, inPlace("seeds"));
    repository.write(".qwen/skills/mine/SKILL.md", inPlace("mine", { marker: "" }));
    const before = await repository.snapshot();
    const { code, results, of } = await adopt(repository);
    expect(await repository.snapshot()).toEqual(before);
    expect(code).toBe(0);
    expect(results.map(({ folder, status }) => [folder, status])).toEqual([
      [SKILL, "proposed"],
      [".qwen/skills/mine", "skipped"],
      [PENDING, "proposed"],
    ]);
    expect(of(".qwen/skills/mine")?.skippedReason).toBe("not_auto_skill");
    expect(of(SKILL)).toMatchObject({
      skill: "auto-skill-labels",
      findings: [],
      operations: [{ type: "ADD", skill_id: "auto-skill-labels" }],
      proposals: [{ branch: "auto-skill/auto-skill-labels", operation: "created" }],
    });
    const branch = "auto-skill/auto-skill-labels";
    const show = (path: string) => repository.git("show", `${branch}:${SKILL}/${path}`);
    expect(await show("SKILL.md")).toBe(inPlace("labels").trimEnd());
    expect(await show("references/why.md")).toBe("# Why\n\nBecause.");
    const staged = `auto-skill/auto-skill-seeds:.qwen/skills/auto-skill-seeds/SKILL.md`;
    expect(await repository.git("show", staged)).toBe(inPlace("seeds").trimEnd());
    const message = await repository.git("log", "-1", "--format=%an%n%B", branch);
    expect(message).toMatch(/^skillpr\nskill: add auto-skill-labels\n/);
    expect(message).toContain(`Skillpr-Adopted: ${SKILL}\n`);
    expect(message).toContain("Skillpr-Session: none\n");
    expect(await repository.git("diff", "--stat", "main", branch)).not.toContain("mine");
  });

  test("evidence is empty, and the person who decides is told why", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    await adopt(repository);
    const shown = await runCli(repository, ["show", "auto-skill-labels", "--json"]);
    expect(shown.json<unknown>()).toMatchObject({
      evidence: [],
      why: expect.stringContaining(`in ${SKILL}`),
      usage: { reviewer: "adopt", model: null },
    });
  });

  test("ignored folders are adopted too", async () => {
    await using repository = await temporaryRepository({
      files: { ...files, ".gitignore": ".qwen/skills/auto-skill-*/\n.qwen/pending-skills/\n" },
    });
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    repository.write(`${PENDING}/SKILL.md`, inPlace("seeds"));
    const { results } = await adopt(repository);
    expect(results.map(({ status }) => status)).toEqual(["proposed", "proposed"]);
  });

  test("another agent's skills root", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(".claude/skills/labels/SKILL.md", inPlace("labels"));
    const { results } = await adopt(repository, "--skills-root", ".claude/skills");
    expect(results).toMatchObject([{ folder: ".claude/skills/labels", status: "proposed" }]);
  });

  test("a linked work tree has its own", async () => {
    await using repository = await temporaryRepository({ files });
    const linked = join(repository.home, "linked tree");
    await repository.git("worktree", "add", "-q", "-b", "work", linked);
    mkdirSync(join(linked, SKILL), { recursive: true });
    writeFileSync(join(linked, SKILL, "SKILL.md"), inPlace("labels"));
    expect((await adopt(repository)).results).toEqual([]);
    const { results } = await adopt(repository, "--repo", linked);
    expect(results).toMatchObject([{ folder: SKILL, status: "proposed" }]);
  });

  test("a dry run shows the difference and leaves no trace", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    const { results } = await adopt(repository, "--dry-run");
    expect(results).toMatchObject([{ status: "proposed", proposals: [{ commit: null }] }]);
    expect(results[0]?.proposals[0]?.diff).toContain("+name: labels");
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
    expect((await adopt(repository)).results).toMatchObject([
      { status: "proposed", proposals: [{ operation: "created" }] },
    ]);
  });

  test("several at once make one proposal of each", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    repository.write(`${PENDING}/SKILL.md`, inPlace("seeds"));
    const before = await repository.snapshot();
    const runs = await Promise.all([1, 2, 3].map(() => adopt(repository)));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    for (const skill of ["auto-skill-labels", "auto-skill-seeds"])
      expect(await repository.git("rev-list", "--count", `main..auto-skill/${skill}`)).toBe("1");
    expect(await repository.snapshot()).toEqual(before);
  });

  test("nothing in place is no error", async () => {
    await using repository = await temporaryRepository({ files });
    expect(await adopt(repository)).toMatchObject({ code: 0, results: [] });
    expect((await runCli(repository, ["adopt"])).stdout).toContain("no skill in place");
  });

  test("people read what became of each folder and what to do next", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    repository.write(".qwen/skills/mine/SKILL.md", inPlace("mine", { marker: "" }));
    const { stdout, stderr } = await runCli(repository, ["adopt"]);
    expect(stderr).toBe("");
    for (const part of [
      SKILL,
      "verified",
      "skipped: not_auto_skill",
      "1 folder of 2",
      "skillpr accept auto-skill-labels",
    ])
      expect(stdout).toContain(part);
  });
});

describe("what is known already is said and skipped", () => {
  const reason = async (repository: TemporaryRepository, ...args: string[]) =>
    (await adopt(repository, ...args)).results[0]?.skippedReason;

  test("proposed, also when the branch went on since", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    await adopt(repository);
    expect(await reason(repository)).toBe("already_proposed");
    expect(await reason(repository, SKILL)).toBe("already_proposed");
    await repository.git("checkout", "-q", "-f", "auto-skill/auto-skill-labels");
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels", { body: "Better.\n" }));
    await repository.commit("better");
    await repository.git("checkout", "-q", "main");
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    expect(await reason(repository)).toBe("already_proposed");
  });

  test("accepted: accept takes the files in place for what they are, and they stay", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    repository.write(`${PENDING}/SKILL.md`, inPlace("seeds"));
    await adopt(repository);
    await repository.git("config", "user.name", "Robin Example");
    await repository.git("config", "user.email", "robin@example.com");
    for (const skill of ["auto-skill-labels", "auto-skill-seeds"]) {
      const accepted = await runCli(repository, ["accept", skill]);
      expect(accepted).toMatchObject({ code: 0, stderr: "" });
    }
    expect(readFileSync(join(repository.dir, SKILL, "SKILL.md"), "utf8")).toBe(inPlace("labels"));
    expect(await repository.git("status", "--porcelain")).toBe("?? .qwen/pending-skills/");
    // The first one is tracked now, so it is none in place any more; the staged one still lies there.
    const { results } = await adopt(repository);
    expect(results).toMatchObject([{ folder: PENDING, skippedReason: "already_accepted" }]);
  });

  test("accept still refuses where the files in place are others by now", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    await adopt(repository);
    for (const [path, text] of [
      [`${SKILL}/SKILL.md`, inPlace("labels", { body: "Mine.\n" })],
      [`${SKILL}/notes.md`, "mine\n"],
    ] as const) {
      repository.write(path, text);
      const before = await repository.snapshot();
      const { code, stderr } = await runCli(repository, ["accept", "auto-skill-labels"]);
      expect(code).toBe(1);
      expect(stderr).toContain("not committed");
      expect(await repository.snapshot()).toEqual(before);
      repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    }
  });

  test("accepted, and changed since: the staged first version doesn't come back", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(`${PENDING}/SKILL.md`, inPlace("seeds"));
    await adopt(repository);
    await runCli(repository, ["accept", "auto-skill-seeds"]);
    repository.write(
      ".qwen/skills/auto-skill-seeds/SKILL.md",
      inPlace("seeds", { body: "Better.\n" }),
    );
    await repository.git("add", ".qwen/skills");
    await repository.git("commit", "-q", "-m", "better");
    expect(await reason(repository)).toBe("already_proposed");
    // Who names it wants it.
    const named = await adopt(repository, PENDING);
    expect(named.results).toMatchObject([{ status: "proposed", operations: [{ type: "UPDATE" }] }]);
  });

  test("declined, with the reason", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    await adopt(repository);
    await runCli(repository, ["reject", "auto-skill-labels", "--reason", "not here"]);
    const { results } = await adopt(repository, "auto-skill-labels");
    expect(results).toMatchObject([{ skippedReason: "declined" }]);
    expect(results[0]?.detail).toContain("not here");
  });

  test("of two folders with one name the first, unless the other is named", async () => {
    await using repository = await temporaryRepository({ files });
    const other = ".qwen/pending-skills/task-2/auto-skill-seeds";
    repository.write(`${PENDING}/SKILL.md`, inPlace("seeds"));
    repository.write(`${other}/SKILL.md`, inPlace("seeds", { body: "Another way.\n" }));
    for (let run = 0; run < 2; run++)
      expect((await adopt(repository)).of(other)?.skippedReason).toBe("same_name");
    expect((await adopt(repository, other)).results).toMatchObject([
      { status: "proposed", proposals: [{ operation: "updated" }] },
    ]);
    const ambiguous = await adopt(repository, "auto-skill-seeds");
    expect(ambiguous.code).toBe(1);
    expect(ambiguous.results[0]?.error?.message).toContain(`${PENDING} and ${other}`);
  });
});

describe("what is refused says why, and doesn't keep the others", () => {
  test("a person's skill, when it is named", async () => {
    await using repository = await temporaryRepository({ files });
    repository.write(".qwen/skills/mine/SKILL.md", inPlace("mine", { marker: "" }));
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    const { code, of } = await adopt(repository, ".qwen/skills/mine", SKILL);
    expect(code).toBe(2);
    expect(of(".qwen/skills/mine")?.findings).toMatchObject([{ rule: "structure.marker" }]);
    expect(of(".qwen/skills/mine")?.findings[0]?.message).toContain("missing");
    expect(of(SKILL)?.status).toBe("proposed");
  });

  test("what the verifier refuses in a review", async () => {
    await using repository = await temporaryRepository({ files });
    const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
    const skill = (name: string) => `.qwen/skills/${name}`;
    repository.write(
      `${skill("hooked")}/SKILL.md`,
      inPlace("hooked", { marker: "source: auto-skill\nhooks: {}\n" }),
    );
    repository.write(
      `${skill("quoted")}/SKILL.md`,
      inPlace("quoted", { marker: "source: 'auto-skill'\n" }),
    );
    repository.write(`${skill("secret")}/SKILL.md`, inPlace("secret", { body: `Use ${token}.\n` }));
    repository.write(`${skill("script")}/SKILL.md`, inPlace("script"));
    repository.write(`${skill("script")}/run.sh`, "rm -rf /\n");
    repository.write(`${skill("nested")}/SKILL.md`, inPlace("nested"));
    repository.write(`${skill("nested")}/.git/config`, "[core]\n");
    repository.write(`${skill("Upper")}/SKILL.md`, inPlace("Upper"));
    repository.write(`${skill("empty")}/notes.md`, "x\n");
    repository.write(`${skill("renamed")}/SKILL.md`, inPlace("another"));
    repository.write(`${skill("zz-good")}/SKILL.md`, inPlace("zz-good"));
    const before = await repository.snapshot();
    const { code, results, stdout, of } = await adopt(repository);
    expect(code).toBe(2);
    expect(await repository.snapshot()).toEqual(before);
    const rules = (name: string) => of(skill(name))?.findings.map(({ rule }) => rule);
    expect(rules("hooked")).toContain("structure.frontmatter");
    expect(rules("quoted")).toContain("structure.marker");
    expect(rules("secret")?.some((rule) => rule.startsWith("secret."))).toBe(true);
    expect(rules("script")).toContain("structure.path");
    expect(rules("nested")?.length).toBeGreaterThan(0);
    expect(rules("Upper")).toEqual(["structure.name"]);
    expect(rules("empty")).toEqual(["structure.skill-file"]);
    expect(rules("renamed")).toEqual(["structure.name"]);
    expect(of(skill("zz-good"))?.status).toBe("proposed");
    expect(results.filter(({ status }) => status === "refused")).toHaveLength(8);
    expect(stdout).not.toContain(token);
    // What was refused left no object behind.
    expect(
      await repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/auto-skill/"),
    ).toBe("auto-skill/zz-good");
    const stray = spawnSync("git", ["grep", "-q", token, "--all"], { cwd: repository.dir });
    expect(stray.status).not.toBe(0);
  });

  test("a name that another skill has", async () => {
    await using repository = await temporaryRepository({
      files: { ...files, ".qwen/skills/labels/SKILL.md": inPlace("labels", { marker: "" }) },
    });
    repository.write(`${SKILL}/SKILL.md`, inPlace("labels"));
    const { results } = await adopt(repository);
    expect(results).toMatchObject([{ status: "refused", findings: [{ rule: "duplicate.name" }] }]);
  });

  test("links, pipes, hard links and large files, and none of them is read", async () => {
    await using repository = await temporaryRepository({ files });
    const outside = join(repository.home, "outside.md");
    writeFileSync(outside, inPlace("outside"));
    const at = (name: string) => join(repository.dir, ".qwen/skills", name);
    for (const name of ["link", "pipe", "hard", "large", "many"])
      repository.write(`.qwen/skills/${name}/SKILL.md`, inPlace(name));
    mkdirSync(at("only-link"));
    symlinkSync(outside, join(at("only-link"), "SKILL.md"));
    symlinkSync(outside, join(at("link"), "more.md"));
    spawnSync("mkfifo", [join(at("pipe"), "pipe.md")]);
    linkSync(outside, join(at("hard"), "hard.md"));
    writeFileSync(join(at("large"), "large.md"), Buffer.alloc(4 * 1024 * 1024, 97));
    for (let n = 0; n < 300; n++) writeFileSync(join(at("many"), `${n}.md`), "x\n");
    symlinkSync(repository.home, at("whole"));
    const { code, of, stderr } = await adopt(repository);
    expect(code).toBe(2);
    const rules = (name: string) => of(`.qwen/skills/${name}`)?.findings.map(({ rule }) => rule);
    for (const name of ["link", "only-link", "pipe", "hard", "large"])
      expect(rules(name)).toEqual(["structure.disk-kind"]);
    expect(rules("many")).toEqual(["structure.size"]);
    expect(of(".qwen/skills/whole")).toBeUndefined();
    expect(stderr).toContain(".qwen/skills/whole is a symbolic link");
    const named = await adopt(repository, ".qwen/skills/whole");
    expect(named.results[0]?.error?.message).toContain("symbolic link");
    expect(await repository.git("for-each-ref", "refs/heads/auto-skill/")).toBe("");
  });

  test("a skills root that is a link", async () => {
    await using repository = await temporaryRepository({ files });
    const outside = join(repository.home, "skills");
    mkdirSync(join(outside, "labels"), { recursive: true });
    writeFileSync(join(outside, "labels/SKILL.md"), inPlace("labels"));
    mkdirSync(join(repository.dir, ".qwen"));
    symlinkSync(outside, join(repository.dir, ".qwen/skills"));
    const { results, stderr } = await adopt(repository);
    expect(results).toEqual([]);
    expect(stderr).toContain(".qwen/skills is reached through a symbolic link");
  });

  test("what is tracked, not there, or elsewhere", async () => {
    await using repository = await temporaryRepository({
      files: { ...files, ".qwen/skills/tracked/SKILL.md": inPlace("tracked") },
    });
    writeFileSync(join(repository.home, "SKILL.md"), inPlace("x"));
    const names = [
      "tracked",
      ".qwen/skills/tracked",
      ".qwen/skills/nothing",
      "..",
      "README.md",
      "a\u001b[31mb",
    ];
    const { code, results, stdout } = await adopt(repository, ...names);
    expect(code).toBe(1);
    expect(results.map(({ status }) => status)).toEqual(names.map(() => "failed"));
    expect(results[1]?.error?.message).toContain("is tracked by git");
    expect(results[2]?.error?.message).toContain("is not there");
    expect(stdout).not.toContain("\u001b");
    expect((await adopt(repository)).results).toEqual([]);
  });

  test("a bare repository has nothing in place", async () => {
    await using repository = await temporaryRepository({ files });
    const bare = join(repository.home, "bare.git");
    await repository.git("clone", "-q", "--bare", repository.dir, bare);
    const result = await adopt(repository, "--repo", bare);
    expect(result.code).toBe(1);
    expect(result.error?.message).toContain("bare repository");
  });
});

describe("a reviewer knows of skills in place", () => {
  test("the offline reviewer doesn't write what lies there already", async () => {
    await using repository = await temporaryRepository({ files });
    const proposed = (await reviewDemo(repository, "--dry-run")).json();
    const skill = proposed.proposals[0]?.skill ?? "";
    repository.write(`.qwen/skills/${skill}/SKILL.md`, inPlace(skill, { marker: "" }));
    const before = await repository.snapshot();
    const outcome = (await reviewDemo(repository)).json();
    expect(outcome.status).toBe("nothing_to_save");
    expect(outcome.detail).toContain("in place and not committed");
    expect(await repository.snapshot()).toEqual(before);
  });

  test("a model is told of them, without their secrets", async () => {
    await using repository = await temporaryRepository({ files });
    const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
    const text = inPlace("labels").replace("How to work with labels.", `Labels with ${token}.`);
    repository.write(`${SKILL}/SKILL.md`, text);
    await using model = await scriptedModel(["Nothing to save."]);
    const outcome = (await reviewBy(model, repository)).json();
    expect(outcome.status).toBe("nothing_to_save");
    const asked = model.requests.map(({ body }) => body.messages.map(({ content }) => content));
    const words = asked.flat().join("\n");
    expect(words).toContain(
      `- ${SKILL} named "labels" (in place, not committed): "Labels with [redacted`,
    );
    expect(words).not.toContain(token);
  });
});
