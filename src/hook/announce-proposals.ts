/**
 * Tells a new session which proposals wait, each once per commit. Which branches are still open is
 * the worker's knowledge (`waiting.json`); that they exist still is read from the refs.
 */
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../core/errors.ts";
import { ANNOUNCED_NAMES_MAX, WAITING_MAX_BYTES } from "../core/limits.ts";
import { count } from "../core/text.ts";
import { isSkillName } from "../skills/skill-name.ts";
import { asRecord } from "../transcript/json-values.ts";
import { branchCommits } from "./branch-commits.ts";
import { makePrivateFolder } from "./private-file.ts";
import type { QueueFolders } from "./queue-files.ts";
import { queueProblem } from "./queue-problem.ts";
import { readSmallJson } from "./small-file.ts";

interface Waiting {
  readonly skill: string;
  readonly commit: string;
}

/** @returns what an agent shows its user; null when there is nothing new */
export function announceProposals(folders: QueueFolders, commonDir: string): string | null {
  // First what is cheap: most sessions start with nothing new.
  const waiting = readWaiting(folders).filter((proposal) => !existsSync(fileOf(folders, proposal)));
  if (waiting.length === 0) return null;
  const commits = branchCommits(
    commonDir,
    waiting.map(({ skill }) => branchOf(skill)),
  );
  const open = waiting.filter(({ skill, commit }) => commits.get(branchOf(skill)) === commit);
  if (open.length === 0 || queueProblem(folders) !== null) return null;
  if (makePrivateFolder(folders.announced) !== null) return null;
  const fresh = open.filter((proposal) => isFirstTime(folders, proposal));
  return fresh.length === 0 ? null : sentence(fresh.map(({ skill }) => skill));
}

function sentence(skills: readonly string[]): string {
  const shown = skills.slice(0, ANNOUNCED_NAMES_MAX).join(", ");
  const rest = skills.length - ANNOUNCED_NAMES_MAX;
  const more = rest > 0 ? ` and ${rest} more` : "";
  const verb = skills.length === 1 ? "is" : "are";
  return `${count(skills.length, "skill proposal")} ${verb} waiting: ${shown}${more} — skillpr list`;
}

const branchOf = (skill: string) => `auto-skill/${skill}`;

/** Names go into paths and before a person's eyes: only valid ones count. */
function readWaiting({ waiting }: QueueFolders): Waiting[] {
  const list = readSmallJson(waiting, WAITING_MAX_BYTES)?.["proposals"];
  return (Array.isArray(list) ? list : []).flatMap((item: unknown) => {
    const { skill, commit } = asRecord(item) ?? {};
    const isValid = typeof skill === "string" && isSkillName(skill) && isId(commit);
    return isValid ? [{ skill, commit }] : [];
  });
}

function isId(value: unknown): value is string {
  return typeof value === "string" && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

/** Of several sessions that start together, one makes the file. */
function isFirstTime(folders: QueueFolders, proposal: Waiting): boolean {
  try {
    closeSync(openSync(fileOf(folders, proposal), "wx", 0o600));
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function fileOf({ announced }: QueueFolders, { skill, commit }: Waiting): string {
  return join(announced, `${skill}-${commit}`);
}
