/** The `cat-file` process behind object readers: questions go in, answers come in their order. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { SkillprError } from "../core/errors.ts";
import { GIT_CALL_TIMEOUT_MS, GIT_OUTPUT_MAX_BYTES, GIT_STDERR_MAX_CHARS } from "../core/limits.ts";
import { cut } from "../core/text.ts";
import { ByteQueue } from "./byte-queue.ts";
import { foreign, type Git, gitFailure, interrupted, startFailure, stopProcess } from "./git.ts";

export interface ObjectInfo {
  readonly id: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** `bytes` is empty where only type and size were asked for. */
export interface Answer extends ObjectInfo {
  readonly bytes: Buffer;
}

const NO_BYTES = Buffer.alloc(0);

interface Request {
  readonly hasContents: boolean;
  readonly resolve: (answer: Answer | null) => void;
  readonly reject: (error: Error) => void;
}

/** With `--buffer` git answers when it is told to: else each answer would wake both processes. */
const COMMAND = ["cat-file", "--batch-command", "--buffer"];

/**
 * Of each Git, the process that its open readers share. An id names the same object for ever and git looks for what is
 * new when it doesn't know one, so that it doesn't matter who started the process, and when.
 */
const SHARED = new WeakMap<Git, ObjectProcess>();

export class ObjectProcess {
  readonly #git: Git;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #requests: Request[] = [];
  #users = 0;
  #failure: Error | null = null;
  #stderr = "";
  /** Questions of this tick. */
  #unsent = "";
  readonly #arrived = new ByteQueue();
  /** Header of the object whose contents are arriving. */
  #header: ObjectInfo | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** The running process of the same Git, else a new one; whoever takes it gives it back with `release`. */
  static take(git: Git): ObjectProcess {
    const running = SHARED.get(git);
    const taken = running === undefined || running.hasEnded ? new ObjectProcess(git) : running;
    SHARED.set(git, taken);
    taken.#users += 1;
    return taken;
  }

  private constructor(git: Git) {
    this.#git = git;
    this.#child = this.#start();
  }

  /** It failed or was ended: every question is refused. */
  get hasEnded(): boolean {
    return this.#failure !== null;
  }

  /**
   * @param spec an object id or another name of an object
   * @returns null when there is no such object
   * @throws SkillprError `git` when git fails or the object is beyond GIT_OUTPUT_MAX_BYTES; `interrupted`
   */
  ask(command: "contents" | "info", spec: string): Promise<Answer | null> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#failure);
      this.#requests.push({ hasContents: command === "contents", resolve, reject });
      if (this.#requests.length === 1) this.#watch();
      if (this.#unsent === "") process.nextTick(() => this.#send());
      this.#unsent += `${command} ${spec}\n`;
    });
  }

  /**
   * Many questions as one, answered in their order: a promise for each would cost more than the answer.
   * @throws as `ask`
   */
  askAll(command: "contents" | "info", specs: readonly string[]): Promise<(Answer | null)[]> {
    return new Promise((resolve, reject) => {
      const answers: (Answer | null)[] = [];
      if (this.#failure !== null) return reject(this.#failure);
      if (specs.length === 0) return resolve(answers);
      const onAnswer = (answer: Answer | null) => {
        if (answers.push(answer) === specs.length) resolve(answers);
      };
      const request: Request = { hasContents: command === "contents", resolve: onAnswer, reject };
      if (this.#requests.length === 0) this.#watch();
      for (const _ of specs) this.#requests.push(request);
      if (this.#unsent === "") process.nextTick(() => this.#send());
      this.#unsent += specs.map((spec) => `${command} ${spec}\n`).join("");
    });
  }

  /** Ends the process when nobody else uses it, and waits until it is gone. */
  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    const child = this.#child;
    this.#failure ??= new Error("the reader is closed");
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    child.stdin.end();
    if (this.#requests.length > 0) stopProcess(child);
    await closed;
  }

  /** What is asked at once goes to git at once: a system call for each would cost more than the answer. */
  #send(): void {
    const questions = this.#unsent;
    this.#unsent = "";
    if (this.#child.stdin.writable) this.#child.stdin.write(`${questions}flush\n`);
  }

  #start(): ChildProcessWithoutNullStreams {
    const child = this.#git.start(COMMAND);
    const { signal, cwd } = this.#git.options;
    const onAbort = () => {
      this.#fail(interrupted(COMMAND));
      stopProcess(child);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    child.stdout.on("data", (chunk: Buffer) => {
      this.#arrived.push(chunk);
      // Git is alive; setting the clock at each answer would cost more than reading it.
      if (this.#requests.length > 0) this.#timer?.refresh();
      this.#drain();
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      if (this.#stderr.length < GIT_STDERR_MAX_CHARS) this.#stderr += chunk;
    });
    child.stdin.on("error", () => {}); // git ended; "close" says why
    child.once("error", (error) => this.#fail(startFailure(error, cwd)));
    child.once("close", (code) => {
      signal?.removeEventListener("abort", onAbort);
      this.#fail(gitFailure(COMMAND, code ?? -1, foreign(this.#stderr)));
    });
    return child;
  }

  /** Answers every request that the buffered bytes complete. */
  #drain(): void {
    while (this.#requests.length > 0) {
      if (this.#header === null) {
        const line = this.#arrived.takeLine();
        if (line === null) return;
        this.#onHeader(line);
      } else {
        const { size } = this.#header;
        if (this.#arrived.length < size + 1) return;
        this.#answer({ ...this.#header, bytes: this.#arrived.take(size + 1).subarray(0, size) });
      }
    }
  }

  #onHeader(line: string): void {
    const [, id, type, size] = /^([0-9a-f]+) ([a-z]+) (\d+)$/.exec(line) ?? [];
    const info = id === undefined || type === undefined ? null : { id, type, size: Number(size) };
    if (info === null || this.#requests[0]?.hasContents !== true) {
      this.#answer(info === null ? null : { ...info, bytes: NO_BYTES });
      return;
    }
    this.#header = info;
    if (info.size <= GIT_OUTPUT_MAX_BYTES) return;
    const hint = "Remove it from the skills folder: skills are small text files.";
    this.#fail(new SkillprError("git", `object ${id} has ${cut(String(size), 20)} bytes`, hint));
    stopProcess(this.#child);
  }

  #answer(answer: Answer | null): void {
    this.#header = null;
    this.#requests.shift()?.resolve(answer);
    if (this.#requests.length === 0) clearTimeout(this.#timer);
  }

  /** The clock runs for the oldest question. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const hint =
        "Check the repository with `git fsck`, and the connection if it is a partial clone.";
      this.#fail(new SkillprError("git", "git cat-file did not answer in time", hint));
      stopProcess(this.#child);
    }, this.#git.options.timeoutMs ?? GIT_CALL_TIMEOUT_MS);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const request of this.#requests.splice(0)) request.reject(this.#failure);
    clearTimeout(this.#timer);
  }
}
