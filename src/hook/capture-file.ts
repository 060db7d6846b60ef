/** Captures on the hook's path: read by hand, because a schema takes longer to load than the hook may run. */
import { join } from "node:path";
import { CAPTURE_MAX_BYTES } from "../core/limits.ts";
import { type StagedFile, stageText } from "./private-file.ts";
import type { Capture, QueueFolders } from "./queue-files.ts";
import { readSmallJson } from "./small-file.ts";

/** A name in `transcripts/` as captures use them: nothing that leads elsewhere. */
const COPY_NAME = /^[0-9a-f]{16}-[0-9a-f]{12}$/;

/** The newest capture of a session; null when there is none, or a damaged one. */
export function readCapture(folders: QueueFolders, id: string): Capture | null {
  const fields = readSmallJson(join(folders.captured, `${id}.json`), CAPTURE_MAX_BYTES);
  if (fields === null || fields["version"] !== 1 || fields["id"] !== id) return null;
  const read = (name: keyof Capture) => (typeof fields[name] === "string" ? fields[name] : null);
  const [sessionId, event, cwd] = [read("sessionId"), read("event"), read("cwd")];
  const [transcriptPath, copy] = [read("transcriptPath"), read("copy")];
  const [capturedAt, due, size] = [read("capturedAt"), read("due"), fields["size"]];
  if (sessionId === null || event === null || cwd === null || transcriptPath === null) return null;
  if (copy === null || !COPY_NAME.test(copy) || typeof size !== "number") return null;
  if (capturedAt === null || due === null || Number.isNaN(Date.parse(due))) return null;
  const agent = read("agent");
  return {
    version: 1,
    id,
    sessionId,
    agent,
    event,
    transcriptPath,
    copy,
    size,
    cwd,
    capturedAt,
    due,
  };
}

/** Writes what will replace the session's capture whole. */
export function stageCapture(folders: QueueFolders, capture: Capture): StagedFile {
  return stageText(folders.captured, `${capture.id}.json`, `${JSON.stringify(capture)}\n`);
}
