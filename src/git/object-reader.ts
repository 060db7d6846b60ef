/** One git process that answers for many objects. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { SkillprError } from "../core/errors.ts";
import { GIT_CALL_TIMEOUT_MS, GIT_OUTPUT_MAX_BYTES, GIT_STDERR_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";
import { ByteQueue } from "./byte-queue.ts";
import { foreign, type Git, gitFailure, interrupted, startFailure, stopProcess } from "./git.ts";
import { KnownObjects } from "./known-objects.ts";
import {
  type Commit,
  isTree,
  type ObjectFormat,
  parseCommit,
  parseTree,
  type RawTreeEntry,
} from "./object-format.ts";
import { recentTree, rememberTree } from "./recent-trees.ts";
import { findEntry } from "./tree-bytes.ts";

export interface ObjectInfo {
  readonly id: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

export interface ReadObject {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
}

interface Request {
  readonly hasContents: boolean;
  readonly resolve: (answer: (ObjectInfo & { bytes: Buffer }) | null) => void;
  readonly reject: (error: Error) => void;
}

/** With `--buffer` git answers when it is told to: else each answer would wake both processes. */
const COMMAND = ["cat-file", "--batch-command", "--buffer"];

/**
 * Reads objects through one `cat-file` process, which starts with the first question. Calls may
 * overlap; answers come in the order of the questions.
 *
 *     await using reader = new ObjectReader(repository.git, repository.objectFormat);
 */
export class ObjectReader {
  readonly objectFormat: ObjectFormat;
  readonly #git: Git;
  readonly #requests: Request[] = [];
  #child: ChildProcessWithoutNullStreams | null = null;
  #failure: Error | null = null;
  #stderr = "";
  /** Questions of this tick. */
  #unsent = "";
  readonly #arrived = new ByteQueue();
  /** What was learned of objects already: they are asked about again at the next step. */
  readonly #known = new KnownObjects();
  /** Header of the object whose contents are arriving. */
  #header: ObjectInfo | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(git: Git, objectFormat: ObjectFormat) {
    this.#git = git;
    this.objectFormat = objectFormat;
  }

  /**
   * @param spec an object id or another name of an object; never an option, whatever it says
   * @returns null when there is no such object
   * @throws SkillprError `git` when git fails or the object is beyond GIT_OUTPUT_MAX_BYTES
   */
  async read(spec: string): Promise<ReadObject | null> {
    return this.#known.tree(spec) ?? this.#ask("contents", spec);
  }

  /** Type and size without the contents: look before reading what may be huge. */
  async info(spec: string): Promise<ObjectInfo | null> {
    return this.#known.info(spec) ?? this.#ask("info", spec);
  }

  /** @throws SkillprError `git` when the tree is missing or damaged */
  async tree(id: string): Promise<RawTreeEntry[]> {
    const entries = parseTree(await this.treeBytes(id), this.objectFormat);
    if (entries === null) throw damaged(id, "is no whole tree");
    return entries;
  }

  /** The raw bytes of a tree. @throws SkillprError `git` when it is missing */
  async treeBytes(id: string): Promise<Buffer> {
    const known = recentTree(id);
    if (known !== undefined) return known;
    const { bytes } = await this.#require(id, "tree");
    rememberTree(id, bytes);
    return bytes;
  }

  /**
   * The first entry of a name in a tree.
   * @throws SkillprError `git` when the tree is missing or damaged
   */
  async entry(tree: string, name: string): Promise<RawTreeEntry | undefined> {
    const found = findEntry(await this.treeBytes(tree), Buffer.from(name), this.objectFormat);
    if (found === null) throw damaged(tree, "is no whole tree");
    return found;
  }

  /**
   * The id of the folder at a `/`-separated path below a tree.
   * @returns null when there is nothing there, or no folder
   */
  async treeAt(rootTree: string, path: string): Promise<string | null> {
    let tree = rootTree;
    for (const part of path.split("/")) {
      const entry = await this.entry(tree, part);
      if (entry === undefined || !isTree(entry)) return null;
      tree = entry.id;
    }
    return tree;
  }

  /** The bytes of a blob; null when there is none of this id, or it has more than `maxBytes`. */
  async blob(id: string, maxBytes: number): Promise<Buffer | null> {
    const info = await this.info(id);
    if (info?.type !== "blob" || info.size > maxBytes) return null;
    return (await this.read(id))?.bytes ?? null;
  }

  /**
   * @param heldBy the ref that holds the id, for the message
   * @throws SkillprError `git` when the commit is missing, or is no commit
   */
  async commit(id: string, heldBy?: string): Promise<Commit> {
    const { bytes } = await this.#require(id, "commit", heldBy);
    return parseCommit(id, bytes);
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#failure ??= new Error("the reader is closed");
    if (child === null || child.pid === undefined) return;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    child.stdin.end();
    if (this.#requests.length > 0) stopProcess(child);
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #require(id: string, type: "tree" | "commit", heldBy?: string): Promise<ReadObject> {
    const object = await this.read(id);
    if (object?.type === type) return object;
    throw damaged(
      id,
      object === null ? "is missing" : `is a ${object.type}, not a ${type}`,
      heldBy,
    );
  }

  #ask(command: "contents" | "info", spec: string) {
    if (/[\n\0]/.test(spec) || spec === "") throw new Error(`not an object name: ${spec}`);
    if (this.#failure !== null) throw this.#failure;
    const child = this.#child ?? this.#start();
    return new Promise<(ObjectInfo & { bytes: Buffer }) | null>((resolve, reject) => {
      this.#requests.push({ hasContents: command === "contents", resolve, reject });
      if (this.#requests.length === 1) this.#watch();
      if (this.#unsent === "") process.nextTick(() => this.#send(child));
      this.#unsent += `${command} ${spec}\n`;
    });
  }

  /** What is asked at once goes to git at once: a system call for each would cost more than the answer. */
  #send(child: ChildProcessWithoutNullStreams): void {
    const questions = this.#unsent;
    this.#unsent = "";
    if (child.stdin.writable) child.stdin.write(`${questions}flush\n`);
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
    this.#child = child;
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
      this.#answer(info === null ? null : { ...info, bytes: Buffer.alloc(0) });
      return;
    }
    this.#header = info;
    if (info.size <= GIT_OUTPUT_MAX_BYTES) return;
    const hint = "Remove it from the skills folder: skills are small text files.";
    this.#fail(new SkillprError("git", `object ${id} has ${cut(String(size), 20)} bytes`, hint));
    if (this.#child !== null) stopProcess(this.#child);
  }

  #answer(answer: (ObjectInfo & { bytes: Buffer }) | null): void {
    this.#header = null;
    const request = this.#requests.shift();
    if (answer !== null) this.#known.remember(answer, request?.hasContents === true);
    request?.resolve(answer);
    if (this.#requests.length === 0) clearTimeout(this.#timer);
  }

  /** The clock runs for the oldest question. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const hint =
        "Check the repository with `git fsck`, and the connection if it is a partial clone.";
      this.#fail(new SkillprError("git", "git cat-file did not answer in time", hint));
      if (this.#child !== null) stopProcess(this.#child);
    }, this.#git.options.timeoutMs ?? GIT_CALL_TIMEOUT_MS);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const request of this.#requests.splice(0)) request.reject(this.#failure);
    clearTimeout(this.#timer);
  }
}

function damaged(id: string, what: string, heldBy?: string): SkillprError {
  const holder = heldBy === undefined ? "" : `, which ${safeLine(heldBy)} points to,`;
  return new SkillprError(
    "git",
    `object ${safeLine(id)}${holder} ${what}`,
    "The repository may be damaged or a partial copy: check it with `git fsck`.",
  );
}
