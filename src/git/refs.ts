/** Refs and commits: read, compare-and-swap, and who has a branch in use. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { REF_LOCK_PAUSE_MS, REF_LOCK_TRIES } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import type { Git } from "./git.ts";
import { requireId, requireRefName } from "./names.ts";
import { readCommonDir } from "./worktree-list.ts";

export { checkedOutAt } from "./checked-out.ts";

export interface Ref {
  readonly name: string;
  readonly id: string;
}

/** `lost-race`: the ref was not at the expected id. `blocked`: why it could not be moved, for people. */
export type RefChange<Done extends string> = Done | "lost-race" | { readonly blocked: string };

/** `refs/heads/auto-skill/x` as people say it. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes)\//, "");
}

/** Refs under prefixes such as `refs/heads/auto-skill/`, sorted by name. */
export async function listRefs(git: Git, prefix: string | readonly string[]): Promise<Ref[]> {
  const prefixes = typeof prefix === "string" ? [prefix] : prefix;
  for (const each of prefixes) requireRefName(each);
  const format = "--format=%(objectname) %(refname)";
  const out = await git.text(["for-each-ref", format, "--", ...prefixes]);
  if (out === "") return [];
  return out.split("\n").map((line) => {
    const space = line.indexOf(" ");
    return { id: line.slice(0, space), name: line.slice(space + 1) };
  });
}

/** The id that a ref holds (a symbolic ref: its target's), null when there is none. */
export async function readRef(git: Git, fullName: string): Promise<string | null> {
  const refs = await listRefs(git, fullName);
  return refs.find(({ name }) => name === fullName)?.id ?? null;
}

/**
 * Moves a ref if and only if it is at `oldId` (null: does not exist). Waits shortly for another
 * process that holds its lock. Runs no hook. Whether the branch is in use somewhere is the
 * caller's question (checkedOutAt).
 */
export function moveRef(
  git: Git,
  fullName: string,
  newId: string,
  oldId: string | null,
  reason = "skillpr",
): Promise<RefChange<"moved">> {
  requireId(newId);
  const expected = oldId ?? "0".repeat(newId.length);
  return change(git, fullName, expected, "moved", ["-m", reason, fullName, newId, expected]);
}

/** Deletes a ref if and only if it is at `oldId`. */
export function deleteRef(
  git: Git,
  fullName: string,
  oldId: string,
): Promise<RefChange<"deleted">> {
  return change(git, fullName, oldId, "deleted", ["-d", fullName, oldId]);
}

async function change<Done extends string>(
  git: Git,
  fullName: string,
  oldId: string,
  done: Done,
  args: readonly string[],
): Promise<RefChange<Done>> {
  requireRefName(fullName);
  requireId(oldId);
  for (let attempt = 1; ; attempt += 1) {
    const command = ["update-ref", "--no-deref", ...args];
    const { code, stderr } = await git.run(command, { okCodes: [0, 1, 128] });
    if (code === 0) return done;
    // Not by git's words: the ref itself says whether somebody was faster.
    const current = (await readRef(git, fullName)) ?? "0".repeat(oldId.length);
    if (current !== oldId) return "lost-race";
    const conflict = await nameConflict(git, fullName);
    if (conflict !== null) return { blocked: conflict };
    if (attempt >= REF_LOCK_TRIES)
      return { blocked: (await leftOverLock(git, fullName)) ?? stderr };
    await pause(REF_LOCK_PAUSE_MS);
  }
}

/** A ref can't be both a file and a folder: `a` and `a/b` exclude each other. */
async function nameConflict(git: Git, fullName: string): Promise<string | null> {
  const [child] = await listRefs(git, `${fullName}/`);
  const parts = fullName.split("/");
  const parents = parts.slice(2, -1).map((_, index) => parts.slice(0, index + 3).join("/"));
  let other = child?.name;
  for (const parent of parents) {
    if (other === undefined && (await readRef(git, parent)) !== null) other = parent;
  }
  if (other === undefined) return null;
  return `${fullName} can't exist beside ${safeLine(other)}: rename or delete that one`;
}

async function leftOverLock(git: Git, fullName: string): Promise<string | null> {
  const commonDir = await readCommonDir(git);
  const candidates = [`${fullName}.lock`, "packed-refs.lock"].map((name) => join(commonDir, name));
  const lock = candidates.find((path) => existsSync(path));
  if (lock === undefined) return null;
  return `${fullName} is locked by ${safeLine(lock)}: if no git process is running, delete that file`;
}

/** True when `a` is `b` or in its history. */
export async function isAncestor(git: Git, a: string, b: string): Promise<boolean> {
  requireId(a);
  requireId(b);
  if (a === b) return true;
  const { code } = await git.run(["merge-base", "--is-ancestor", a, b], { okCodes: [0, 1] });
  return code === 0;
}

/** The best common ancestor of two commits; null when there is none (or a shallow clone hides it). */
export async function mergeBase(git: Git, a: string, b: string): Promise<string | null> {
  requireId(a);
  requireId(b);
  const { code, stdout } = await git.run(["merge-base", a, b], { okCodes: [0, 1] });
  return code === 0 ? (stdout.toString("utf8").split("\n")[0] ?? null) : null;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
  /** Kept to the second, in UTC. */
  readonly date: Date;
}

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Identity;
  readonly committer: Identity;
}

/** Writes a commit object with exactly these people: no config, no signature, no hook. Same input, same id. */
export async function commitTree(git: Git, commit: NewCommit): Promise<string> {
  requireId(commit.tree);
  commit.parents.forEach(requireId);
  const args = [
    "commit-tree",
    ...commit.parents.flatMap((id) => ["-p", id]),
    "-F",
    "-",
    commit.tree,
  ];
  const env = { ...identity("AUTHOR", commit.author), ...identity("COMMITTER", commit.committer) };
  return git.text(args, { input: commit.message, env });
}

function identity(role: "AUTHOR" | "COMMITTER", who: Identity): Record<string, string> {
  const seconds = Math.floor(who.date.getTime() / 1000);
  if (Number.isNaN(seconds)) throw new Error(`no valid date for the ${role.toLowerCase()}`);
  return {
    [`GIT_${role}_NAME`]: who.name,
    [`GIT_${role}_EMAIL`]: who.email,
    [`GIT_${role}_DATE`]: `@${seconds} +0000`,
  };
}
