/** Builds the input of verify() from trees written as plain objects. */
import { createHash } from "node:crypto";
import type { Change, DiskEntry, Profile, TreeFile, VerifyInput } from "../../src/verify/change.ts";
import type { Finding } from "../../src/verify/finding.ts";
import { verify } from "../../src/verify/verify.ts";

export const ROOT = ".qwen/skills";

type Content = string | Uint8Array | { mode: string; content: string | Uint8Array };
/** Path → content; a string or bytes is a regular file. */
export type Tree = Readonly<Record<string, Content>>;

export interface InputOptions {
  parent?: Tree;
  next: Tree;
  profile?: Profile;
  disk?: readonly DiskEntry[];
  /** Added to the changes that the two trees show. */
  moreChanges?: readonly Change[];
  /** Ids whose blob is too large to be loaded, chosen by path. */
  unloaded?: readonly string[];
}

export function inputOf(options: InputOptions): VerifyInput {
  const blobs = new Map<string, Uint8Array>();
  const parent = listTree(options.parent ?? {}, blobs);
  const next = listTree(options.next, blobs);
  for (const { path, id } of next) if (options.unloaded?.includes(path)) blobs.delete(id);
  const isListed = ({ path }: TreeFile) => path.startsWith(`${ROOT}/`) || ROOT.startsWith(path);
  return {
    skillsRoot: ROOT,
    profile: options.profile ?? "proposal",
    changes: [...diff(parent, next), ...(options.moreChanges ?? [])],
    parent: parent.filter(isListed),
    next: next.filter(isListed),
    blob: (id) => blobs.get(id),
    ...(options.disk ? { disk: options.disk } : {}),
  };
}

/** Findings as `rule path:line`, for tables. */
export function verdictOf(options: InputOptions): string[] {
  return verify(inputOf(options)).map(placeOf);
}

/** The findings of one rule. */
export function findingsOf(rule: string, options: InputOptions): Finding[] {
  return verify(inputOf(options)).filter((finding) => finding.rule === rule);
}

export function rulesOf(options: InputOptions): string[] {
  return [...new Set(verify(inputOf(options)).map(({ rule }) => rule))].sort();
}

export function placeOf({ rule, path, line }: Finding): string {
  return `${rule} ${path ?? "-"}${line === null ? "" : `:${line}`}`;
}

/** A valid auto-skill; `lines` replace or extend the frontmatter after `description`. */
export function skillText(name: string, options: { extra?: string; body?: string } = {}): string {
  return [
    "---",
    `name: ${name}`,
    "description: Check the thing before the other thing. Use when the thing changes.",
    "version: 1.0.0",
    ...(options.extra === undefined ? [] : [options.extra]),
    "metadata:",
    "  source: auto-skill",
    "  extracted_at: '2026-11-29T12:00:00Z'",
    "---",
    "",
    options.body ?? `# Heading\n\nRun the check of ${name}, then read its last line.`,
    "",
  ].join("\n");
}

/** A skill that a person wrote: no marker. */
export function personalText(name: string, extra = ""): string {
  return `---\nname: ${name}\ndescription: Written by hand. Use when a hand is needed.\n${extra}---\n\n# By hand\n`;
}

export const FLOW = `${ROOT}/release-flow/SKILL.md`;
export const flow = skillText("release-flow");
export const flowChanged = skillText("release-flow", { body: "# Heading\n\nAnother lesson." });

function listTree(tree: Tree, blobs: Map<string, Uint8Array>): TreeFile[] {
  return Object.entries(tree).map(([path, entry]) => {
    const isPlain = typeof entry === "string" || entry instanceof Uint8Array;
    const { mode, content } = isPlain ? { mode: "100644", content: entry } : entry;
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const id = createHash("sha1").update(bytes).digest("hex");
    if (mode !== "160000") blobs.set(id, bytes);
    return { path, mode, id };
  });
}

const ABSENT = { mode: "000000", id: "0".repeat(40) };

function diff(parent: readonly TreeFile[], next: readonly TreeFile[]): Change[] {
  const before = new Map(parent.map((file) => [file.path, file]));
  const after = new Map(next.map((file) => [file.path, file]));
  const changes: Change[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(path) ?? ABSENT;
    const now = after.get(path) ?? ABSENT;
    if (old.id === now.id && old.mode === now.mode) continue;
    const status = statusOf(old.mode, now.mode);
    changes.push({ path, status, oldMode: old.mode, mode: now.mode, oldId: old.id, id: now.id });
  }
  return changes;
}

function statusOf(oldMode: string, mode: string): string {
  if (oldMode === ABSENT.mode) return "A";
  if (mode === ABSENT.mode) return "D";
  return oldMode.slice(0, 3) === mode.slice(0, 3) ? "M" : "T";
}
