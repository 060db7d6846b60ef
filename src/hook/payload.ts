/** What an agent hands to its hook: one JSON object on stdin. Nothing in it is trusted. */
import { fstatSync, readSync } from "node:fs";
import { hasCode } from "../core/errors.ts";
import {
  HOOK_PAYLOAD_MAX_BYTES,
  HOOK_SESSION_ID_MAX_CHARS,
  HOOK_STDIN_PAUSE_MS,
  HOOK_STDIN_WAIT_MS,
} from "../core/limits.ts";
import { parseJsonObject } from "./small-file.ts";

/** What is used of it; a field that is missing or no text is empty. */
export interface Payload {
  readonly event: string;
  readonly sessionId: string;
  readonly transcriptPath: string;
  readonly cwd: string;
  /** A sub-agent's hook, as its payload says. */
  readonly isSubagent: boolean;
}

/** @returns null when the text is no JSON object */
export function parsePayload(text: string): Payload | null {
  const fields = parseJsonObject(text.replace(/^\ufeff/, ""));
  if (fields === null) return null;
  const read = (name: string) => {
    const value = fields[name];
    return typeof value === "string" ? value : "";
  };
  const event = read("hook_event_name");
  const agentId = fields["agent_id"];
  return {
    event,
    sessionId: read("session_id").slice(0, HOOK_SESSION_ID_MAX_CHARS),
    transcriptPath: read("transcript_path"),
    cwd: read("cwd"),
    isSubagent: event.startsWith("Subagent") || (agentId !== undefined && agentId !== null),
  };
}

/**
 * Everything on a file descriptor, up to its end or the end of the first whole JSON object: an
 * agent may keep the stream open. Read synchronously, because a stream costs start-up time.
 * @returns null when it is larger than HOOK_PAYLOAD_MAX_BYTES
 */
export function readInput(descriptor = 0): string | null {
  if (isTerminal(descriptor)) return "";
  // One byte more than allowed tells that there is more.
  const buffer = Buffer.allocUnsafe(HOOK_PAYLOAD_MAX_BYTES + 1);
  let size = 0;
  while (size < buffer.length) {
    const count = readChunk(descriptor, buffer, size);
    if (count === 0) return buffer.toString("utf8", 0, size);
    size += count;
    const text = endsLikeObject(buffer, size) ? buffer.toString("utf8", 0, size) : null;
    if (text !== null && size < buffer.length && parsePayload(text) !== null) return text;
  }
  return null;
}

/** Somebody who tries the command by hand; nothing will come. */
function isTerminal(descriptor: number): boolean {
  if (!fstatSync(descriptor).isCharacterDevice()) return false;
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

function readChunk(descriptor: number, buffer: Buffer, offset: number): number {
  const stopAt = Date.now() + HOOK_STDIN_WAIT_MS;
  for (;;) {
    try {
      return readSync(descriptor, buffer, offset, buffer.length - offset, null);
    } catch (error) {
      if (hasCode(error, "EOF")) return 0; // Windows: the other end of the pipe is closed
      // A stdin that somebody set to non-blocking and has not written to yet.
      if (!hasCode(error, "EAGAIN") || Date.now() > stopAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HOOK_STDIN_PAUSE_MS);
    }
  }
}

function endsLikeObject(buffer: Buffer, size: number): boolean {
  return /\}\s*$/.test(buffer.toString("latin1", Math.max(0, size - 4), size));
}
