/**
 * The file view as the shell's file system: read-only. It answers the questions of the shell's
 * thread, whose file system asks for everything by message.
 */
import { PROJECT_FILE_MAX_BYTES } from "../core/limits.ts";
import type { EntryKind, FileView } from "./file-view.ts";
import { quotePath } from "./paths.ts";

/** As the shell's library wants it of a file system. */
interface FileStat {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymbolicLink: boolean;
  readonly mode: number;
  readonly size: number;
  readonly mtime: Date;
}

/** An error whose `code` the shell's commands tell apart, as they do with the system's. */
export class ShellFileError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const NULL_DEVICE = "/dev/null";
/** Git objects have no times. */
const NO_TIME = new Date(0);
const MODES: Readonly<Record<EntryKind, number>> = {
  file: 0o444,
  folder: 0o555,
  link: 0o777,
  submodule: 0o555,
  special: 0,
};

export class ShellFiles {
  readonly #view: FileView;
  /** Paths that something was to be written to. */
  readonly refusedWrites = new Set<string>();
  /** Why what was asked for could not be read, by path: the commands say only that it isn't there. */
  readonly unread = new Map<string, string>();
  /** Files that `cat` was asked for. */
  readonly shownFiles = new Set<string>();

  constructor(view: FileView) {
    this.#view = view;
  }

  async exists(path: string): Promise<boolean> {
    const kind = await this.#kindOf(path);
    return kind !== null && kind !== "link";
  }

  async stat(path: string): Promise<FileStat> {
    if ((await this.#kindOf(path)) === "link")
      throw new ShellFileError(
        "ENOENT",
        `${quotePath(path)} is a symbolic link, which is not followed`,
      );
    return this.lstat(path);
  }

  async lstat(path: string): Promise<FileStat> {
    const kind = await this.#kindOf(path);
    if (kind === null) throw noSuchFile("stat", path);
    return {
      isFile: kind === "file" || kind === "special",
      isDirectory: kind === "folder" || kind === "submodule",
      isSymbolicLink: kind === "link",
      mode: MODES[kind],
      size: kind === "file" ? await this.#sizeOf(path) : 0,
      mtime: NO_TIME,
    };
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithFileTypes(path)).map(({ name }) => name);
  }

  async readdirWithFileTypes(path: string) {
    const device = [{ name: "null", kind: "file" as const }];
    const entries = path === "/dev" ? device : await this.#view.list(path);
    if (entries === null) {
      if ((await this.#kindOf(path)) === "submodule") return [];
      throw noSuchFile("scandir", path);
    }
    return entries.map(({ name, kind }) => ({
      name,
      isFile: kind === "file" || kind === "special",
      isDirectory: kind === "folder" || kind === "submodule",
      isSymbolicLink: kind === "link",
    }));
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    if (path === NULL_DEVICE) return new Uint8Array();
    const kind = await this.#kindOf(path);
    if (kind === null) throw noSuchFile("open", path);
    if (kind === "folder" || kind === "submodule")
      throw new ShellFileError(
        "EISDIR",
        `EISDIR: illegal operation on a directory, read '${path}'`,
      );
    const read = await this.#view.read(path);
    if (!read.ok) throw this.#unreadable("EACCES", path, read.reason);
    if (!read.isCut) return read.bytes;
    const rest = read.rest ?? "read_file shows its beginning";
    const reason = `${quotePath(path)} is too large for the shell, with more than ${PROJECT_FILE_MAX_BYTES} bytes: ${rest}`;
    throw this.#unreadable("EFBIG", path, reason);
  }

  async readlink(path: string): Promise<string> {
    const target = await this.#view.linkTarget(path);
    if (target === null)
      throw new ShellFileError("EINVAL", `EINVAL: not a link, readlink '${path}'`);
    return target;
  }

  async realpath(path: string): Promise<string> {
    if (!(await this.exists(path))) throw noSuchFile("realpath", path);
    return path;
  }

  /**
   * Redirects and the like: nothing is written, and the answer says so at its end. An error here
   * would end the whole command line and lose what it printed before.
   */
  async writeFile(path: string): Promise<void> {
    if (path !== NULL_DEVICE) this.refusedWrites.add(path);
  }

  async appendFile(path: string): Promise<void> {
    await this.writeFile(path);
  }

  /** Everything else that would change something. */
  async change(path: string): Promise<never> {
    this.refusedWrites.add(path);
    throw new ShellFileError("EROFS", `EROFS: read-only file system, '${path}'`);
  }

  /** `cat` gave out this file; how much of it the model saw, the answer's text says. */
  async shown(path: string): Promise<void> {
    if ((await this.#kindOf(path)) === "file") this.shownFiles.add(path);
  }

  #unreadable(code: string, path: string, reason: string): ShellFileError {
    this.unread.set(path, reason);
    return new ShellFileError(code, reason);
  }

  async #kindOf(path: string): Promise<EntryKind | null> {
    if (path === "/dev") return "folder";
    return path === NULL_DEVICE ? "file" : this.#view.kindOf(path);
  }

  async #sizeOf(path: string): Promise<number> {
    return path === NULL_DEVICE ? 0 : this.#view.sizeOf(path);
  }
}

function noSuchFile(what: string, path: string): ShellFileError {
  return new ShellFileError("ENOENT", `ENOENT: no such file or directory, ${what} '${path}'`);
}
