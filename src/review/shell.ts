/**
 * The shell of a review: bash's language and the usual reading commands, written in JavaScript, over
 * the file view. No process of the host is started. Each command line runs in a thread of its own
 * (shell-worker.mjs), because a regular expression or a loop that runs on can't be stopped otherwise.
 */
import { posix } from "node:path";
import { Worker } from "node:worker_threads";
import * as limits from "../core/limits.ts";
import type { FileView } from "./file-view.ts";
import { pathBelow } from "./paths.ts";
import type { ProjectHistory } from "./project.ts";
import { redactGitOutput } from "./redact-lines.ts";
import { ShellFileError, ShellFiles } from "./shell-files.ts";

export interface ShellResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** What ended it: itself, the clock, the memory bound, or the signal. */
  readonly end: "done" | "time" | "memory" | "stopped";
  /** Paths that something was to be written to. */
  readonly refusedWrites: readonly string[];
  /** Why files that are there could not be read, by path. */
  readonly unread: ReadonlyMap<string, string>;
  /** Files that `cat` gave out. */
  readonly shownFiles: readonly string[];
}

/** Commands of the library that only read, or whose writing the file system refuses. */
export const SHELL_COMMANDS: readonly string[] = [
  ...["awk", "base64", "basename", "bash", "cat", "column", "comm", "cut", "date", "diff"],
  ...["dirname", "du", "echo", "egrep", "env", "expand", "expr", "false", "fgrep", "file", "find"],
  ...["fold", "grep", "head", "join", "jq", "ls", "md5sum", "nl", "od", "paste", "printenv"],
  ...["printf", "pwd", "readlink", "rev", "sed", "seq", "sh", "sha256sum", "sort", "stat"],
  ...["strings", "tac", "tail", "tr", "tree", "true", "uniq", "wc", "which", "xargs", "yq"],
];
/** Commands that models try, with a sentence instead of `command not found`. */
const REFUSED_COMMANDS: readonly string[] = [
  ...["chmod", "chown", "cp", "curl", "dd", "install", "ln", "make", "mkdir", "mv", "node"],
  ...["npm", "npx", "perl", "pip", "python", "python3", "rm", "rmdir", "rsync", "ssh", "sudo"],
  ...["tee", "touch", "truncate", "wget"],
];

const WORKER_LIMITS = {
  maxExecutionTimeMs: limits.SHELL_TIMEOUT_MS,
  maxCommandCount: limits.SHELL_COMMANDS_MAX,
  maxLoopIterations: limits.SHELL_LOOPS_MAX,
  maxAwkIterations: limits.SHELL_LOOPS_MAX,
  maxSedIterations: limits.SHELL_LOOPS_MAX,
  maxJqIterations: limits.SHELL_LOOPS_MAX,
  maxOutputSize: limits.SHELL_OUTPUT_MAX_BYTES,
  maxStringLength: limits.SHELL_STRING_MAX_BYTES,
  maxHeredocSize: limits.SHELL_STRING_MAX_BYTES,
};

type Ending = Pick<ShellResult, "stdout" | "stderr" | "exitCode" | "end">;

type Message =
  | { kind: "question"; id: number; what: string; args: unknown[] }
  | ({ kind: "result" } & Pick<ShellResult, "stdout" | "stderr" | "exitCode">);

/**
 * Runs one command line from the project's root.
 * @param signal ends it at once
 */
export async function runShell(
  command: string,
  { view, history }: { readonly view: FileView; readonly history: ProjectHistory },
  signal: AbortSignal,
): Promise<ShellResult> {
  const files = new ShellFiles(view);
  const stop = new AbortController();
  const worker = startWorker(command, view.root);
  try {
    const result = await new Promise<Ending>((resolve, reject) => {
      const endedBy = (end: ShellResult["end"]) =>
        resolve({ stdout: "", stderr: "", exitCode: 124, end });
      const timer = setTimeout(
        () => endedBy("time"),
        limits.SHELL_TIMEOUT_MS + limits.SHELL_KILL_GRACE_MS,
      );
      const onAbort = () => endedBy("stopped");
      if (signal.aborted) onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      stop.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      });
      worker.on("error", (error) =>
        "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? endedBy("memory")
          : reject(error),
      );
      worker.on("message", (message: Message) => {
        if (message.kind === "result") return resolve({ ...message, end: "done" });
        const asked = answerQuestion(message, files, { view, history }, stop.signal);
        asked.then((reply) => worker.postMessage({ id: message.id, ...reply }), reject);
      });
    });
    const { refusedWrites, unread, shownFiles } = files;
    return { ...result, refusedWrites: [...refusedWrites], unread, shownFiles: [...shownFiles] };
  } finally {
    stop.abort();
    await worker.terminate();
  }
}

function startWorker(command: string, cwd: string): Worker {
  const workerData = {
    command,
    cwd,
    limits: WORKER_LIMITS,
    commands: SHELL_COMMANDS,
    refusedCommands: REFUSED_COMMANDS,
  };
  return new Worker(new URL("./shell-worker.mjs", import.meta.url), {
    workerData,
    env: {},
    execArgv: [],
    argv: [],
    // What the library might print is not for our terminal.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: limits.SHELL_HEAP_MAX_MB },
  });
}

type Reply = { value: unknown } | { error: { message: string; code: string } };

/** @throws what is no answer of the file system: a failure of git or a bug */
async function answerQuestion(
  { what, args }: { what: string; args: unknown[] },
  files: ShellFiles,
  { view, history }: { view: FileView; history: ProjectHistory },
  signal: AbortSignal,
): Promise<Reply> {
  const [first, second] = args;
  if (what === "git") {
    const words = Array.isArray(first) ? first.map(String) : [];
    const fromRoot = await pathsFromRoot(words, String(second), view);
    const { stdout, stderr, exitCode, files } = await history.run(fromRoot, signal);
    // Whole, before a pipe or the answer's bound cuts a secret in two.
    const clean = await redactGitOutput(stdout, view.redact, files);
    return { value: { stdout: clean, stderr: await view.redact(stderr), exitCode } };
  }
  const ask = FILE_QUESTIONS[what];
  if (ask === undefined) throw new Error(`the shell asked for ${what}`);
  try {
    return { value: await ask(files, String(first)) };
  } catch (error) {
    if (error instanceof ShellFileError)
      return { error: { message: error.message, code: error.code } };
    throw error;
  }
}

/** The questions that the shell's thread may ask of the file system; there are no others. */
const FILE_QUESTIONS: Readonly<
  Record<string, (files: ShellFiles, path: string) => Promise<unknown>>
> = {
  exists: (files, path) => files.exists(path),
  stat: (files, path) => files.stat(path),
  lstat: (files, path) => files.lstat(path),
  readdir: (files, path) => files.readdir(path),
  readdirWithFileTypes: (files, path) => files.readdirWithFileTypes(path),
  readlink: (files, path) => files.readlink(path),
  realpath: (files, path) => files.realpath(path),
  readFileBuffer: (files, path) => files.readFileBuffer(path),
  writeFile: (files, path) => files.writeFile(path),
  appendFile: (files, path) => files.appendFile(path),
  change: (files, path) => files.change(path),
  shown: (files, path) => files.shown(path),
};

/**
 * Git's arguments with paths from the project's root, which is the only folder that history knows:
 * what follows `--`, and what names something in the view.
 */
async function pathsFromRoot(
  args: readonly string[],
  cwd: string,
  view: FileView,
): Promise<string[]> {
  const separator = args.indexOf("--");
  const translated = args.map(async (arg, index) => {
    const isPath = separator !== -1 && index > separator;
    if (!isPath && (index === 0 || arg.startsWith("-"))) return arg;
    const absolute = posix.resolve(cwd, arg);
    const below = pathBelow(view.root, absolute);
    if (below === null || arg.includes("\0")) return arg;
    return isPath || (await view.kindOf(absolute)) !== null ? below : arg;
  });
  return Promise.all(translated);
}
