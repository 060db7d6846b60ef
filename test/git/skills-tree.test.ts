import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hashObject, ObjectReader, serializeTree, writeObjects } from "../../src/git/objects.ts";
import { openRepository, type Repository } from "../../src/git/repository.ts";
import { readSkillsRoot } from "../../src/git/skills-root.ts";
import {
  countChangedSkills,
  diffTrees,
  listSkillsRoot,
  listTree,
  replaceFolder,
} from "../../src/git/skills-tree.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const ROOT = ".qwen/skills";
const ONE = { [`${ROOT}/one/SKILL.md`]: "one\n", "README.md": "readme\n" };

async function open(
  repository: TemporaryRepository,
): Promise<Repository & { reader: ObjectReader; tree: string }> {
  const opened = await openRepository(repository.dir);
  const tree = await repository.git("rev-parse", "HEAD^{tree}");
  return { ...opened, reader: new ObjectReader(opened.git, opened.objectFormat), tree };
}

describe("readSkillsRoot", () => {
  test("gives the folder's tree, or null when there is none", async () => {
    await using repository = await temporaryRepository({ files: ONE });
    await using opened = await disposable(repository);
    const { reader, tree } = opened;
    const id = await repository.git("rev-parse", `HEAD:${ROOT}`);
    expect(await readSkillsRoot(reader, tree, ROOT)).toEqual({ tree: id });
    expect(await readSkillsRoot(reader, tree, ".claude/skills")).toEqual({ tree: null });
    expect(await readSkillsRoot(reader, tree, ".qwen/other")).toEqual({ tree: null });
  });

  test.each([
    [".qwen", "symlink", /^\.qwen is a symbolic link to elsewhere in the base/],
    [ROOT, "symlink", /^\.qwen\/skills is a symbolic link to elsewhere in the base/],
    [".qwen", "file", /^\.qwen is a file in the base/],
    [ROOT, "file", /^\.qwen\/skills is a file in the base/],
    [".qwen", "submodule", /^\.qwen is a submodule in the base/],
    [ROOT, "submodule", /^\.qwen\/skills is a submodule in the base/],
  ])("%s as a %s is refused by name", async (path, kind, message) => {
    await using repository = await temporaryRepository({ files: { "README.md": "readme\n" } });
    await plant(repository, path, kind);
    await using opened = await disposable(repository);
    const reading = readSkillsRoot(opened.reader, opened.tree, ROOT);
    await expect(reading).rejects.toMatchObject({
      code: "input",
      message: expect.stringMatching(message),
    });
    expect(await listSkillsRoot(opened.reader, opened.tree, ROOT)).toEqual([]);
  });
});

async function plant(repository: TemporaryRepository, path: string, kind: string): Promise<void> {
  if (kind === "submodule") {
    const head = await repository.git("rev-parse", "HEAD");
    await repository.git("update-index", "--add", "--cacheinfo", `160000,${head},${path}`);
    await repository.git("commit", "--quiet", "-m", "plant");
    return;
  }
  if (kind === "file") repository.write(path, "file\n");
  else {
    if (path.includes("/")) repository.write(".qwen/other", "x");
    symlinkSync("elsewhere", join(repository.dir, path));
  }
  await repository.commit("plant");
}

async function disposable(repository: TemporaryRepository) {
  const opened = await open(repository);
  return { ...opened, [Symbol.asyncDispose]: () => opened.reader.close() };
}

describe("listTree", () => {
  test("lists files, links and submodules of all levels", async () => {
    await using repository = await temporaryRepository({
      files: { ...ONE, [`${ROOT}/two/references/ü b.md`]: "two\n" },
    });
    symlinkSync("../one", join(repository.dir, ROOT, "two/link"));
    await repository.commit();
    await using opened = await disposable(repository);
    const files = await listSkillsRoot(opened.reader, opened.tree, ROOT);
    expect(files.map(({ path, mode }) => `${mode} ${path}`)).toEqual([
      `100644 ${ROOT}/one/SKILL.md`,
      `120000 ${ROOT}/two/link`,
      `100644 ${ROOT}/two/references/ü b.md`,
    ]);
    const tree = await opened.reader.treeAt(opened.tree, `${ROOT}/one`);
    expect((await listTree(opened.reader, tree!, ""))[0]?.path).toBe("SKILL.md");
  });

  test("a bomb of nested trees ends at the bound", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    await using opened = await disposable(repository);
    let tree = opened.tree;
    for (let level = 0; level < 20; level += 1) {
      const one = await replaceFolder(opened.reader, opened.tree, "x", tree);
      const two = await replaceFolder(opened.reader, opened.tree, "y", tree);
      await writeObjects(opened.git, [...one.objects, ...two.objects]);
      const both = await replaceFolder(opened.reader, one.tree, "y", tree);
      await writeObjects(opened.git, both.objects);
      tree = both.tree;
    }
    await expect(listTree(opened.reader, tree, "skills")).rejects.toMatchObject({
      code: "input",
      message: "skills holds more than 20000 files and folders",
    });
  });
});

describe("replaceFolder", () => {
  test("changes one folder and nothing else, as git itself would build it", async () => {
    await using repository = await temporaryRepository({
      files: { ...ONE, ".qwen/settings.json": "{}", ".qwen.d/x": "1", "z/y": "2" },
    });
    await repository.git("config", "core.fileMode", "true");
    await using opened = await disposable(repository);
    repository.write(`${ROOT}/two/SKILL.md`, "two\n");
    await repository.commit();
    const wanted = await repository.git("rev-parse", "HEAD^{tree}");
    const folder = await repository.git("rev-parse", `HEAD:${ROOT}/two`);

    const added = await replaceFolder(opened.reader, opened.tree, `${ROOT}/two`, folder);
    expect(added.tree).toBe(wanted);
    expect(added.objects.at(-1)?.id).toBe(wanted);
    const removed = await replaceFolder(opened.reader, wanted, `${ROOT}/two`, null);
    expect(removed.tree).toBe(opened.tree);
    const same = await replaceFolder(opened.reader, wanted, `${ROOT}/two`, folder);
    expect(same).toEqual({ tree: wanted, objects: [] });
  });

  test("makes folders that are missing, and takes empty ones away", async () => {
    await using repository = await temporaryRepository({ files: { "README.md": "readme\n" } });
    await using opened = await disposable(repository);
    const path = "deep/down/here";
    const { tree, objects } = await replaceFolder(opened.reader, opened.tree, path, opened.tree);
    await writeObjects(opened.git, objects);
    expect(objects).toHaveLength(3);
    expect(await opened.reader.treeAt(tree, path)).toBe(opened.tree);
    expect((await replaceFolder(opened.reader, tree, path, null)).tree).toBe(opened.tree);
  });

  test("keeps odd entries of the base byte for byte (complaints 6, 7)", async () => {
    await using repository = await temporaryRepository({ files: ONE });
    await using opened = await disposable(repository);
    const readme = await repository.git("rev-parse", "HEAD:README.md");
    const odd = [
      { mode: "100664", name: Buffer.from("old"), id: readme },
      { mode: "100644", name: Buffer.from([0xff, 0xfe]), id: readme },
    ];
    const bytes = serializeTree([...odd, ...(await opened.reader.tree(opened.tree))], "sha1");
    const base = { type: "tree" as const, bytes, id: hashObject("tree", bytes, "sha1") };
    await writeObjects(opened.git, [base]);
    const { objects } = await replaceFolder(opened.reader, base.id, `${ROOT}/new`, opened.tree);
    const root = objects.at(-1)!.bytes;
    for (const { mode, name } of odd) {
      const entry = Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0])]);
      expect(root.includes(Buffer.concat([entry, Buffer.from(readme, "hex")]))).toBe(true);
    }
    await writeObjects(opened.git, objects);
    const changes = await diffTrees(opened.git, base.id, objects.at(-1)!.id);
    expect(changes.every(({ path }) => path.startsWith(`${ROOT}/new/`))).toBe(true);
  });

  test("does not go through a link", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    await plant(repository, ".qwen", "symlink");
    await using opened = await disposable(repository);
    const replacing = replaceFolder(opened.reader, opened.tree, `${ROOT}/x`, opened.tree);
    await expect(replacing).rejects.toMatchObject({ code: "input" });
  });
});

describe("countChangedSkills", () => {
  test("counts what is new or different right below the skills root", async () => {
    const at = (name: string) => `${ROOT}/${name}/SKILL.md`;
    await using repository = await temporaryRepository({
      files: { [at("same")]: "s\n", [at("changes")]: "1\n", [at("goes")]: "g\n" },
    });
    await using opened = await disposable(repository);
    const parentTree = opened.tree;
    repository.write(at("changes"), "2\n");
    repository.write(at("comes"), "c\n");
    await repository.git("add", ROOT);
    await repository.git("rm", "-rq", "--cached", `${ROOT}/goes`);
    const newTree = await repository.git("write-tree");
    const count = (from: string, to: string, skillsRoot = ROOT) =>
      countChangedSkills(opened.reader, { parentTree: from, newTree: to, skillsRoot });
    expect(await count(parentTree, newTree)).toBe(2);
    expect(await count(parentTree, parentTree)).toBe(0);
    expect(await count(parentTree, newTree, ".claude/skills")).toBe(0);
    expect(await count(parentTree, "0".repeat(40))).toBe(0);
  });
});

describe("diffTrees", () => {
  test("reports every change as it is, whatever the user's config says", async () => {
    await using repository = await temporaryRepository({
      files: {
        "same.txt": "same\n".repeat(20),
        "gone.txt": "gone\n".repeat(20),
        kind: "k",
        "a\tb": "1",
      },
    });
    await using before = await disposable(repository);
    const submodule = await repository.git("rev-parse", "HEAD");
    await repository.git("mv", "gone.txt", "moved to ü\n.txt");
    await repository.git("rm", "--quiet", "kind");
    symlinkSync("same.txt", join(repository.dir, "kind"));
    repository.write("a\tb", "2");
    await repository.commit();
    await repository.git("update-index", "--add", "--cacheinfo", `160000,${submodule},module`);
    await repository.git("commit", "--quiet", "-m", "module");
    const after = await repository.git("rev-parse", "HEAD^{tree}");
    for (const setting of [
      "diff.renames=copies",
      "diff.ignoreSubmodules=all",
      "diff.relative=true",
    ]) {
      await repository.git("config", ...(setting.split("=") as [string, string]));
    }
    const changes = await diffTrees(before.git, before.tree, after);
    expect(changes.map((c) => `${c.status} ${c.oldMode} ${c.mode} ${c.path}`)).toEqual([
      "M 100644 100644 a\tb",
      "D 100644 000000 gone.txt",
      "T 100644 120000 kind",
      "A 000000 160000 module",
      "A 000000 100644 moved to ü\n.txt",
    ]);
    expect(changes[3]).toMatchObject({ id: submodule, oldId: "0".repeat(40) });
    expect(await diffTrees(before.git, after, after)).toEqual([]);
  });

  test("does not look at the user's index", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    await using opened = await disposable(repository);
    repository.write(".git/index", "no index at all");
    await expect(diffTrees(opened.git, opened.tree, opened.tree)).resolves.toEqual([]);
  });
});
