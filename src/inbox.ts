/**
 * The inbox of a repository: branches that hold one redacted transcript each and nothing else, left there by
 * `skillpr upload` for a workflow that has a model.
 */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { INBOX_MAX, INBOX_TRANSCRIPT_MAX_BYTES } from "./core/limits.ts";
import { safeLine } from "./core/text.ts";
import { ObjectReader } from "./git/objects.ts";
import { listRefs } from "./git/refs.ts";
import type { Remote } from "./git/remote.ts";
import type { Repository } from "./git/repository.ts";
import { commitAsSkillpr } from "./publish/identity.ts";

const INBOX = "refs/heads/skillpr/inbox/";
const FETCHED = "refs/remotes/origin/skillpr/inbox/";
const ENDINGS = ["jsonl", "json", "traj", "md"] as const;
export type InboxEnding = (typeof ENDINGS)[number];

/** A session's branch: its id where that can be a branch's name, else a hash of it. */
export function inboxRef(sessionId: string): string {
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(sessionId);
  const hash = createHash("sha256").update(sessionId).digest("hex").slice(0, 32);
  return `${INBOX}${isPlain ? sessionId : hash}`;
}

/**
 * A commit without a history whose tree holds the transcript alone. Nothing refers to it here.
 * @returns its id
 */
export async function makeInboxCommit(
  { git }: Repository,
  { text, ending, agent }: { text: string; ending: InboxEnding; agent: string },
): Promise<string> {
  const blob = await git.text(["hash-object", "-w", "--no-filters", "--stdin"], { input: text });
  const entry = `100644 blob ${blob}\ttranscript.${ending}\n`;
  const tree = await git.text(["mktree"], { input: entry });
  const message = `skillpr: a ${safeLine(agent)} session to review\n`;
  return commitAsSkillpr(git, { tree, parents: [], message });
}

/**
 * Writes the inbox's transcripts, as last fetched, into a folder: `<session>.<commit>.<ending>`.
 * @returns their paths, and a sentence for each branch that is none of ours
 */
export async function exportInbox(
  repository: Repository,
  dir: string,
): Promise<{ files: string[]; notes: string[] }> {
  const refs = await listRefs(repository.git, FETCHED);
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const files: string[] = [];
  const notes: string[] = [];
  for (const { name, id } of refs.slice(0, INBOX_MAX)) {
    const session = name.slice(FETCHED.length);
    const found = session.includes("/") ? null : await transcriptIn(reader, id);
    if (found === null) {
      notes.push(`${safeLine(name)} holds no transcript of \`skillpr upload\`, and is passed over`);
      continue;
    }
    await mkdir(dir, { recursive: true });
    const file = join(dir, `${session}.${id}.${found.ending}`);
    await writeFile(file, found.bytes);
    files.push(file);
  }
  if (refs.length > INBOX_MAX)
    notes.push(`${refs.length - INBOX_MAX} more wait in the inbox: run this again`);
  return { files, notes };
}

async function transcriptIn(reader: ObjectReader, id: string) {
  if ((await reader.info(id))?.type !== "commit") return null;
  for (const ending of ENDINGS) {
    const info = await reader.info(`${id}:transcript.${ending}`);
    if (info?.type !== "blob" || info.size > INBOX_TRANSCRIPT_MAX_BYTES) continue;
    const object = await reader.read(`${id}:transcript.${ending}`);
    if (object !== null) return { ending, bytes: object.bytes };
  }
  return null;
}

/**
 * Removes what was reviewed, each only if it still is what was exported.
 * @param files names of exported files, as anybody may say them
 * @returns how many were removed
 * @throws SkillprError `git`
 */
export async function clearInbox(remote: Remote, files: readonly string[]): Promise<number> {
  let removed = 0;
  const there = new Map((await remote.list([INBOX])).map(({ name, id }) => [name, id]));
  for (const file of files) {
    const [, session = "", commit = ""] =
      /(?:^|\/)([A-Za-z0-9][A-Za-z0-9_-]{0,63})\.([0-9a-f]{40,64})\.[a-z]+$/.exec(file) ?? [];
    if (there.get(`${INBOX}${session}`) !== commit) continue;
    if ((await remote.remove(`${INBOX}${session}`, commit)) === "pushed") removed += 1;
  }
  return removed;
}
