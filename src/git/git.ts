/** The only file that starts git: fixed options, a clean environment, bounded time and output. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { hasCode, SkillprError } from "../core/errors.ts";
import {
  GIT_CALL_TIMEOUT_MS,
  GIT_KILL_GRACE_MS,
  GIT_OUTPUT_MAX_BYTES,
  GIT_STDERR_MAX_CHARS,
} from "../core/limits.ts";
import { cut, safeBlock } from "../core/text.ts";
import { childEnvironment } from "./child-environment.ts";

/** Options of every call, in front of the command. */
const FIXED_OPTIONS: readonly string[] = [
  "--literal-pathspecs", // a path is a path, `*` and `:(…)` included
  "--no-replace-objects", // ids mean their own objects
  ...[
    "core.hooksPath=/dev/null", // no hook of the user's: not post-checkout, not reference-transaction
    "core.fsmonitor=false", // no program that watches, no program that answers for it
    "core.protectHFS=true", // names that are `.git` on somebody else's disk are refused everywhere
    "core.protectNTFS=true",
    "gc.auto=0", // nothing runs on in the background after we are gone
    "maintenance.auto=false",
    "i18n.commitEncoding=UTF-8", // commit messages are what we wrote, whatever the user's encoding
    "worktree.useRelativePaths=false", // would write an extension into the user's config (git 2.48)
    "submodule.recurse=false",
  ].flatMap((setting) => ["-c", setting]),
];

/** Once the git folder is known: no folder shaped like a repository becomes one by being the cwd. */
const KNOWN_REPOSITORY_OPTIONS: readonly string[] = ["-c", "safe.bareRepository=explicit"];

const IS_POSIX = process.platform !== "win32";

/** Processes that lead a group of their own. */
const GROUPS = new WeakSet<ChildProcessWithoutNullStreams>();

export interface GitOptions {
  /** Absolute. Null only while a repository is being discovered from `cwd`. */
  readonly gitDir: string | null;
  /** A folder that no untrusted text can write to; normally the git folder. */
  readonly cwd: string;
  /** Where new objects go instead of the repository's store (a quarantine). */
  readonly objectDirectory?: string;
  /** Object stores that are read besides `objectDirectory`. */
  readonly alternates?: readonly string[];
  /** The user's work tree and index, for commands that mean them; default: neither is seen. */
  readonly workTree?: string;
  /** Ends running calls and refuses new ones. */
  readonly signal?: AbortSignal | undefined;
  /** Default true: objects that a partial clone left out are fetched when they are read. */
  readonly lazyFetch?: boolean;
  readonly timeoutMs?: number;
}

export interface RunOptions {
  readonly input?: Uint8Array | string;
  /** Exit codes that are answers; default 0 only. */
  readonly okCodes?: readonly number[];
  /** Variables for this call on top of the clean environment, e.g. a commit's identity. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface GitResult {
  readonly stdout: Buffer;
  /** Escaped for a terminal, and cut. */
  readonly stderr: string;
  readonly code: number;
}

export class Git {
  readonly options: GitOptions;
  readonly #environment: Record<string, string>;

  constructor(options: GitOptions) {
    this.options = options;
    this.#environment = childEnvironment(process.env, options);
  }

  /** The same repository under other circumstances, e.g. `git.with(workspace.quarantine)`. */
  with(overrides: Partial<GitOptions>): Git {
    return new Git({ ...this.options, ...overrides });
  }

  /**
   * One git command, never through a shell.
   * @param args constants and validated values; foreign text only behind `--end-of-options` or `--`
   * @throws SkillprError `git` when it fails, hangs or answers too much; `interrupted` on abort
   */
  async run(args: readonly string[], options: RunOptions = {}): Promise<GitResult> {
    const child = this.start(args, options.env);
    const end = await this.#collect(child, options.input);
    if (end.stopped === "abort") throw interrupted(args);
    if (end.stopped !== null) {
      throw new SkillprError(
        "git",
        `git ${commandOf(args)} ${end.stopped === "time" ? "did not finish in time" : "answered more than the limit"}`,
        "Run the command in the repository by hand to see what keeps it, then try again.",
      );
    }
    if (end.error !== null) throw startFailure(end.error, this.options.cwd);
    const code = end.code ?? -1;
    const stderr = foreign(end.stderr);
    if ((options.okCodes ?? [0]).includes(code)) return { stdout: end.stdout, stderr, code };
    throw gitFailure(args, code, stderr);
  }

  /** Like `run`; stdout as UTF-8 without one final newline. */
  async text(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { stdout } = await this.run(args, options);
    return stdout.toString("utf8").replace(/\n$/, "");
  }

  /**
   * Starts a git process and leaves its streams to the caller (ObjectReader). The caller ends it.
   * @throws SkillprError `interrupted` when the signal has fired already
   */
  start(args: readonly string[], env?: Readonly<Record<string, string>>) {
    if (this.options.signal?.aborted === true) throw interrupted(args);
    const fixed = this.options.gitDir === null ? [] : KNOWN_REPOSITORY_OPTIONS;
    // With a signal: a group of its own, which an abort ends with its helpers, and which a Ctrl-C
    // doesn't reach before us. Without one nobody would end it, so that it goes with our group.
    const isGroup = IS_POSIX && this.options.signal !== undefined;
    const child = spawn("git", [...FIXED_OPTIONS, ...fixed, ...args], {
      cwd: this.options.cwd,
      env: { ...this.#environment, ...env },
      stdio: "pipe",
      detached: isGroup,
      windowsHide: true,
    });
    if (isGroup) GROUPS.add(child);
    return child;
  }

  #collect(child: ChildProcessWithoutNullStreams, input: Uint8Array | string | undefined) {
    return new Promise<Ending>((resolve) => {
      const chunks: Buffer[] = [];
      let stderr = "";
      let size = 0;
      let stopped: Ending["stopped"] = null;
      const stop = (reason: Ending["stopped"]) => {
        if (stopped !== null) return;
        stopped = reason;
        stopProcess(child);
      };
      const onAbort = () => stop("abort");
      const timer = setTimeout(() => stop("time"), this.options.timeoutMs ?? GIT_CALL_TIMEOUT_MS);
      this.options.signal?.addEventListener("abort", onAbort, { once: true });
      const end = (code: number | null, error: Error | null) => {
        clearTimeout(timer);
        this.options.signal?.removeEventListener("abort", onAbort);
        resolve({ stdout: Buffer.concat(chunks, size), stderr, code, stopped, error });
      };
      child.stdout.on("data", (chunk: Buffer) => {
        if (stopped !== null) return;
        if (size + chunk.length > GIT_OUTPUT_MAX_BYTES) return stop("output");
        size += chunk.length;
        chunks.push(chunk);
      });
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        if (stderr.length < GIT_STDERR_MAX_CHARS) stderr += chunk;
      });
      child.once("error", (error) => end(null, error));
      child.once("close", (code) => end(code, null));
      // EPIPE: git ended without reading everything; its exit code says why.
      child.stdin.on("error", () => {});
      child.stdin.end(input);
    });
  }
}

interface Ending {
  stdout: Buffer;
  stderr: string;
  code: number | null;
  stopped: "time" | "output" | "abort" | null;
  error: Error | null;
}

/**
 * Ends a process started by `Git.start`, with its helpers if it leads a group: politely (git removes
 * its locks), then for good.
 */
export function stopProcess(child: ChildProcessWithoutNullStreams): void {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const isGroup = GROUPS.has(child);
  const send = (signal: "SIGTERM" | "SIGKILL") => {
    try {
      process.kill(isGroup ? -pid : pid, signal);
    } catch (error) {
      if (!hasCode(error, "ESRCH")) throw error; // gone meanwhile is what we want
    }
  };
  send("SIGTERM");
  const timer = setTimeout(() => send("SIGKILL"), GIT_KILL_GRACE_MS);
  child.once("close", () => clearTimeout(timer));
  if (isGroup) return;
  // A helper that lives on would keep our ends of the pipes open, and us waiting.
  child.once("exit", () => {
    child.stdout.destroy();
    child.stderr.destroy();
  });
}

/** What git said, fit for an error message. */
export function foreign(stderr: string): string {
  return safeBlock(cut(stderr.trim(), GIT_STDERR_MAX_CHARS));
}

function commandOf(args: readonly string[]): string {
  const start = args.findIndex((arg, index) => !arg.startsWith("-") && args[index - 1] !== "-c");
  return args[start] ?? args.join(" ");
}

/** The error of a call that ended with an unexpected code. */
export function gitFailure(args: readonly string[], code: number, stderr: string): SkillprError {
  const said = stderr === "" ? `it ended with code ${code} and said nothing` : stderr;
  return new SkillprError(
    "git",
    `git ${commandOf(args)} failed: ${said}`,
    "Check the repository with `git fsck` and `git status`, then try again.",
    { cause: { args, code, stderr } },
  );
}

export function interrupted(args: readonly string[]): SkillprError {
  return new SkillprError("interrupted", `stopped during git ${commandOf(args)}`, "Run it again.");
}

/** The error of a process that could not be started at all. */
export function startFailure(error: Error, cwd: string): SkillprError {
  if (!existsSync(cwd)) {
    const hint = "It was there when skillpr started; run it again in a folder that exists.";
    return new SkillprError("git", `the folder ${cwd} is gone`, hint, { cause: error });
  }
  const message = hasCode(error, "ENOENT") ? "git was not found" : "git could not be started";
  return new SkillprError("git", message, "Install git and make sure it is on the PATH.", {
    cause: error,
  });
}
