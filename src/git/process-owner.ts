/** Who opened a workspace, and whether that process still lives: pids are used again, so a start time goes with them. */
import { readFileSync, readlinkSync } from "node:fs";
import { hasCode } from "../core/errors.ts";
import { FOREIGN_WORKSPACE_MAX_AGE_MS } from "../core/limits.ts";

export interface ProcessOwner {
  readonly pid: number;
  /** Start of that process as the system counts it; only compared. */
  readonly started: string;
  /** Machine and, where there are such, pid namespace: pids mean something within one only. */
  readonly host: string;
  /** Milliseconds since 1970 when the workspace was opened. */
  readonly openedAtMs: number;
}

export function currentOwner(): ProcessOwner {
  const started = processStart(process.pid) ?? "0";
  return { pid: process.pid, started, host: currentHost(), openedAtMs: Date.now() };
}

/** One line, also the reason of the worktree's lock: `skillpr pid=… started=… host=… at=…`. */
export function formatOwner(owner: ProcessOwner): string {
  const { pid, started, host, openedAtMs } = owner;
  return `skillpr pid=${pid} started=${started} host=${host} at=${openedAtMs}`;
}

/** Null for anything that formatOwner didn't write: it is not ours. */
export function parseOwner(text: string): ProcessOwner | null {
  const match = /^skillpr pid=(\d{1,10}) started=(\d{1,20}) host=(\S{1,400}) at=(\d{1,15})$/.exec(
    text,
  );
  const [, pid, started, host, at] = match ?? [];
  if (!pid || !started || !host || !at) return null;
  return { pid: Number(pid), started, host, openedAtMs: Number(at) };
}

/** True when nobody uses what this owner opened. On another machine only its age can say that. */
export function isAbandoned(owner: ProcessOwner): boolean {
  if (owner.host !== currentHost()) {
    return Date.now() - owner.openedAtMs > FOREIGN_WORKSPACE_MAX_AGE_MS;
  }
  return processStart(owner.pid) !== owner.started;
}

/** Modules are loaded where they are needed: the hook's start is measured in milliseconds. */
function currentHost(): string {
  const name = encodeURIComponent(process.getBuiltinModule("node:os").hostname());
  if (process.platform !== "linux") return name;
  try {
    return `${name}/${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}`;
  } catch (error) {
    if (hasCode(error, "ENOENT", "EACCES", "EPERM")) return name;
    throw error;
  }
}

/** Digits that differ for two processes which had the same pid; null when there is no such process. */
export function processStart(pid: number): string | null {
  return process.platform === "linux" ? linuxStart(pid) : otherStart(pid);
}

/**
 * Milliseconds since a process started, by a clock that nobody sets where the system has one; null
 * when there is no such process, 0 where its start can't be told.
 */
export function processAgeMs(pid: number): number | null {
  const started = processStart(pid);
  if (started === null) return null;
  if (process.platform !== "linux") return started === "0" ? 0 : Date.now() - Number(started);
  const uptimeMs = 1000 * Number.parseFloat(readFileSync("/proc/uptime", "latin1"));
  // A container's uptime may be its own, and less than what its processes count from.
  return Math.max(0, uptimeMs - Number(started) * LINUX_TICK_MS);
}

/** Of the times in /proc, on every architecture that Node runs on. */
const LINUX_TICK_MS = 10;

function linuxStart(pid: number): string | null {
  try {
    // The name in parentheses may hold anything: fields count from behind the last `)`.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // State Z, X: killed, only its parent hasn't noticed. Field 22 of proc(5) is the start.
    return /^[ZX]/.test(fields[0] ?? "") ? null : (fields[19] ?? null);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ESRCH")) return null;
    throw error;
  }
}

function otherStart(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return null;
    if (!hasCode(error, "EPERM")) throw error; // EPERM: alive, somebody else's
  }
  if (process.platform === "win32") return "0"; // the pid alone decides
  const command = { encoding: "utf8", env: { LC_ALL: "C", PATH: "/bin:/usr/bin" } } as const;
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  const text = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], command);
  return String(Date.parse(text.trim()) || 0);
}
