/**
 * Marks that wait: a batch of nothing but TAGs opens no proposal of its own, so it is kept in the git
 * folder, one file a batch, until the Skillbook changes for another reason.
 */
import { randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "./core/atomic-file.ts";
import { hasCode, SkillprError } from "./core/errors.ts";
import { WAITING_BATCH_MAX_BYTES } from "./core/limits.ts";
import { makeFolders } from "./core/make-folders.ts";
import { type Repository, stateDir } from "./git/repository.ts";
import type { TagOperation, UpdateBatch } from "./skills/operation.ts";
import { parseUpdateBatch } from "./skills/update-batch.ts";

export interface WaitingTags {
  /** The file that holds them. */
  readonly file: string;
  readonly operations: readonly TagOperation[];
}

/** All that wait, the oldest first. @throws SkillprError `input` for a file that is no batch of marks */
export async function listWaiting(repository: Repository): Promise<WaitingTags[]> {
  const dir = folderOf(repository);
  const names = await readdir(dir).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  const waiting: WaitingTags[] = [];
  for (const name of names.filter((each) => each.endsWith(".json")).sort())
    waiting.push(await readWaiting(join(dir, name)));
  return waiting;
}

/** Keeps a batch; it is on the disk when this returns. */
export async function keepWaiting(repository: Repository, batch: UpdateBatch): Promise<void> {
  const dir = folderOf(repository);
  makeFolders(dir);
  const name = `${Date.now()}-${randomBytes(4).toString("hex")}.json`;
  await writeFileAtomically(join(dir, name), `${JSON.stringify(batch, null, 2)}\n`);
}

/** They are in the Skillbook now. */
export async function forgetWaiting(waiting: readonly WaitingTags[]): Promise<void> {
  for (const { file } of waiting) await rm(file, { force: true });
}

function folderOf(repository: Repository): string {
  return join(stateDir(repository), "skillbook", "waiting");
}

async function readWaiting(file: string): Promise<WaitingTags> {
  const text = await readFile(file, "utf8");
  const parsed = text.length > WAITING_BATCH_MAX_BYTES ? null : parseUpdateBatch(jsonOf(text));
  const operations = parsed?.ok ? parsed.batch.operations : [];
  const tags = operations.filter((each) => each.type === "TAG");
  if (parsed?.ok && tags.length === operations.length) return { file, operations: tags };
  throw new SkillprError(
    "input",
    `${file} holds no marks that wait`,
    "look into it, then remove it: its marks are lost to the Skillbook",
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
