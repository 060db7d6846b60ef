import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SKILL_FILE_MAX_BYTES } from "../../src/core/limits.ts";
import { openSkillFolder, type SkillFolder } from "../../src/review/skill-folder.ts";

let base: string;
let root: string;
let folder: SkillFolder;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "skill-folder-"));
  root = join(base, "skills");
  mkdirSync(root);
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside", "file.md"), "secret");
  folder = openSkillFolder(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe("what it does", () => {
  it("creates a file and the folders above it, reads it and lists it", async () => {
    expect(await folder.create("a/references/b.md", "text")).toEqual({ ok: true });
    expect(await folder.read("a/references/b.md")).toEqual({ ok: true, text: "text" });
    expect(await folder.list(".")).toEqual({ ok: true, entries: [{ name: "a", kind: "folder" }] });
    expect(await folder.list("a/references")).toEqual({
      ok: true,
      entries: [{ name: "b.md", kind: "file" }],
    });
    expect(statSync(join(root, "a/references/b.md")).mode & 0o111).toBe(0);
  });

  it("replaces a file, with a shorter text too", async () => {
    await folder.create("a/SKILL.md", "a long text");
    expect(await folder.replace("a/SKILL.md", "short")).toEqual({ ok: true });
    expect(readFileSync(join(root, "a/SKILL.md"), "utf8")).toBe("short");
  });

  it("creates nothing that exists and replaces nothing that doesn't", async () => {
    await folder.create("a/SKILL.md", "one");
    expect(await folder.create("a/SKILL.md", "two")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("exists already"),
    });
    expect(await folder.replace("b/SKILL.md", "two")).toMatchObject({ ok: false });
    expect(await folder.read("b/SKILL.md")).toMatchObject({ ok: false });
    expect(await folder.list("b")).toMatchObject({ ok: false });
    expect(readFileSync(join(root, "a/SKILL.md"), "utf8")).toBe("one");
    expect(readdirSync(root)).toEqual(["a"]);
  });
});

describe("what it refuses", () => {
  it.each([
    "../outside/file.md",
    "a/../../outside/file.md",
    "/etc/passwd",
    "a//b.md",
    "a/./b.md",
    "",
    "a\\b.md",
    "C:x.md",
    "a/.git/config",
    ".GIT/x",
    "a\u0000b",
    "a\nb",
  ])("the path %j", async (path) => {
    for (const answer of [folder.read(path), folder.create(path, "x"), folder.replace(path, "x")]) {
      expect(await answer).toMatchObject({ ok: false });
    }
    expect(readdirSync(root)).toEqual([]);
  });

  it("a link as a folder on the way", async () => {
    symlinkSync(join(base, "outside"), join(root, "a"));
    expect(await folder.read("a/file.md")).toMatchObject({ ok: false });
    expect(await folder.list("a")).toMatchObject({ ok: false });
    expect(await folder.create("a/new.md", "x")).toMatchObject({ ok: false });
    expect(await folder.replace("a/file.md", "x")).toMatchObject({ ok: false });
    expect(readdirSync(join(base, "outside"))).toEqual(["file.md"]);
    expect(readFileSync(join(base, "outside", "file.md"), "utf8")).toBe("secret");
  });

  it("a link as the file itself, dangling or not", async () => {
    mkdirSync(join(root, "a"));
    symlinkSync(join(base, "outside", "file.md"), join(root, "a", "SKILL.md"));
    symlinkSync(join(base, "outside", "new.md"), join(root, "a", "new.md"));
    expect(await folder.read("a/SKILL.md")).toMatchObject({ ok: false });
    expect(await folder.replace("a/SKILL.md", "x")).toMatchObject({ ok: false });
    expect(await folder.create("a/new.md", "x")).toMatchObject({ ok: false });
    expect(readdirSync(join(base, "outside"))).toEqual(["file.md"]);
  });

  it("a second name of a file that lies elsewhere", async () => {
    mkdirSync(join(root, "a"));
    linkSync(join(base, "outside", "file.md"), join(root, "a", "SKILL.md"));
    expect(await folder.read("a/SKILL.md")).toMatchObject({ ok: false });
    expect(await folder.replace("a/SKILL.md", "x")).toMatchObject({ ok: false });
    expect(readFileSync(join(base, "outside", "file.md"), "utf8")).toBe("secret");
  });

  it("the skills folder itself as a link", async () => {
    symlinkSync(join(base, "outside"), join(base, "link"));
    const linked = openSkillFolder(join(base, "link"));
    expect(await linked.read("file.md")).toMatchObject({ ok: false });
    expect(await linked.create("a/SKILL.md", "x")).toMatchObject({ ok: false });
  });

  it("a file as a folder, and a folder as a file", async () => {
    await folder.create("a/SKILL.md", "x");
    expect(await folder.create("a/SKILL.md/b.md", "x")).toMatchObject({ ok: false });
    expect(await folder.read("a")).toMatchObject({ ok: false });
    expect(await folder.create("a", "x")).toMatchObject({ ok: false });
  });

  it("too much text, and bytes that are no text", async () => {
    expect(
      await folder.create("a/SKILL.md", "ä".repeat(SKILL_FILE_MAX_BYTES / 2 + 1)),
    ).toMatchObject({ ok: false });
    expect(readdirSync(root)).toEqual([]);
    writeFileSync(join(root, "bad.md"), Buffer.from([0xff, 0xfe]));
    writeFileSync(join(root, "large.md"), "x".repeat(SKILL_FILE_MAX_BYTES + 1));
    expect(await folder.read("bad.md")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("UTF-8"),
    });
    expect(await folder.read("large.md")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("large"),
    });
  });
});

it("says what failed when the disk does", async () => {
  rmSync(root, { recursive: true });
  expect(await folder.list(".")).toMatchObject({ ok: false });
  writeFileSync(root, "");
  expect(await folder.read("a")).toMatchObject({ ok: false });
});
