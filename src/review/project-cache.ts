import { PROJECT_CACHE_MAX_BYTES, PROJECT_FILE_MAX_BYTES } from "../core/limits.ts";
import type { ProjectFiles } from "./project.ts";
import { type Redact, redactBytes } from "./redact-lines.ts";

export interface CachedFile {
  /** With its secrets, up to the bound. */
  readonly size: number;
  readonly isCut: boolean;
  /** The bytes without secrets; they are looked for once, when somebody wants to see them. */
  clean(): Promise<Uint8Array>;
}

/** The project's files that were read last. */
export class ProjectCache {
  readonly #project: ProjectFiles;
  readonly #redact: Redact;
  readonly #files = new Map<string, CachedFile>();
  #bytes = 0;

  constructor(project: ProjectFiles, redact: Redact) {
    this.#project = project;
    this.#redact = redact;
  }

  /** @returns null when the content is not on this machine */
  async read(path: string): Promise<CachedFile | null> {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const read = await this.#project.read(path, PROJECT_FILE_MAX_BYTES);
    if (read === null) return null;
    const { bytes, isCut } = read;
    let clean: Promise<Uint8Array> | null = null;
    const file: CachedFile = {
      size: bytes.byteLength,
      isCut,
      clean: () => {
        clean ??= redactBytes(bytes, isCut, this.#redact);
        return clean;
      },
    };
    this.#bytes += file.size;
    if (this.#bytes > PROJECT_CACHE_MAX_BYTES) {
      this.#files.clear();
      this.#bytes = file.size;
    }
    this.#files.set(path, file);
    return file;
  }
}
