/** Trees, commits and ids as bytes: pure. */
import { createHash } from "node:crypto";

export type ObjectFormat = "sha1" | "sha256";

export interface RawTreeEntry {
  /** As the tree spells it: `100644`, `40000`; old trees hold oddities such as `100664`. */
  readonly mode: string;
  /** Bytes, because git names are not text. */
  readonly name: Buffer;
  /** Object id in hex. */
  readonly id: string;
}

export interface TreeObject {
  readonly type: "tree";
  readonly bytes: Buffer;
  readonly id: string;
}

export interface Signature {
  readonly name: string;
  readonly email: string;
  /** ISO 8601 in UTC; null when the commit holds no readable time. */
  readonly date: string | null;
}

export interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

export const TREE_MODE = "40000";

/** Of an id, as trees hold it. */
export const ID_BYTES: Readonly<Record<ObjectFormat, number>> = { sha1: 20, sha256: 32 };

export function isTree(entry: RawTreeEntry): boolean {
  return canonicalMode(entry.mode) === "040000";
}

/** Six digits, and the oddities of old trees read as git reads them (`100664` is `100644`). */
export function canonicalMode(mode: string): string {
  const bits = Number.parseInt(mode, 8);
  const kind = bits & 0o170000;
  if (kind === 0o100000) return (bits & 0o100) === 0 ? "100644" : "100755";
  if (kind === 0o120000) return "120000";
  if (kind === 0o040000) return "040000";
  return "160000";
}

/** Every entry as the tree spells it, whatever it says; null when the bytes end within one. */
export function parseTree(bytes: Buffer, format: ObjectFormat): RawTreeEntry[] | null {
  const entries: RawTreeEntry[] = [];
  const idBytes = ID_BYTES[format];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const nul = bytes.indexOf(0, space + 1);
    const end = nul + 1 + idBytes;
    if (space === -1 || nul === -1 || end > bytes.length) return null;
    entries.push({
      mode: bytes.toString("latin1", at, space),
      name: bytes.subarray(space + 1, nul),
      id: bytes.toString("hex", nul + 1, end),
    });
    at = end;
  }
  return entries;
}

/**
 * The tree's bytes in git's order: names by bytes, folders as if they ended in `/`.
 * @throws Error (a bug) for an entry that would read as another one
 */
export function serializeTree(entries: readonly RawTreeEntry[], format: ObjectFormat): Buffer {
  const keyed = entries.map((entry) => ({ entry, key: sortKey(entry) }));
  keyed.sort((a, b) => Buffer.compare(a.key, b.key));
  const parts = keyed.flatMap(({ entry }) => {
    const id = Buffer.from(entry.id, "hex");
    if (id.length !== ID_BYTES[format]) throw new Error(`not a ${format} id: ${entry.id}`);
    if (entry.name.includes(0)) throw new Error("a name in a tree can't hold a NUL byte");
    return [Buffer.from(`${entry.mode} `), entry.name, Buffer.from([0]), id];
  });
  return Buffer.concat(parts);
}

/** What git orders the entries of a tree by. */
export function sortKey(entry: RawTreeEntry): Buffer {
  return isTree(entry) ? Buffer.concat([entry.name, Buffer.from("/")]) : entry.name;
}

/** The id that git gives these bytes, in hex; nothing is written. */
export function hashObject(
  type: "blob" | "tree" | "commit",
  bytes: Uint8Array,
  format: ObjectFormat,
): string {
  const header = `${type} ${bytes.byteLength}\0`;
  return createHash(format).update(header).update(bytes).digest("hex");
}

/** What `hashObject` says of a tree with nothing in it. */
export const EMPTY_TREE: Readonly<Record<ObjectFormat, string>> = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** Reads what skillpr needs of a commit; signatures and other headers are skipped. */
export function parseCommit(id: string, bytes: Buffer): Commit {
  const text = bytes.toString("utf8");
  const end = text.indexOf("\n\n");
  const headers = (end === -1 ? text : text.slice(0, end)).split("\n");
  const values = (key: string) =>
    headers.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  return {
    id,
    tree: values("tree")[0] ?? "",
    parents: values("parent"),
    author: parseSignature(values("author")[0] ?? ""),
    committer: parseSignature(values("committer")[0] ?? ""),
    message: end === -1 ? "" : text.slice(end + 2),
  };
}

function parseSignature(line: string): Signature {
  const [, name = line, email = "", seconds] = /^(.*?) ?<(.*?)> ?(-?\d+)?/.exec(line) ?? [];
  const date = new Date(Number(seconds) * 1000);
  const isDate = !Number.isNaN(date.getTime());
  return { name, email, date: isDate ? date.toISOString() : null };
}
