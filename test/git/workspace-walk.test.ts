import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WALK_FILE_MAX_BYTES } from "../../src/core/limits.ts";
import { type Workspace, walkWorkspace } from "../../src/git/workspace.ts";
import { nestFolders } from "../support/nest-folders.ts";
import { temporaryRepository } from "../support/temp-repository.ts";
import { open, ROOT } from "./open-workspace.ts";

const FILES = { "README.md": "readme\n", [`${ROOT}/one/SKILL.md`]: "one\n" };

/** Plants something, walks, and gives what is there beside the folders and the base's own file. */
async function walkAfter(plant: (workspace: Workspace) => void | Promise<void>) {
  await using repository = await temporaryRepository({ files: FILES });
  await using workspace = await open(repository);
  await plant(workspace);
  const { entries, files } = await walkWorkspace(workspace);
  const others = entries.filter(
    ({ kind, path }) => kind !== "folder" && !path.endsWith("one/SKILL.md"),
  );
  return { entries, files, others };
}

describe("walkWorkspace", () => {
  test("of an untouched workspace gives what was written, in order", async () => {
    const { entries, files } = await walkAfter(() => {});
    expect(entries).toEqual([
      { path: ".qwen", kind: "folder", children: 1 },
      { path: ROOT, kind: "folder", children: 1 },
      { path: `${ROOT}/one`, kind: "folder", children: 1 },
      { path: `${ROOT}/one/SKILL.md`, kind: "file", permissions: 0o644 },
    ]);
    expect([...files].map(([path, bytes]) => [path, String(bytes)])).toEqual([
      [`${ROOT}/one/SKILL.md`, "one\n"],
    ]);
  });

  test("sees what git hides: ignored, empty, executable, outside the skills root (complaint 37)", async () => {
    const { entries, files } = await walkAfter(({ dir, skillsDir }) => {
      writeFileSync(join(dir, ".gitignore"), "*\n");
      mkdirSync(join(skillsDir, "empty"));
      writeFileSync(join(skillsDir, "run"), "x");
      chmodSync(join(skillsDir, "run"), 0o4755);
    });
    expect(entries).toContainEqual({ path: ".gitignore", kind: "file", permissions: 0o644 });
    expect(entries).toContainEqual({ path: `${ROOT}/empty`, kind: "folder", children: 0 });
    expect(entries).toContainEqual({ path: `${ROOT}/run`, kind: "file", permissions: 0o4755 });
    expect(String(files.get(`${ROOT}/run`))).toBe("x");
  });

  test.each<[string, (path: string) => void | Promise<void>, string]>([
    ["a link to a file", (path) => symlinkSync("/etc/passwd", path), "symlink"],
    ["a link to a folder", (path) => symlinkSync("/etc", path), "symlink"],
    ["a link to nothing", (path) => symlinkSync("nowhere", path), "symlink"],
    ["a hard link", (path) => linkSync(join(path, "../one/SKILL.md"), path), "hard-link"],
    ["a FIFO", (path) => void execFileSync("mkfifo", [path]), "special"],
    [
      "a file of a gigabyte",
      (path) => {
        writeFileSync(path, "");
        truncateSync(path, 2 ** 30);
      },
      "oversize",
    ],
  ])("%s is named and never read", async (_, plant, kind) => {
    const { others, files } = await walkAfter(({ skillsDir }) => plant(join(skillsDir, "planted")));
    expect(others).toEqual([{ path: `${ROOT}/planted`, kind }]);
    expect(files.has(`${ROOT}/planted`)).toBe(false);
  });

  test("a socket is special", async () => {
    const server = createServer();
    const { others } = await walkAfter(async ({ skillsDir }) => {
      // Bound by a short name: paths of sockets are limited to some 100 bytes.
      const before = process.cwd();
      process.chdir(skillsDir);
      await new Promise<void>((resolve) => server.listen("socket", resolve));
      process.chdir(before);
    });
    server.close();
    expect(others).toEqual([{ path: `${ROOT}/socket`, kind: "special" }]);
  });

  test("both names of a hard link are named, the base's file too", async () => {
    const { entries } = await walkAfter(({ dir, skillsDir }) =>
      linkSync(join(skillsDir, "one/SKILL.md"), join(dir, "../outside")),
    );
    expect(entries).toContainEqual({ path: `${ROOT}/one/SKILL.md`, kind: "hard-link" });
  });

  test("a name that is no text is unreadable, and its folder not entered", async () => {
    const { others } = await walkAfter(({ skillsDir }) => {
      const name = Buffer.concat([Buffer.from(`${skillsDir}/x`), Buffer.from([0xff])]);
      mkdirSync(name);
      writeFileSync(Buffer.concat([name, Buffer.from("/file")]), "");
    });
    expect(others).toEqual([{ path: `${ROOT}/x\ufffd`, kind: "unreadable" }]);
  });

  test.skipIf(process.getuid?.() === 0)("what can't be opened is unreadable", async () => {
    const { others } = await walkAfter(({ skillsDir }) => {
      writeFileSync(join(skillsDir, "closed"), "x", { mode: 0 });
      mkdirSync(join(skillsDir, "shut"), { mode: 0 });
    });
    expect(others.map(({ kind }) => kind)).toEqual(["unreadable", "unreadable"]);
  });

  test.each<[string, (gitFile: string) => void]>([
    [
      "another text",
      (path) => writeFileSync(path, "gitdir: /elsewhere/repository/of/somebody/.git\n"),
    ],
    ["one more byte", (path) => writeFileSync(path, "\n", { flag: "a" })],
    [
      "a folder",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    ["nothing", (path) => rmSync(path)],
    [
      "a link to its copy",
      (path) => {
        renameSync(path, `${path}-copy`);
        symlinkSync(".git-copy", path);
      },
    ],
  ])("a .git file that became %s is special", async (_, change) => {
    const { others } = await walkAfter(({ dir }) => change(join(dir, ".git")));
    expect(others).toContainEqual({ path: ".git", kind: "special" });
  });

  test("a nested .git and a folder like a bare repository are listed like anything else", async () => {
    const { entries } = await walkAfter(({ skillsDir }) => {
      mkdirSync(join(skillsDir, "one/.git/objects"), { recursive: true });
      writeFileSync(join(skillsDir, "one/.git/HEAD"), "ref: refs/heads/main\n");
    });
    expect(entries).toContainEqual({ path: `${ROOT}/one/.git`, kind: "folder", children: 2 });
    expect(entries).toContainEqual({
      path: `${ROOT}/one/.git/HEAD`,
      kind: "file",
      permissions: 0o644,
    });
  });

  test("a large file of the base is read while it keeps its size", async () => {
    const large = "x".repeat(WALK_FILE_MAX_BYTES);
    await using repository = await temporaryRepository({
      files: { ...FILES, [`${ROOT}/one/large.txt`]: large },
    });
    await using workspace = await open(repository);
    const path = `${ROOT}/one/large.txt`;
    expect((await walkWorkspace(workspace)).files.get(path)).toHaveLength(large.length);
    writeFileSync(join(workspace.dir, path), `${large}y`);
    const { entries, files } = await walkWorkspace(workspace);
    expect(entries).toContainEqual({ path, kind: "oversize" });
    expect(files.has(path)).toBe(false);
  });

  test("too many entries end the walk", async () => {
    const walking = walkAfter(({ skillsDir }) => {
      for (let n = 0; n <= 20_000; n += 1) mkdirSync(join(skillsDir, String(n)));
    });
    await expect(walking).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining("more than 20000 files and folders"),
    });
  });

  test("a workspace that became a link is not walked", async () => {
    await using repository = await temporaryRepository({ files: FILES });
    await using workspace = await open(repository);
    renameSync(workspace.dir, `${workspace.dir}-moved`);
    symlinkSync(`${workspace.dir}-moved`, workspace.dir);
    await expect(walkWorkspace(workspace)).rejects.toMatchObject({ code: "input" });
  });

  test("a folder too deep to be looked at is unreadable, also where paths end", async () => {
    const { others, entries } = await walkAfter(({ skillsDir }) => nestFolders(skillsDir, 600));
    expect(others).toEqual([
      { path: expect.stringMatching(/(?:\/d{10}){63}$/), kind: "unreadable" },
    ]);
    expect(entries.length).toBeLessThan(100);
    const long = await walkAfter(({ skillsDir }) => nestFolders(skillsDir, 20, "d".repeat(250)));
    expect(long.others).toEqual([{ path: expect.stringMatching(/d{250}$/), kind: "unreadable" }]);
  });

  test("a workspace that was removed can't be sealed", async () => {
    const walking = walkAfter(({ dir }) => rmSync(dir, { recursive: true }));
    await expect(walking).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining("removed or replaced"),
    });
  });
});
