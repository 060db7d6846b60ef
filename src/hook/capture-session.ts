/**
 * Puts a session into the queue. The transcript's copy comes first, then the capture that names
 * it, so that a capture always names a whole copy; a copy that no capture names is the worker's to
 * remove. Nothing is in its place before the disk has both. That the places
 * survive a power cut is the worker's first concern; one before that leaves the job that was there, or
 * one whose copy is lost, which the worker makes anew from the agent's file.
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
}

/**
 * @param payload with the absolute path of the folder that the session works in
 * @returns null when the session is in the queue, else why it can't be, for people
 * @throws what the system refuses (a full disk, a read-only folder)
 */
export function captureSession(
  folders: QueueFolders,
  payload: Payload,
  options: Capturing,
): string | null {
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
    return put(folders, transcript, planned);
  } finally {
    closeSync(transcript.descriptor);
  }
}

/** A capture before its copy is made. */
type Planned = Omit<Capture, "copy" | "size">;

function put(folders: QueueFolders, transcript: OpenTranscript, planned: Planned): string | null {
  const before = readCapture(folders, planned.id);
  if (before?.size === transcript.size && isKept(folders, before)) {
    hasten(folders, before, planned);
    return null;
  }
  const problem =
    queueProblem(folders) ??
    makePrivateFolder(folders.transcripts) ??
    makePrivateFolder(folders.captured);
  if (problem !== null) return problem;
  const faster = replace(folders, transcript, { planned, before });
  if (faster !== null) hasten(folders, faster, planned);
  return null;
}

/** @returns the capture of another hook of this session that was faster and saw as much of it, or more */
function replace(
  folders: QueueFolders,
  transcript: OpenTranscript,
  { planned, before }: { planned: Planned; before: Capture | null },
): Capture | null {
  const copy = `${planned.id}-${randomDigits()}`;
  const staged: StagedFile[] = [];
  try {
    const bytes = stageCopy(transcript, folders.transcripts, copy);
    staged.push(bytes);
    const { size } = bytes;
    const capture = stageCapture(folders, { ...planned, copy, size });
    staged.push(capture);
    for (const file of staged) file.flush();
    const now = readCapture(folders, planned.id);
    if (now !== null && now.copy !== before?.copy && now.size >= size) return now;
    bytes.put();
    capture.put();
    return null;
  } finally {
    for (const file of staged) file.drop();
  }
}

/** A session that ended needn't wait for a quiet period. */
function hasten(folders: QueueFolders, known: Capture, { event, due }: Planned): void {
  // The user's quiet period may be longer than the one that the known due time reckons with.
  const hasEnded = event === SESSION_END && known.event !== SESSION_END;
  if (!hasEnded && Date.parse(due) >= Date.parse(known.due)) return;
  const staged = stageCapture(folders, { ...known, event, due });
  try {
    staged.flush();
    staged.put();
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
