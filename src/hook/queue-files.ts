/**
 * What lies where in the queue, `<git common dir>/skillpr/queue`. Every file has one kind of writer,
 * so that neither hook nor worker ever waits for the other:
 *
 *     captured/<id>.json            the newest capture of a session; written by hooks, replaced whole
 *     transcripts/<id>-<random>     the transcript's copy that a capture names
 *     records/<id>.json             what became of it; written by the worker that holds the lock
 *     waiting.json                  the open proposals; written by the worker after each run
 *     announced/<skill>-<commit>    proposals that a session was told of
 *     locks/worker/                 the worker's lock (see git/process-lock.ts)
 *     log.jsonl                     what went wrong where nobody could be told
 *     usage.json                    reviews and tokens of the day
 *     retries/<id>                  a person wants this job tried again; the worker takes the note away
 *     damaged/                      captures and records that can't be read, set aside with their copies
 *
 * A session's job has one id, however often it is captured: `jobId`. A job whose record names
 * another copy than its capture, or that has no record, is queued. Nothing here is trusted: the
 * files may be damaged, and the folder holds them for a long time.
 *
 * On the hook's path: built-in modules only.
 */
import { join } from "node:path";

export interface QueueFolders {
  readonly queue: string;
  readonly captured: string;
  readonly transcripts: string;
  readonly records: string;
  readonly waiting: string;
  readonly announced: string;
  readonly workerLock: string;
  readonly log: string;
  readonly usage: string;
  readonly retries: string;
  readonly damaged: string;
}

/** @param stateDir skillpr's folder in the git common dir (`stateDir` of git/repository.ts) */
export function queueFolders(stateDir: string): QueueFolders {
  const queue = join(stateDir, "queue");
  return {
    queue,
    captured: join(queue, "captured"),
    transcripts: join(queue, "transcripts"),
    records: join(queue, "records"),
    waiting: join(queue, "waiting.json"),
    announced: join(queue, "announced"),
    workerLock: join(queue, "locks", "worker"),
    log: join(queue, "log.jsonl"),
    usage: join(queue, "usage.json"),
    retries: join(queue, "retries"),
    damaged: join(queue, "damaged"),
  };
}

/** What a hook saw, as it is written to `captured/<id>.json`. */
export interface Capture {
  readonly version: 1;
  readonly id: string;
  readonly sessionId: string;
  /** `qwen-code`, `claude-code`, `gemini-cli`, where the transcript's path or the environment tells it. */
  readonly agent: string | null;
  /** `SessionEnd`, `Stop`, … */
  readonly event: string;
  /** Absolute path of the agent's own file, which may be gone by the time it is looked for. */
  readonly transcriptPath: string;
  /** Name of the copy in `transcripts/`. */
  readonly copy: string;
  /** Bytes of the copy. */
  readonly size: number;
  /** Where the session worked. */
  readonly cwd: string;
  /** ISO 8601. */
  readonly capturedAt: string;
  /** ISO 8601; before it the session may still go on. */
  readonly due: string;
}

/** The same session has the same id on every machine: 16 hex digits. */
export function jobId(sessionId: string, transcriptPath: string): string {
  // Without a session id (some agents send none) the transcript's path stands for the session.
  return hashOf(sessionId === "" ? `path ${transcriptPath}` : `session ${sessionId}`);
}

/**
 * FNV-1a with 64 bits. Not a cryptographic hash: loading one takes a tenth of the hook's time, and
 * whoever could make two ids collide could as well send the same session id twice.
 */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
