/** verify() with the files shared out among threads: the same findings, sooner. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import * as limits from "../core/limits.ts";
import type { VerifyInput } from "../verify/change.ts";
import type { Finding } from "../verify/finding.ts";
import { openVerification } from "../verify/verify.ts";
import { FileShares } from "./file-shares.ts";
import { type FileFindings, type FileWork, packFiles } from "./file-work.ts";

interface Thread {
  readonly worker: Worker;
  /** Empty when it ended without an answer. */
  readonly answer: Promise<FileFindings>;
  hasAnswered: boolean;
}

/** In the built program it lies beside it; where only the sources are, one thread does it all. */
const WORKER_FILE = new URL("./verify-thread.js", import.meta.url);

export class VerifyThreads implements AsyncDisposable {
  readonly #threads: Thread[] = [];
  readonly #workerFile: URL;

  private constructor(workerFile: URL) {
    this.#workerFile = workerFile;
  }

  /**
   * Starts as many threads as so many changed files are worth; few files are worth none. They load their code while the
   * caller reads the objects.
   * @param options.others how many beside this one; default: for the processors that are there
   */
  static start(
    files: number,
    options: { readonly workerFile?: URL; readonly others?: number } = {},
  ): VerifyThreads {
    const { workerFile = WORKER_FILE, others = othersFor(files) } = options;
    const threads = new VerifyThreads(workerFile);
    threads.#startUpTo(others);
    return threads;
  }

  /** There are so many files after all: starts the threads that are missing. */
  expect(files: number): void {
    this.#startUpTo(othersFor(files));
  }

  #startUpTo(others: number): void {
    if (others <= this.#threads.length || !existsSync(this.#workerFile)) return;
    while (this.#threads.length < others) this.#threads.push(startThread(this.#workerFile));
  }

  /**
   * As verify(). What a thread that failed has taken is checked here, so that nothing is lost; if a rule is what failed,
   * it fails here again, and is heard.
   */
  async verify(input: VerifyInput): Promise<Finding[]> {
    const shares = this.#giveOut(input);
    const { files, finish } = openVerification(input);
    const found = new Map<number, Finding[]>();
    const me = this.#threads.length;
    const mine = shares ?? FileShares.create(files.count, me + 1);
    for (const file of mine.take(me)) found.set(file, files.check(file));
    // One that is still loading took nothing, and nothing is left for it.
    const busy = this.#threads.filter((_, thread) => mine.hasTaken(thread));
    for (const answer of await Promise.all(busy.map(({ answer }) => answer)))
      for (const [file, findings] of answer) found.set(file, findings);
    return finish(
      Array.from({ length: files.count }, (_, file) => found.get(file) ?? files.check(file)),
    );
  }

  /** One that answered ends by itself, and nobody waits until its heap is torn down. */
  async [Symbol.asyncDispose](): Promise<void> {
    const others = this.#threads.filter(({ hasAnswered }) => !hasAnswered);
    await Promise.all(others.map(({ worker }) => worker.terminate()));
  }

  /** Null when there is nobody to give it to, or it is too much to be held in memory twice. */
  #giveOut(input: VerifyInput): FileShares | null {
    if (this.#threads.length === 0) return null;
    const packed = packFiles(input);
    if (packed === null) return null;
    const shares = FileShares.create(packed.input.changes.length, this.#threads.length + 1);
    for (const [thread, { worker }] of this.#threads.entries()) {
      const work: FileWork = { ...packed, shares: shares.memory, thread };
      worker.postMessage(work);
    }
    return shares;
  }
}

function othersFor(files: number): number {
  const worth = Math.floor(files / limits.VERIFY_FILES_PER_THREAD_MIN);
  return Math.max(0, Math.min(availableParallelism(), limits.VERIFY_THREADS_MAX, worth) - 1);
}

function startThread(file: URL): Thread {
  const worker = new Worker(file, {
    env: {},
    execArgv: [],
    argv: [],
    // Why one failed is told by the thread that does its work again.
    stdout: true,
    stderr: true,
  });
  const answer = new Promise<FileFindings>((resolve) => {
    const nothing = () => resolve(new Map());
    worker.once("message", (findings: FileFindings) => {
      thread.hasAnswered = true;
      worker.unref();
      resolve(findings);
    });
    worker.once("messageerror", nothing);
    worker.once("error", nothing);
    worker.once("exit", nothing);
  });
  const thread: Thread = { worker, answer, hasAnswered: false };
  return thread;
}
