/** What people turned down, remembered by content and by name, so that it isn't proposed again. */
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../core/atomic-file.ts";
import { SkillprError } from "../core/errors.ts";
import { namesIn } from "../core/names-in.ts";
import { parseWith, z } from "../core/schema.ts";

const DeclinedSchema = z.object({
  skill: z.string(),
  /** See skills/content-key.ts: the same lesson has the same key. */
  contentKey: z.string(),
  /** The skill's description: what the lesson was about. */
  description: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  commit: z.string(),
  /** Where it was closed without a merge; absent: somebody decided it here. */
  pullRequest: z.optional(z.int()),
  at: z.string(),
});

export interface Declined {
  readonly skill: string;
  readonly contentKey: string;
  readonly description: string | null;
  readonly reason: string | null;
  readonly commit: string;
  /** Number of the pull request that was closed without a merge; absent: it was decided here. */
  readonly pullRequest?: number | undefined;
  /** ISO 8601. */
  readonly at: string;
}

/** @param stateDir skillpr's folder in the git common dir */
export async function listDeclined(stateDir: string): Promise<Declined[]> {
  const dir = join(stateDir, "declined");
  const names = await namesIn(dir);
  const declined: Declined[] = [];
  for (const name of names.filter((file) => file.endsWith(".json")).sort())
    declined.push(await readDeclined(join(dir, name)));
  return declined;
}

async function readDeclined(file: string): Promise<Declined> {
  const hint = `remove ${file} to forget that decision`;
  const text = await readFile(file, "utf8");
  try {
    return parseWith(DeclinedSchema, JSON.parse(text), { what: file, code: "input", hint });
  } catch (error) {
    if (error instanceof SkillprError) throw error;
    throw new SkillprError("input", `${file} is not JSON`, hint, { cause: error });
  }
}

export async function recordDeclined(stateDir: string, declined: Declined): Promise<void> {
  await mkdir(join(stateDir, "declined"), { recursive: true, mode: 0o700 });
  await writeFileAtomically(fileOf(stateDir, declined), `${JSON.stringify(declined, null, 2)}\n`);
}

/** Takes a decision back that could not be carried out. */
export async function forgetDeclined(stateDir: string, declined: Declined): Promise<void> {
  await rm(fileOf(stateDir, declined), { force: true });
}

function fileOf(stateDir: string, { skill, contentKey }: Declined): string {
  return join(stateDir, "declined", `${skill}-${contentKey.slice(0, 16)}.json`);
}
