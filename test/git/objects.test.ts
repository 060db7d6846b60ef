import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  canonicalMode,
  hashObject,
  parseCommit,
  parseTree,
  serializeTree,
} from "../../src/git/object-format.ts";
import { ObjectReader, writeObjects } from "../../src/git/objects.ts";
import { openQuarantine } from "../../src/git/quarantine.ts";
import { openRepository } from "../../src/git/repository.ts";
import { temporaryRepository } from "../support/temp-repository.ts";

afterEach(() => vi.unstubAllEnvs());

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

describe("trees as bytes", () => {
  test.each(["sha1", "sha256"] as const)(
    "a %s tree survives parsing byte for byte",
    async (format) => {
      await using repository = await temporaryRepository({
        objectFormat: format,
        files: { "a.b": "1", "a/x": "2", a0: "3", "ü mit leer": "4", "a-b/y": "5" },
      });
      const opened = await openRepository(repository.dir);
      await using reader = new ObjectReader(opened.git, format);
      const tree = await reader.read("HEAD^{tree}");
      const entries = parseTree(tree!.bytes, format) ?? [];
      expect(entries.map(({ name }) => name.toString())).toEqual([
        "a-b",
        "a.b",
        "a",
        "a0",
        "ü mit leer",
      ]);
      expect(serializeTree([...entries].reverse(), format)).toEqual(tree!.bytes);
      expect(hashObject("tree", tree!.bytes, format)).toBe(tree!.id);
    },
  );

  test("an id of the other format and damaged bytes are bugs", () => {
    const entry = { mode: "100644", name: Buffer.from("a"), id: EMPTY_TREE };
    expect(() => serializeTree([entry], "sha256")).toThrow("not a sha256 id");
    const bytes = serializeTree([entry], "sha1");
    expect(parseTree(bytes.subarray(0, -1), "sha1")).toBeNull();
  });

  test("modes are read as git reads them", () => {
    const modes = ["40000", "100664", "100644", "100775", "120000", "160000"].map(canonicalMode);
    expect(modes).toEqual(["040000", "100644", "100644", "100755", "120000", "160000"]);
  });

  test("a commit with a signature and several parents is read", () => {
    const lines = [
      `tree ${EMPTY_TREE}`,
      `parent ${"1".repeat(40)}`,
      `parent ${"2".repeat(40)}`,
      "author A. U. Thor <a@example.com> 1767323045 +0100",
      "committer <c@example.com> 0 +0000",
      "gpgsig -----BEGIN",
      " parent of a signature",
      "",
      "title\n\ntree none\n",
    ];
    expect(parseCommit("x", Buffer.from(lines.join("\n")))).toEqual({
      id: "x",
      tree: EMPTY_TREE,
      parents: ["1".repeat(40), "2".repeat(40)],
      author: { name: "A. U. Thor", email: "a@example.com", date: "2026-01-02T03:04:05.000Z" },
      committer: { name: "", email: "c@example.com", date: "1970-01-01T00:00:00.000Z" },
      message: "title\n\ntree none\n",
    });
  });
});

describe("ObjectReader", () => {
  test("answers overlapping questions in order, binary and empty ones included", async () => {
    await using repository = await temporaryRepository();
    const big = Buffer.alloc(300_000, 7);
    repository.write("big", big);
    repository.write("empty", "");
    repository.write("lines", "a\nb\n\n");
    await repository.commit();
    const opened = await openRepository(repository.dir);
    await using reader = new ObjectReader(opened.git, "sha1");
    const [bigOne, none, empty, info, lines] = await Promise.all([
      reader.read("HEAD:big"),
      reader.read("HEAD:nothing missing"),
      reader.read("HEAD:empty"),
      reader.info("HEAD:big"),
      reader.read("HEAD:lines"),
    ]);
    expect(bigOne!.bytes.equals(big)).toBe(true);
    expect(none).toBeNull();
    expect(empty!.bytes).toHaveLength(0);
    expect(info).toMatchObject({ type: "blob", size: 300_000 });
    expect(lines!.bytes.toString()).toBe("a\nb\n\n");
    expect(await reader.blob(bigOne!.id, 299_999)).toBeNull();
    expect(await reader.blob(bigOne!.id, 300_000)).toHaveLength(300_000);
  });

  test("finds folders, and says what is no folder or no commit", async () => {
    await using repository = await temporaryRepository({ files: { "a/b/c": "1" } });
    const opened = await openRepository(repository.dir);
    await using reader = new ObjectReader(opened.git, "sha1");
    const { tree } = await reader.commit(await repository.git("rev-parse", "HEAD"));
    expect(await reader.treeAt(tree, "a/b")).toBe(await repository.git("rev-parse", "HEAD:a/b"));
    expect(await reader.treeAt(tree, "a/b/c")).toBeNull();
    expect(await reader.treeAt(tree, "a/x/c")).toBeNull();
    await expect(reader.commit(tree)).rejects.toMatchObject({
      code: "git",
      message: `object ${tree} is a tree, not a commit`,
    });
    await expect(reader.tree("1".repeat(40))).rejects.toMatchObject({
      message: expect.stringContaining("is missing"),
    });
  });

  test("never takes a name for two questions", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const opened = await openRepository(repository.dir);
    await using reader = new ObjectReader(opened.git, "sha1");
    await expect(reader.read("HEAD\ncontents HEAD")).rejects.toThrow("not an object name");
    expect(await reader.read("--batch-all-objects")).toBeNull();
  });

  test("a reader whose git died says so instead of waiting", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const opened = await openRepository(repository.dir);
    await repository.git("config", "core.repositoryFormatVersion", "99");
    await using reader = new ObjectReader(opened.git, "sha1");
    await expect(reader.read("HEAD")).rejects.toMatchObject({
      code: "git",
      message: expect.stringContaining("repo version"),
    });
  });

  test("stops on abort, and ends with its user", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const opened = await openRepository(repository.dir);
    const controller = new AbortController();
    const git = opened.git.with({ signal: controller.signal });
    const reader = new ObjectReader(git, "sha1");
    expect(await reader.read("HEAD")).not.toBeNull();
    controller.abort();
    await expect(reader.read("HEAD")).rejects.toMatchObject({ code: "interrupted" });
    await reader.close();
    const other = new ObjectReader(opened.git, "sha1");
    await other.close();
    await expect(other.read("HEAD")).rejects.toThrow("closed");
  });
});

describe("readers that are open at the same time", () => {
  /** A git first on the PATH that writes its process ids down. */
  async function counted(repository: Awaited<ReturnType<typeof temporaryRepository>>) {
    const folder = join(repository.home, "counted");
    const started = join(folder, "started");
    mkdirSync(folder);
    writeFileSync(started, "");
    const script = `#!/bin/sh\ncase "$*" in *cat-file*) echo $$ >> '${started}' ;; esac\nPATH='${process.env["PATH"]}' exec git "$@"\n`;
    writeFileSync(join(folder, "git"), script, { mode: 0o755 });
    vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
    const opened = await openRepository(repository.dir);
    const processes = () => readFileSync(started, "utf8").trim().split("\n").map(Number);
    return { opened, processes };
  }

  test("share a process, which ends with the last of them and sees what is new", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const { opened, processes } = await counted(repository);
    const first = new ObjectReader(opened.git, "sha1");
    expect(await first.read("HEAD:a")).not.toBeNull();
    const second = new ObjectReader(opened.git, "sha1");
    expect(await second.read("HEAD:b")).toBeNull();
    repository.write("b", "2");
    await repository.commit();
    await first.close();
    expect((await second.read("HEAD:b"))?.bytes.toString()).toBe("2");
    await expect(first.read("HEAD:a")).rejects.toThrow("closed");
    await second.close();
    await using third = new ObjectReader(opened.git, "sha1");
    expect(await third.read("HEAD:b")).not.toBeNull();
    expect(processes()).toHaveLength(2);
  });

  test("one goes on with a new process when the shared one ended at another's question", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const { opened, processes } = await counted(repository);
    await using asking = new ObjectReader(opened.git, "sha1");
    await using waiting = new ObjectReader(opened.git, "sha1");
    expect(await waiting.read("HEAD:a")).not.toBeNull();
    process.kill(processes()[0] ?? 0, "SIGKILL");
    await expect(asking.read("HEAD:a")).rejects.toMatchObject({ code: "git" });
    expect((await waiting.read("HEAD:a"))?.bytes.toString()).toBe("1");
    await expect(asking.read("HEAD:a")).rejects.toMatchObject({ code: "git" });
    expect(processes()).toHaveLength(2);
  });
});

describe("writeObjects", () => {
  const blob = (text: string) => {
    const bytes = Buffer.from(text);
    return { type: "blob" as const, bytes, id: hashObject("blob", bytes, "sha1") };
  };

  test("a quarantine keeps new objects out of the repository's store", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const opened = await openRepository(repository.dir);
    const before = readdirSync(join(repository.dir, ".git/objects"));
    const one = blob("refused");
    let place = "";
    {
      await using quarantine = await openQuarantine(opened, { tempRoot: repository.tempRoot });
      place = quarantine.objectDirectory;
      const git = quarantine.gitFor(opened);
      await writeObjects(git, [one]);
      await using reader = new ObjectReader(git, "sha1");
      expect((await reader.read(one.id))!.bytes).toEqual(one.bytes);
      expect(await reader.read("HEAD")).not.toBeNull();
    }
    expect(existsSync(place)).toBe(false);
    expect(readdirSync(join(repository.dir, ".git/objects"))).toEqual(before);
    await using reader = new ObjectReader(opened.git, "sha1");
    expect(await reader.read(one.id)).toBeNull();
  });

  test("no filter, no line ending conversion", async () => {
    await using repository = await temporaryRepository({
      files: { ".gitattributes": "* text filter=x\n" },
    });
    await repository.git("config", "core.autocrlf", "true");
    await repository.git("config", "filter.x.clean", "tr a-z A-Z");
    const opened = await openRepository(repository.dir);
    const objects = ["one\r\n", "two\n", ""].map(blob);
    await writeObjects(opened.git, objects);
    for (const { id } of objects) expect(await repository.git("cat-file", "-t", id)).toBe("blob");
  });

  test("trees are written as they are, odd old modes included", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const opened = await openRepository(repository.dir);
    const id = await repository.git("rev-parse", "HEAD:a");
    const bytes = serializeTree([{ mode: "100664", name: Buffer.from("old"), id }], "sha1");
    const tree = { type: "tree" as const, bytes, id: hashObject("tree", bytes, "sha1") };
    await writeObjects(opened.git, [tree]);
    await using reader = new ObjectReader(opened.git, "sha1");
    expect((await reader.read(tree.id))!.bytes).toEqual(bytes);
  });

  test("an id that isn't that of the bytes is a bug", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const opened = await openRepository(repository.dir);
    const wrong = { ...blob("x"), id: "1".repeat(40) };
    await expect(writeObjects(opened.git, [wrong])).rejects.toThrow(` is ${blob("x").id}`);
  });

  test("a quarantine that is gone is an error of git's", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const opened = await openRepository(repository.dir);
    await using quarantine = await openQuarantine(opened, { tempRoot: repository.tempRoot });
    rmSync(dirname(quarantine.objectDirectory), { recursive: true });
    const writing = writeObjects(quarantine.gitFor(opened), [blob("x")]);
    await expect(writing).rejects.toMatchObject({ code: "git" });
  });

  test.each([0, 1, 15, 16, 2047, 2048, 70_000, 300_000])(
    "%i bytes of all kinds are written as they are, in both object formats",
    async (size) => {
      const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * 7919) % 256));
      for (const format of ["sha1", "sha256"] as const) {
        await using repository = await temporaryRepository({
          files: { a: "1" },
          objectFormat: format,
        });
        const opened = await openRepository(repository.dir);
        const one = { type: "blob" as const, bytes, id: hashObject("blob", bytes, format) };
        const entry = { mode: "100644", name: Buffer.from("ü\n"), id: one.id };
        const tree = serializeTree([entry], format);
        const two = { type: "tree" as const, bytes: tree, id: hashObject("tree", tree, format) };
        await writeObjects(opened.git, [two, one, two]);
        await using reader = new ObjectReader(opened.git, format);
        expect((await reader.read(one.id))!.bytes.equals(bytes)).toBe(true);
        expect((await reader.read(two.id))!.bytes).toEqual(tree);
      }
    },
  );

  test("a damaged tree, and a ref that holds no commit, are named", async () => {
    await using repository = await temporaryRepository({ files: { a: "1" } });
    const opened = await openRepository(repository.dir);
    const entry = { mode: "100644", name: Buffer.from("a"), id: EMPTY_TREE };
    const bytes = serializeTree([entry], "sha1").subarray(0, -1);
    const tree = { type: "tree" as const, bytes, id: hashObject("tree", bytes, "sha1") };
    await writeObjects(opened.git, [tree]);
    await using reader = new ObjectReader(opened.git, "sha1");
    await expect(reader.tree(tree.id)).rejects.toMatchObject({
      code: "git",
      message: `object ${tree.id} is no whole tree`,
    });
    const root = await repository.git("rev-parse", "HEAD^{tree}");
    await expect(reader.commit(root, "refs/heads/x")).rejects.toMatchObject({
      code: "git",
      message: `object ${root}, which refs/heads/x points to, is a tree, not a commit`,
    });
  });

  test("a name with a NUL byte is a bug", () => {
    const entry = { mode: "100644", name: Buffer.from("a\0b"), id: EMPTY_TREE };
    expect(() => serializeTree([entry], "sha1")).toThrow("NUL");
  });
});
