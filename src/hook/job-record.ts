/** What became of a captured session: `records/<id>.json`, written by the worker that holds the lock. */
import { join } from "node:path";
import { writeFileAtomically } from "../core/atomic-file.ts";
import { jsonOrNull } from "../core/json-or-null.ts";
import { RECORD_TEXT_MAX_CHARS } from "../core/limits.ts";
import { type InferSchema, z } from "../core/schema.ts";
import { cut } from "../core/text.ts";
import type { Capture, QueueFolders } from "./queue-files.ts";

/** The one outcome of a session, as it is kept and shown. */
export interface JobOutcome {
  readonly status: "proposed" | "nothing_to_save" | "skipped" | "refused" | "failed";
  readonly skippedReason?: string | undefined;
  /** Why, in a sentence. */
  readonly detail?: string | undefined;
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
  /** Skills that were proposed. */
  readonly skills: readonly string[];
  /** Their branches, with those of earlier reviews of the same session. */
  readonly branches: readonly string[];
}

export interface JobRecord {
  readonly version: 1;
  readonly id: string;
  /** The capture that this is about, by the name of its copy. */
  readonly copy: string;
  /** The newest copy of the transcript: the capture's, or one made since because the session grew. */
  readonly transcript: string;
  readonly sessionId: string;
  readonly agent: string | null;
  /** ISO 8601, of the capture. */
  readonly capturedAt: string;
  /** `waiting`: for its next try. */
  readonly state: "running" | "waiting" | "done" | "parked";
  /** Reviews that were begun, the one that runs included. */
  readonly tries: number;
  /** Those of them whose worker ended without an outcome. */
  readonly deaths: number;
  /** ISO 8601; of the next try while it waits. */
  readonly due: string | null;
  /** ISO 8601 of the last try. */
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Of the last try that had one, also while it waits for the next. */
  readonly outcome: JobOutcome | null;
}

const time = z.string();
const outcomeSchema = z.object({
  status: z.enum(["proposed", "nothing_to_save", "skipped", "refused", "failed"]),
  skippedReason: z.optional(z.string()),
  detail: z.optional(z.string()),
  error: z.optional(z.object({ code: z.string(), message: z.string(), hint: z.string() })),
  skills: z.array(z.string()),
  branches: z.array(z.string()),
});
const recordSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  copy: z.string(),
  transcript: z.string(),
  sessionId: z.string(),
  agent: z.nullable(z.string()),
  capturedAt: time,
  state: z.enum(["running", "waiting", "done", "parked"]),
  tries: z.int(),
  deaths: z.int(),
  due: z.nullable(time),
  startedAt: time,
  endedAt: z.nullable(time),
  outcome: z.nullable(outcomeSchema),
});
const captureSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  sessionId: z.string(),
  agent: z.nullable(z.string()),
  event: z.string(),
  transcriptPath: z.string(),
  copy: z.string(),
  size: z.number(),
  cwd: z.string(),
  capturedAt: time,
  due: time,
});

/** A name in `transcripts/` that belongs to this job and leads nowhere else. */
export function isCopyOf(id: string, name: string): boolean {
  return name.startsWith(`${id}-`) && /^[0-9a-f]{16}-[A-Za-z0-9_-]{1,80}$/.test(name);
}

/** Null for anything that no hook wrote as the capture of this job. */
export function parseCapture(text: string, id: string): Capture | null {
  const capture = parsed(captureSchema, text);
  return capture?.id === id && isCopyOf(id, capture.copy) ? capture : null;
}

/** Null for anything that no worker wrote as the record of this job. */
export function parseRecord(text: string, id: string): JobRecord | null {
  const record = parsed(recordSchema, text) as JobRecord | null;
  const isWhole = record?.id === id && isCopyOf(id, record.copy) && isCopyOf(id, record.transcript);
  return isWhole ? record : null;
}

type AnySchema = typeof captureSchema | typeof recordSchema;

function parsed<S extends AnySchema>(schema: S, text: string): InferSchema<S> | null {
  return (schema.safeParse(jsonOrNull(text)).data as InferSchema<S> | undefined) ?? null;
}

/** Replaces the record of a job; a crash leaves the old one or the new one. */
export async function writeRecord(folders: QueueFolders, record: JobRecord): Promise<void> {
  const file = join(folders.records, `${record.id}.json`);
  await writeFileAtomically(file, `${JSON.stringify(bounded(record))}\n`);
}

function bounded(record: JobRecord): JobRecord {
  const { outcome } = record;
  if (outcome === null) return record;
  const { detail, error } = outcome;
  return {
    ...record,
    outcome: {
      ...outcome,
      ...(detail !== undefined && { detail: cut(detail, RECORD_TEXT_MAX_CHARS) }),
      ...(error !== undefined && {
        error: {
          code: error.code,
          message: cut(error.message, RECORD_TEXT_MAX_CHARS),
          hint: cut(error.hint, RECORD_TEXT_MAX_CHARS),
        },
      }),
    },
  };
}
