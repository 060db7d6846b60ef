import { GIT_STDERR_MAX_CHARS } from "../core/limits.ts";
import { foreign, type Git, startFailure, stopProcess } from "./git.ts";

export interface Collected {
  /** At most the bytes asked for. */
  readonly stdout: Buffer;
  /** Escaped for a terminal, and cut. */
  readonly stderr: string;
  /** -1 when it was ended before it was done. */
  readonly code: number;
  readonly end: "done" | "cut" | "time" | "stopped";
}

/**
 * One git command of whose output only the beginning is wanted: it is ended as soon as that is here.
 *
 * @param args constants and validated values
 * @param bounds `signal` ends it; what it answered until then is kept
 * @throws SkillprError `git` when git can't be started
 */
export function collectOutput(
  git: Git,
  args: readonly string[],
  maxBytes: number,
  bounds: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
): Promise<Collected> {
  const child = git.start(args);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let stderr = "";
    let size = 0;
    let end: Collected["end"] = "done";
    const stop = (reason: Collected["end"]) => {
      if (end !== "done") return;
      end = reason;
      stopProcess(child);
    };
    const onAbort = () => stop("stopped");
    const signals = [bounds.signal, git.options.signal].filter((one) => one !== undefined);
    for (const signal of signals) signal.addEventListener("abort", onAbort, { once: true });
    if (signals.some(({ aborted }) => aborted)) onAbort();
    const timer =
      bounds.timeoutMs === undefined ? undefined : setTimeout(() => stop("time"), bounds.timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      if (end !== "done") return;
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size > maxBytes) stop("cut");
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      if (stderr.length < GIT_STDERR_MAX_CHARS) stderr += chunk;
    });
    const release = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", onAbort);
    };
    child.once("error", (error) => {
      release();
      reject(startFailure(error, git.options.cwd));
    });
    child.once("close", (code) => {
      release();
      const stdout = Buffer.concat(chunks);
      resolve({ stdout, stderr: foreign(stderr), code: code ?? -1, end });
    });
    child.stdin.on("error", () => {}); // git ended without reading
    child.stdin.end();
  });
}
