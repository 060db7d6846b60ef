/**
 * Puts a session into the queue. The transcript's copy comes first, then the capture that names
 * it, so that a capture always names a whole copy; a copy that no capture names is the worker's to
 * remove. Nothing is in its place before the disk has both. The places themselves are synced last and
 * together: a power cut before that leaves the job that was there, or one whose copy is lost, which the
 * worker makes anew from the agent's file.
 */
import { closeSync, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { CAPTURE_MAX_BYTES, HOOK_QUIET_MS } from "../core/limits.ts";
import { readCapture, stageCapture } from "./capture-file.ts";
import { type OpenTranscript, openTranscript, stageCopy } from "./copy-transcript.ts";
import type { Payload } from "./payload.ts";
import { makePrivateFolder, randomDigits, type StagedFile } from "./private-file.ts";
import { type Capture, jobId, type QueueFolders } from "./queue-files.ts";
import { queueProblem } from "./queue-problem.ts";
import { readSmallJson } from "./small-file.ts";

const SESSION_END = "SessionEnd";

/** When the session of a capture may be reviewed: at once, or after a quiet period. */
export type Due = "now" | "after-quiet-period";

export interface Capturing {
  readonly due: Due;
  readonly agent: string | null;
  readonly now: Date;
  /** Called when others can see the session in the queue, while the disk is still at work. */
  readonly onPlaced: () => void;
}

/**
 * @param payload with the absolute path of the folder that the session works in
 * @returns null when the session is in the queue, else why it can't be, for people
 * @throws what the system refuses (a full disk, a read-only folder)
 */
export async function captureSession(
  folders: QueueFolders,
  payload: Payload,
  options: Capturing,
): Promise<string | null> {
  if (payload.transcriptPath === "") return "the agent named no transcript";
  const transcriptPath = resolve(payload.cwd, payload.transcriptPath);
  const transcript = openTranscript(transcriptPath);
  if (typeof transcript === "string") return transcript;
  try {
    const waitMs = options.due === "now" ? 0 : HOOK_QUIET_MS;
    const planned: Planned = {
      version: 1,
      id: jobId(payload.sessionId, transcriptPath),
      sessionId: payload.sessionId,
      agent: options.agent,
      event: payload.event,
      transcriptPath,
      cwd: payload.cwd,
      capturedAt: options.now.toISOString(),
      due: new Date(options.now.getTime() + waitMs).toISOString(),
    };
    return await put(folders, transcript, planned, options.onPlaced);
  } finally {
    closeSync(transcript.descriptor);
  }
}

/** A capture before its copy is made. */
type Planned = Omit<Capture, "copy" | "size">;

async function put(
  folders: QueueFolders,
  transcript: OpenTranscript,
  planned: Planned,
  onPlaced: () => void,
): Promise<string | null> {
  const before = readCapture(folders, planned.id);
  if (before?.size === transcript.size && isKept(folders, before)) {
    await hasten(folders, before, planned, onPlaced);
    return null;
  }
  const problem =
    queueProblem(folders) ??
    makePrivateFolder(folders.transcripts) ??
    makePrivateFolder(folders.captured);
  if (problem !== null) return problem;
  const faster = await replace(folders, transcript, { planned, before, onPlaced });
  if (faster !== null) await hasten(folders, faster, planned, onPlaced);
  return null;
}

/** @returns the capture of another hook of this session that was faster and saw as much of it, or more */
async function replace(
  folders: QueueFolders,
  transcript: OpenTranscript,
  { planned, before, onPlaced }: { planned: Planned; before: Capture | null; onPlaced: () => void },
): Promise<Capture | null> {
  const copy = `${planned.id}-${randomDigits()}`;
  const staged: StagedFile[] = [];
  try {
    const bytes = stageCopy(transcript, folders.transcripts, copy);
    staged.push(bytes);
    const { size } = bytes;
    const capture = stageCapture(folders, { ...planned, copy, size });
    staged.push(capture);
    await Promise.all(staged.map((file) => file.flush()));
    const now = readCapture(folders, planned.id);
    if (now !== null && now.copy !== before?.copy && now.size >= size) return now;
    bytes.put();
    capture.put();
    onPlaced();
    await Promise.all(staged.map((file) => file.settle()));
    return null;
  } finally {
    for (const file of staged) file.drop();
  }
}

/** A session that ended needn't wait for a quiet period. */
async function hasten(
  folders: QueueFolders,
  known: Capture,
  { event, due }: Planned,
  onPlaced: () => void,
): Promise<void> {
  // The user's quiet period may be longer than the one that the known due time reckons with.
  const hasEnded = event === SESSION_END && known.event !== SESSION_END;
  if (!hasEnded && Date.parse(due) >= Date.parse(known.due)) return;
  const staged = stageCapture(folders, { ...known, event, due });
  try {
    await staged.flush();
    staged.put();
    onPlaced();
    await staged.settle();
  } finally {
    staged.drop();
  }
}

/** The worker removes a copy once it recorded what became of it; one that is missing otherwise was lost. */
function isKept(folders: QueueFolders, capture: Capture): boolean {
  if (existsSync(join(folders.transcripts, capture.copy))) return true;
  const record = readSmallJson(join(folders.records, `${capture.id}.json`), CAPTURE_MAX_BYTES);
  return record?.["copy"] === capture.copy;
}
