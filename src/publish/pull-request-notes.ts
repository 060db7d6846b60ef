/**
 * What is known here of each skill's pull request, without asking GitHub: a small file per skill. One
 * is written before anything is published, so that what a killed run, or one without a network,
 * left undone is taken up by the next.
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../core/atomic-file.ts";
import { hasCode, SkillprError } from "../core/errors.ts";
import { namesIn } from "../core/names-in.ts";
import { parseWith, z } from "../core/schema.ts";
import { isSkillName } from "../skills/skill-name.ts";

const NoteSchema = z.object({
  skill: z.string(),
  /** `waiting`: it is to be opened or brought up to date. `blocked`: a person has to do something first. */
  state: z.enum(["waiting", "open", "blocked", "settled"]),
  number: z.nullable(z.int()),
  url: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** Of its labels and reviewers; absent: nothing is known of them. */
  extras: z.optional(z.enum(["due", "tried"])),
  /** ISO 8601. */
  at: z.string(),
});

export interface PullRequestNote {
  readonly skill: string;
  readonly state: "waiting" | "open" | "blocked" | "settled";
  readonly number: number | null;
  readonly url: string | null;
  readonly reason: string | null;
  /** See ExtrasState; absent: `unknown`. */
  readonly extras?: "due" | "tried" | undefined;
  readonly at: string;
}

/** By name. @param stateDir skillpr's folder in the git common dir */
export async function listPullRequestNotes(stateDir: string): Promise<PullRequestNote[]> {
  const names = await namesIn(folderOf(stateDir));
  const notes: PullRequestNote[] = [];
  for (const name of names.sort()) {
    const skill = name.replace(/\.json$/, "");
    const note = isSkillName(skill) ? await readPullRequestNote(stateDir, skill) : null;
    if (note !== null) notes.push(note);
  }
  return notes;
}

/** Null when nothing is known. @throws SkillprError `input` for a file that isn't one of ours */
export async function readPullRequestNote(
  stateDir: string,
  skill: string,
): Promise<PullRequestNote | null> {
  const file = fileOf(stateDir, skill);
  const hint = `remove ${file}; the next run with --publish pr asks GitHub again`;
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return parseWith(NoteSchema, value, { what: file, code: "input", hint });
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    if (!(error instanceof SyntaxError)) throw error;
    throw new SkillprError("input", `${file} is not JSON`, hint, { cause: error });
  }
}

export async function writePullRequestNote(
  stateDir: string,
  note: Omit<PullRequestNote, "at">,
): Promise<void> {
  await mkdir(folderOf(stateDir), { recursive: true, mode: 0o700 });
  const at = new Date().toISOString();
  await writeFileAtomically(
    fileOf(stateDir, note.skill),
    `${JSON.stringify({ ...note, at }, null, 2)}\n`,
  );
}

export async function forgetPullRequestNote(stateDir: string, skill: string): Promise<void> {
  await rm(fileOf(stateDir, skill), { force: true });
}

function folderOf(stateDir: string): string {
  return join(stateDir, "pull-requests");
}

function fileOf(stateDir: string, skill: string): string {
  return join(folderOf(stateDir), `${skill}.json`);
}
