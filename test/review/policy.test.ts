import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SKILL_MAX_FILES, SKILLS_CHANGED_MAX } from "../../src/core/limits.ts";
import { createSkillScopedPolicy } from "../../src/review/policy.ts";
import { MARKED, UNMARKED } from "./tool-bench.ts";

const USER_CREATED =
  "skill_review_agent: edit is only allowed on skills with 'source: auto-skill' in frontmatter. This skill appears to be user-created. Modify it manually or ask the user.";
const ROOT = ".qwen/skills";

let home: string;
let project: string;

function put(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "policy-")));
  project = join(home, "project");
  put(`${ROOT}/marked/SKILL.md`, MARKED);
  put(`${ROOT}/own/SKILL.md`, UNMARKED);
  put("src/a.ts", "1");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const write = (file_path: string) => ({ name: "write_file", args: { file_path, content: "x" } });
const edit = (file_path: string) => ({
  name: "edit",
  args: { file_path, old_string: "a", new_string: "b" },
});
const read = (file_path: string) => ({ name: "read_file", args: { file_path } });

describe("what a host's agent may do", () => {
  it("reads, creates a skill, and edits a marked one that it read", async () => {
    const policy = createSkillScopedPolicy(project);
    expect(await policy(read("src/a.ts"))).toBeNull();
    expect(await policy({ name: "list_directory", args: { path: "." } })).toBeNull();
    expect(await policy(write(`${ROOT}/new/SKILL.md`))).toBeNull();
    expect(await policy(write(join(project, ROOT, "new/references/more.md")))).toBeNull();
    expect(await policy(write(`${ROOT}/marked/references/more.md`))).toBeNull();
    expect(await policy(read(`${ROOT}/marked/SKILL.md`))).toBeNull();
    expect(await policy(edit(join(project, ROOT, "marked/SKILL.md")))).toBeNull();
  });

  it("leaves the Skillbook alone, whose SKILL.md is rendered from its JSON", async () => {
    const policy = createSkillScopedPolicy(project, { wasRead: () => true });
    put(`${ROOT}/skillbook/SKILL.md`, MARKED);
    expect(await policy(edit(`${ROOT}/skillbook/SKILL.md`))).toBeNull();
    put(`${ROOT}/skillbook/skillbook.json`, "{}");
    const other = createSkillScopedPolicy(project, { wasRead: () => true });
    expect(await other(edit(`${ROOT}/skillbook/SKILL.md`))).toBe(USER_CREATED);
    expect(await other(write(`${ROOT}/skillbook/references/a.md`))).not.toBeNull();
    expect(await other(write(`${ROOT}/skillbook/skillbook.json`))).not.toBeNull();
  });

  it("mends a skill whose marker it forgot or damaged, but never takes over another", async () => {
    const policy = createSkillScopedPolicy(project, { wasRead: () => true });
    expect(await policy(write(`${ROOT}/new/SKILL.md`))).toBeNull();
    put(`${ROOT}/new/SKILL.md`, UNMARKED);
    expect(await policy(edit(`${ROOT}/new/SKILL.md`))).toBeNull();
    expect(await policy(edit(`${ROOT}/marked/SKILL.md`))).toBeNull();
    put(`${ROOT}/marked/SKILL.md`, UNMARKED);
    expect(await policy(edit(`${ROOT}/marked/SKILL.md`))).toBeNull();
    expect(await policy(edit(`${ROOT}/own/SKILL.md`))).toBe(USER_CREATED);
    put(`${ROOT}/own/SKILL.md`, MARKED);
    expect(await policy(edit(`${ROOT}/own/SKILL.md`))).toBe(USER_CREATED);
  });

  it("works through a link to the project itself, under both names", async () => {
    symlinkSync(project, join(home, "link"));
    const policy = createSkillScopedPolicy(join(home, "link"));
    expect(await policy(write(`${ROOT}/new/SKILL.md`))).toBeNull();
    expect(await policy(write(join(home, "link", ROOT, "new/SKILL.md")))).toBeNull();
    expect(await policy(write(join(project, ROOT, "new/SKILL.md")))).toBeNull();
  });
});

describe("what it may not", () => {
  it.each([
    ["run_shell_command", { command: "ls" }],
    ["shell", { command: "ls" }],
    ["delete_file", { file_path: `${ROOT}/marked/SKILL.md` }],
    ["Write", { file_path: `${ROOT}/new/SKILL.md` }],
    ["", {}],
  ])("the tool %j", async (name, args) => {
    expect(await createSkillScopedPolicy(project)({ name, args })).toContain("has no tool");
  });

  it.each([
    "src/a.ts",
    "/etc/passwd",
    "~/.qwen/skills/x/SKILL.md",
    "/home/sam/.qwen/skills/x/SKILL.md",
    "/home/sam/.qwen/extensions/e/skills/x/SKILL.md",
    ".qwen/skills/../../x",
    ".qwen/skills/new/../../../x/SKILL.md",
    ".qwen/skills/marked/../new/SKILL.md",
    ".QWEN/skills/x/SKILL.md",
    ".qwen/Skills/x/SKILL.md",
    ".qwen/skills-x/SKILL.md",
    ".qwen/skills",
    ".qwen/settings.json",
    ".git/hooks/post-checkout",
    ".qwen\\skills\\x\\SKILL.md",
    "",
    "a\0b",
  ])("write outside: %j, with the allowed root named", async (path) => {
    for (const call of [write(path), edit(path)])
      expect(await createSkillScopedPolicy(project)(call)).toContain(
        "only allowed under .qwen/skills",
      );
  });

  it.each([
    "SKILL.md",
    "new/skill.md",
    "new/run.sh",
    "new/scripts/run.sh",
    "new/.git/config",
    "new/.g\u200cit/x.md",
    "new/references/git~1/x.md",
    "new/references/.hidden.md",
    "new/references/a\u202eb.md",
    "new/references/aux.md",
    "new/references/a .md ",
    "new/references/ü.md",
    "new/references/a/b/c/d/e.md",
    `new/references/${"x".repeat(300)}.md`,
    "New/SKILL.md",
    "new_skill/SKILL.md",
    "con/SKILL.md",
    "marked/references/../SKILL.md",
    ".hidden/SKILL.md",
    "-x/SKILL.md",
  ])("write what no skill may hold: %j", async (path) => {
    const refusal = await createSkillScopedPolicy(project)(write(`${ROOT}/${path}`));
    expect(refusal).toMatch(/\S+ \S+/);
  });

  it("touch a skill that somebody wrote", async () => {
    const policy = createSkillScopedPolicy(project, { wasRead: () => true });
    expect(await policy(edit(`${ROOT}/own/SKILL.md`))).toBe(USER_CREATED);
    expect(await policy(write(`${ROOT}/own/SKILL.md`))).toBe(USER_CREATED);
    expect(await policy(write(`${ROOT}/own/references/x.md`))).toContain(USER_CREATED);
    mkdirSync(join(project, ROOT, "empty"));
    expect(await policy(write(`${ROOT}/empty/SKILL.md`))).toContain(USER_CREATED);
  });

  it("overwrite, or edit what is not there or was not read", async () => {
    const policy = createSkillScopedPolicy(project);
    expect(await policy(write(`${ROOT}/marked/SKILL.md`))).toContain("change it with edit");
    expect(await policy(edit(`${ROOT}/marked/SKILL.md`))).toContain("read_file first");
    expect(await policy(edit(`${ROOT}/marked/references/x.md`))).toContain("write_file");
    expect(await policy(edit(`${ROOT}/new/SKILL.md`))).toContain("write_file");
  });

  it("edit on the strength of a read of something else", async () => {
    const policy = createSkillScopedPolicy(project);
    const marked = `${ROOT}/marked/SKILL.md`;
    const late = `${ROOT}/marked/references/late.md`;
    symlinkSync(join(project, ROOT, "marked"), join(project, "short"));
    put(`${ROOT}/other/SKILL.md`, MARKED);
    for (const path of ["src/a.ts", late, `${ROOT}/marked`, `${ROOT}/other/SKILL.md`])
      expect(await policy(read(path))).toBeNull();
    expect(await policy(read("short/SKILL.md"))).toBeNull();
    expect(await policy(read(`src/../${marked}`))).toBeNull();
    const two = { file_path: marked, absolute_path: join(project, "src/a.ts") };
    expect(await policy({ name: "read_file", args: two })).toBeNull();
    expect(await policy({ name: "glob", args: { path: marked } })).toBeNull();
    put(late, "x");
    expect(await policy(edit(marked))).toContain("read_file first");
    expect(await policy(edit(late))).toContain("read_file first");
    expect(await policy(edit(`${ROOT}/other/SKILL.md`))).toBeNull();
    expect(await policy({ name: "read_file", args: { absolute_path: marked } })).toBeNull();
    expect(await policy(edit(marked))).toBeNull();
  });

  it("name two paths at once", async () => {
    const args = { file_path: `${ROOT}/new/SKILL.md`, path: "src/a.ts", content: "x" };
    const refusal = await createSkillScopedPolicy(project)({ name: "write_file", args });
    expect(refusal).toContain("two different paths");
  });

  it("go through a link, wherever it stands", async () => {
    const policy = () => createSkillScopedPolicy(project, { wasRead: () => true });
    const refused = "symlink traversal detected";
    symlinkSync(join(project, "src"), join(project, ROOT, "linked"));
    expect(await policy()(write(`${ROOT}/linked/SKILL.md`))).toBe(refused);
    mkdirSync(join(project, ROOT, "filelink"));
    symlinkSync(join(home, "nowhere"), join(project, ROOT, "filelink/SKILL.md"));
    expect(await policy()(write(`${ROOT}/filelink/SKILL.md`))).toBe(refused);
    expect(await policy()(edit(`${ROOT}/filelink/SKILL.md`))).toBe(refused);
    symlinkSync(home, join(project, ROOT, "marked/references"));
    expect(await policy()(write(`${ROOT}/marked/references/x.md`))).toBe(refused);
    for (const above of [".qwen", ROOT]) {
      const other = join(home, above.replace("/", "-"));
      mkdirSync(join(other, ".qwen/skills"), { recursive: true });
      rmSync(join(other, above), { recursive: true });
      symlinkSync(home, join(other, above));
      expect(await createSkillScopedPolicy(other)(write(`${ROOT}/x/SKILL.md`))).toBe(refused);
    }
  });

  it("go through what is a link in the base only", async () => {
    const links = new Set([`${ROOT}/base`, `${ROOT}/marked/references`]);
    const policy = createSkillScopedPolicy(project, { links, wasRead: () => true });
    for (const path of ["base", "base/SKILL.md", "marked/references/x.md"])
      expect(await policy(write(`${ROOT}/${path}`))).toBe("symlink traversal detected");
    expect(await policy(edit(`${ROOT}/marked/SKILL.md`))).toBeNull();
  });

  it("write to a second name of a file elsewhere", async () => {
    put("outside.md", MARKED);
    mkdirSync(join(project, ROOT, "hard"));
    linkSync(join(project, "outside.md"), join(project, ROOT, "hard/SKILL.md"));
    const policy = createSkillScopedPolicy(project, { wasRead: () => true });
    expect(await policy(edit(`${ROOT}/hard/SKILL.md`))).toContain("not a plain file");
  });

  it("make what some disk can't hold beside what is there", async () => {
    put(`${ROOT}/marked/references/Notes.md`, "x");
    const policy = createSkillScopedPolicy(project);
    expect(await policy(write(`${ROOT}/marked/references/notes.md`))).toContain("another name");
  });

  it("make more files or skills than a review may", async () => {
    const policy = createSkillScopedPolicy(project);
    for (let i = 1; i < SKILL_MAX_FILES; i++) put(`${ROOT}/marked/references/${i}.md`, "x");
    expect(await policy(write(`${ROOT}/marked/references/more.md`))).toContain("files already");
    for (let i = 0; i < SKILLS_CHANGED_MAX; i++)
      expect(await policy(write(`${ROOT}/new-${i}/SKILL.md`))).toBeNull();
    expect(await policy(write(`${ROOT}/one-more/SKILL.md`))).toContain("skills already");
    expect(await policy(write(`${ROOT}/new-0/references/a.md`))).toBeNull();
  });
});
