/** `skillpr hook` as an agent runs it, and what lies in the queue afterwards. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readCapture } from "../../src/hook/capture-file.ts";
import { type Capture, type QueueFolders, queueFolders } from "../../src/hook/queue-files.ts";
import { type LogEntry, readLog } from "../../src/hook/queue-log.ts";
import { type CliOptions, type CliResult, runCli } from "./built-cli.ts";
import type { TemporaryRepository } from "./temp-repository.ts";

type Place = Pick<TemporaryRepository, "dir" | "env" | "tempRoot" | "home">;

export interface HookMessage {
  readonly session_id?: string;
  readonly transcript_path?: string;
  readonly cwd?: string;
  readonly hook_event_name?: string;
  readonly [more: string]: unknown;
}

/** Writes a transcript where Qwen Code would, and the message about it. */
export function endedSession(place: Place, id: string, transcript = `${id}\n`): HookMessage {
  const folder = join(place.home, ".qwen/projects/-project/chats");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), transcript);
  return {
    session_id: id,
    transcript_path: join(folder, `${id}.jsonl`),
    cwd: place.dir,
    hook_event_name: "SessionEnd",
    timestamp: "2026-01-02T12:00:00.000Z",
    reason: "prompt_input_exit",
  };
}

/** Runs the hook without a worker; `message` is what stands on its stdin. */
export function runHook(
  place: Place,
  message: HookMessage | string,
  options: CliOptions & { readonly flags?: readonly string[] } = {},
): Promise<CliResult> {
  const input = typeof message === "string" ? message : JSON.stringify(message);
  const env = { SKILLPR_WORKER: "off", ...options.env };
  return runCli(place, ["hook", ...(options.flags ?? [])], { ...options, input, env });
}

/** The same, and what every hook must do: say nothing and exit with 0. */
export async function expectSilent(...run: Parameters<typeof runHook>): Promise<void> {
  const { code, signal, stdout, stderr } = await runHook(...run);
  expect({ code, signal, stdout, stderr }).toEqual({
    code: 0,
    signal: null,
    stdout: "",
    stderr: "",
  });
}

export interface QueuedJob extends Capture {
  readonly transcript: string;
}

export function foldersIn(commonDir: string): QueueFolders {
  return queueFolders(join(commonDir, "skillpr"));
}

/** Every job, each with its whole copy; fails on a capture that is damaged or names no copy. */
export function jobsIn(commonDir: string): QueuedJob[] {
  const folders = foldersIn(commonDir);
  if (!existsSync(folders.captured)) return [];
  const names = readdirSync(folders.captured).filter((name) => !name.startsWith("."));
  return names.map((name) => {
    const capture = readCapture(folders, name.replace(/\.json$/, ""));
    if (capture === null) throw new Error(`${name} is damaged`);
    const transcript = readFileSync(join(folders.transcripts, capture.copy), "utf8");
    expect(Buffer.byteLength(transcript)).toBe(capture.size);
    return { ...capture, transcript };
  });
}

/** What the hook wrote to the queue's log and to the user's. */
export function logOf(place: Place, commonDir = join(place.dir, ".git")): LogEntry[] {
  const userLog = join(place.home, ".local/state/skillpr/hook.log.jsonl");
  return readLog({ queueLog: foldersIn(commonDir).log, userLog }, commonDir);
}

/** Gives a hook its message, and waits for its end: it says nothing and exits with 0. */
export async function expectSilentChild(child: ChildProcess, message: HookMessage): Promise<void> {
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => said.push(chunk));
  child.stdin?.end(JSON.stringify(message));
  expect(await once(child, "close")).toEqual([0, null]);
  expect(Buffer.concat(said).toString()).toBe("");
}

/** The hook by itself, for tests that hold its stdin or give flags to node. */
export function spawnHook(place: Place, args: readonly string[], env = {}): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [...args, "hook"], {
    cwd: place.dir,
    env: { PATH, HOME: place.home, SKILLPR_WORKER: "off", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}
