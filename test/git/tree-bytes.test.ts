import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTree, type RawTreeEntry, serializeTree } from "../../src/git/object-format.ts";
import { differingPart, findEntry, spliceEntry } from "../../src/git/tree-bytes.ts";

const ID = "ab".repeat(20);
const entry = (name: string, mode = "100644", id = ID): RawTreeEntry => ({
  mode,
  name: Buffer.from(name),
  id,
});
const names = fc.uniqueArray(
  fc.stringMatching(/^[a-c.\-/ ]{1,4}$/).filter((n) => !n.includes("/")),
  { maxLength: 12 },
);
const trees = names.map((list) =>
  list.map((name, i) => entry(name, i % 3 === 0 ? "40000" : "100644", `${i % 10}`.repeat(40))),
);

describe("the same as with parsed entries", () => {
  test("finding", () => {
    fc.assert(
      fc.property(trees, fc.stringMatching(/^[a-c.]{1,3}$/), (entries, name) => {
        const bytes = serializeTree(entries, "sha1");
        const parsed = parseTree(bytes, "sha1")?.find((one) => one.name.toString() === name);
        expect(findEntry(bytes, Buffer.from(name), "sha1")).toEqual(parsed);
      }),
    );
  });

  test("putting in, replacing, taking out", () => {
    fc.assert(
      fc.property(
        trees,
        fc.stringMatching(/^[a-c.]{1,3}$/),
        fc.constantFrom("100644", "40000", null),
        (entries, name, mode) => {
          const others = entries.filter((one) => one.name.toString() !== name);
          const put = mode === null ? null : entry(name, mode);
          const wanted = serializeTree(put === null ? others : [...others, put], "sha1");
          const bytes = serializeTree(entries, "sha1");
          expect(spliceEntry(bytes, Buffer.from(name), put, "sha1")?.toString("hex")).toBe(
            wanted.toString("hex"),
          );
        },
      ),
    );
  });

  test("what differs: everything outside the part is equal, and the part holds every difference", () => {
    fc.assert(
      fc.property(trees, trees, (one, two) => {
        const [a, b] = [serializeTree(one, "sha1"), serializeTree(two, "sha1")];
        const part = differingPart(a, b, "sha1");
        if (part === null) return;
        const spell = (bytes: Buffer) =>
          (parseTree(bytes, "sha1") ?? []).map(
            (e) => `${e.mode} ${e.name.toString("hex")} ${e.id}`,
          );
        const known = new Set(spell(part.before));
        const inPart = new Set(spell(part.after));
        for (const line of spell(b)) expect(inPart.has(line) || spell(a).includes(line)).toBe(true);
        for (const line of spell(a)) expect(known.has(line) || spell(b).includes(line)).toBe(true);
      }),
    );
  });
});

test("a tree that is cut off is said to be", () => {
  const bytes = serializeTree([entry("a"), entry("b")], "sha1").subarray(0, 40);
  expect(findEntry(bytes, Buffer.from("b"), "sha1")).toBeNull();
  expect(spliceEntry(bytes, Buffer.from("b"), null, "sha1")).toBeNull();
});

test("of a large tree with one entry put in, the part is that entry and its neighbours", () => {
  const many = Array.from({ length: 5000 }, (_, i) => entry(`file-${String(i).padStart(5, "0")}`));
  const before = serializeTree(many, "sha1");
  const after =
    spliceEntry(before, Buffer.from("file-02500x"), entry("file-02500x"), "sha1") ??
    Buffer.alloc(0);
  const part = differingPart(before, after, "sha1");
  expect(parseTree(part?.after ?? Buffer.alloc(0), "sha1")?.map((e) => e.name.toString())).toEqual(
    expect.arrayContaining(["file-02500", "file-02500x", "file-02501"]),
  );
  expect(parseTree(part?.after ?? Buffer.alloc(0), "sha1")?.length).toBeLessThanOrEqual(5);
});
