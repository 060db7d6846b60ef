/**
 * Puts a session into the queue. The transcript's copy comes first, then the capture that names
 * it, so that a capture always names a whole copy; a copy that no capture names is the worker's to
 * remove.
 */
import { closeSync, existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { CAPTURE_MAX_BYTES, HOOK_QUIET_MS } from "../core/limits.ts";
import { readCapture, writeCapture } from "./capture-file.ts";
import { copyTranscript, type OpenTranscript, openTranscript } from "./copy-transcript.ts";
import type { Payload } from "./payload.ts";
import { makePrivateFolder, randomDigits } from "./private-file.ts";
import { type Capture, jobId, type QueueFolders } from "./queue-files.ts";
import { readSmallJson } from "./small-file.ts";

/** When the session of a capture may be reviewed: at once, or after a quiet period. */
export type Due = "now" | "after-quiet-period";

/**
 * @param payload with the absolute path of the folder that the session works in
 * @returns null when the session is in the queue, else why it can't be, for people
 * @throws what the system refuses (a full disk, a read-only folder)
 */
export function captureSession(
  folders: QueueFolders,
  payload: Payload,
  options: { readonly due: Due; readonly agent: string | null; readonly now: Date },
): string | null {
  if (payload.transcriptPath === "") return "the agent named no transcript";
  const transcriptPath = resolve(payload.cwd, payload.transcriptPath);
  const transcript = openTranscript(transcriptPath);
  if (typeof transcript === "string") return transcript;
  try {
    const waitMs = options.due === "now" ? 0 : HOOK_QUIET_MS;
    return put(folders, transcript, {
      version: 1,
      id: jobId(payload.sessionId, transcriptPath),
      sessionId: payload.sessionId,
      agent: options.agent,
      event: payload.event,
      transcriptPath,
      cwd: payload.cwd,
      capturedAt: options.now.toISOString(),
      due: new Date(options.now.getTime() + waitMs).toISOString(),
    });
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
  const problem = makePrivateFolder(folders.transcripts) ?? makePrivateFolder(folders.captured);
  if (problem !== null) return problem;
  const copy = `${planned.id}-${randomDigits()}`;
  const size = copyTranscript(transcript, folders.transcripts, copy);
  // Another hook of this session may have been faster, and have seen as much of it or more.
  const overtaking = () => {
    const found = readCapture(folders, planned.id);
    const isOther = found !== null && found.copy !== before?.copy && found.copy !== copy;
    return isOther && found.size >= size ? found : null;
  };
  const discard = () => rmSync(join(folders.transcripts, copy), { force: true });
  try {
    const capture = { ...planned, copy, size };
    if (writeCapture(folders, capture, () => overtaking() === null)) return null;
  } catch (error) {
    if (readCapture(folders, planned.id)?.copy !== copy) discard();
    throw error;
  }
  discard();
  const faster = overtaking();
  if (faster !== null) hasten(folders, faster, planned);
  return null;
}

/** A session that ended needn't wait for a quiet period. */
function hasten(folders: QueueFolders, known: Capture, { event, due }: Planned): void {
  if (Date.parse(due) < Date.parse(known.due)) writeCapture(folders, { ...known, event, due });
}

/** The worker removes a copy once it recorded what became of it; one that is missing otherwise was lost. */
function isKept(folders: QueueFolders, capture: Capture): boolean {
  if (existsSync(join(folders.transcripts, capture.copy))) return true;
  const record = readSmallJson(join(folders.records, `${capture.id}.json`), CAPTURE_MAX_BYTES);
  return record?.["copy"] === capture.copy;
}
