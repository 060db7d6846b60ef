/** What an agent hands to its hook: one JSON object on stdin. Nothing in it is trusted. */
import { fstatSync, readSync } from "node:fs";
import { hasCode } from "../core/errors.ts";
import {
  HOOK_PAYLOAD_MAX_BYTES,
  HOOK_SESSION_ID_MAX_CHARS,
  HOOK_STDIN_CHUNK_BYTES,
  HOOK_STDIN_PAUSE_MS,
  HOOK_STDIN_WAIT_MS,
} from "../core/limits.ts";
import { withBinding } from "./node-binding.ts";
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

/** What came on stdin, or why it can't be used, for people. */
export type Input = { readonly text: string } | { readonly problem: string };

/**
 * Everything on a file descriptor, up to its end or the end of the first whole JSON object: an
 * agent may keep the stream open. Read synchronously, because a stream costs start-up time; and
 * without waiting longer than HOOK_STDIN_WAIT_MS for an agent that opens it and stays silent.
 */
export function readInput(descriptor = 0): Input {
  const info = fstatSync(descriptor);
  if (info.isCharacterDevice() && isTerminal(descriptor)) return { text: "" };
  if (info.isSocket() || info.isFIFO()) stopBlocking(descriptor);
  return readMessage(descriptor);
}

function readMessage(descriptor: number): Input {
  const stopAt = Date.now() + HOOK_STDIN_WAIT_MS;
  let buffer: Buffer = Buffer.allocUnsafe(HOOK_STDIN_CHUNK_BYTES);
  let size = 0;
  for (;;) {
    const count = readChunk(descriptor, buffer, size, stopAt);
    if (count === null) return { problem: SILENT };
    if (count === 0) return { text: buffer.toString("utf8", 0, size) };
    size += count;
    if (size > HOOK_PAYLOAD_MAX_BYTES) return { problem: TOO_LARGE };
    const text = endsLikeObject(buffer, size) ? buffer.toString("utf8", 0, size) : null;
    if (text !== null && parsePayload(text) !== null) return { text };
    if (size === buffer.length) buffer = larger(buffer);
  }
}

const TOO_LARGE = "the agent's message on stdin is too large";
const SILENT = `the agent's message on stdin didn't come, or not whole, in ${HOOK_STDIN_WAIT_MS} ms`;

/** Somebody who tries the command by hand; nothing will come. */
function isTerminal(descriptor: number): boolean {
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

/**
 * Makes reads say EAGAIN instead of waiting: opening it as a pipe does, and nothing else that Node has.
 * On Windows a pipe that was opened like that can't be read synchronously any more.
 */
function stopBlocking(descriptor: number): void {
  if (process.platform === "win32") return;
  if (withBinding("pipe_wrap", ({ Pipe }) => new Pipe(0).open(descriptor))) return;
  const { Socket } = process.getBuiltinModule("node:net");
  // `manualStart`, as process.stdin has it: it reads nothing by itself.
  const options = { fd: descriptor, readable: true, writable: false, manualStart: true };
  new Socket(options);
}

/** @returns null when nothing came in time */
function readChunk(
  descriptor: number,
  buffer: Buffer,
  offset: number,
  stopAt: number,
): number | null {
  for (;;) {
    try {
      return readSync(descriptor, buffer, offset, buffer.length - offset, null);
    } catch (error) {
      if (hasCode(error, "EOF")) return 0; // Windows: the other end of the pipe is closed
      if (!hasCode(error, "EAGAIN")) throw error;
      if (Date.now() > stopAt) return null;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HOOK_STDIN_PAUSE_MS);
    }
  }
}

/** One byte more than allowed tells that there is more. */
function larger(buffer: Buffer): Buffer {
  const size = Math.min(4 * buffer.length, HOOK_PAYLOAD_MAX_BYTES + 1);
  return Buffer.concat([buffer], size);
}

/** True when the last character that isn't white space is a closing brace. */
function endsLikeObject(buffer: Buffer, size: number): boolean {
  for (let at = size - 1; at >= 0; at--) {
    const byte = buffer[at];
    if (byte === 0x7d) return true;
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return false;
  }
  return false;
}
