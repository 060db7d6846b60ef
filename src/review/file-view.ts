/**
 * What all tools of a review see: the base commit's tracked files, the workspace's skills in their
 * place, and the transcript. Nothing else exists here: no path leads to the user's disk, because
 * the project's files come as git objects, and the skills through the skill folder, which follows
 * no link. Secrets are replaced here, in whole files, so that no part that a tool cuts out shows half of one.
 */
import { PROJECT_FILE_MAX_BYTES } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import type { SessionText } from "../transcript/session-text.ts";
import { decodeText } from "./decode-text.ts";
import { pathBelow, quotePath, TRANSCRIPT_FOLDER, TRANSCRIPT_PATH, viewRoot } from "./paths.ts";
import type { ProjectFiles } from "./project.ts";
import { ProjectCache } from "./project-cache.ts";
import { type Redact, redactBytes } from "./redact-lines.ts";
import { ShownLines } from "./shown-lines.ts";
import type { SkillFolder } from "./skill-folder.ts";
import { type LinePage, TranscriptFiles } from "./transcript-files.ts";
import { type EntryKind, TreeIndex } from "./tree-index.ts";

export type { EntryKind } from "./tree-index.ts";

export interface ViewEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

export type ViewRead =
  | {
      readonly ok: true;
      readonly bytes: Uint8Array;
      readonly isCut: boolean;
      /** How to get what is cut off, where there is a way. */
      readonly rest?: string;
    }
  | { readonly ok: false; readonly reason: string };

/** Paths are absolute in the view and plain, as resolvePath() gives them. */
export interface FileView {
  /** The project's root. */
  readonly root: string;
  /** From the project's root, e.g. `.qwen/skills`. */
  readonly skillsRoot: string;
  /** What lies at a path; null for nothing. Links are seen, never followed. */
  kindOf(path: string): Promise<EntryKind | null>;
  /** Entries sorted by name; null when there is no folder. */
  list(path: string): Promise<readonly ViewEntry[] | null>;
  /** A file's bytes without secrets (PROJECT_FILE_MAX_BYTES at most), or why not. */
  read(path: string): Promise<ViewRead>;
  /** Lines of a file that may be longer than read() gives; null for all others. */
  page(path: string, offset: number, limit: number): Promise<LinePage | null>;
  /** A file's size with its secrets, which nobody has to look for; 0 when it can't be read. */
  sizeOf(path: string): Promise<number>;
  /** Where a link of the base commit points to, as it is written there; null when it is none. */
  linkTarget(path: string): Promise<string | null>;
  /** A path below the skills folder (`release-flow/SKILL.md`), `.` for itself; null when elsewhere. */
  skillPath(path: string): string | null;
  /** Remembers that an answer held this text, which shows the file or a part of it. */
  markShown(path: string, text: string): void;
  /** Whether anything of the file was asked for. */
  wasRead(path: string): boolean;
  /** Numbers, from 0, of the lines of a file's text that no answer has shown. */
  unshownLines(path: string, text: string): Promise<readonly number[]>;
  /** Replaces secrets, with as many lines as before. */
  readonly redact: Redact;
}

export interface FileViewOptions {
  readonly project: ProjectFiles;
  /** Absolute path of the project as the model names it. */
  readonly projectRoot: string;
  readonly skillsRoot: string;
  readonly skillFolder: SkillFolder;
  /** The redacted session as text; asked for when somebody looks at it. */
  readonly transcript: () => Promise<SessionText>;
  /** Paths from the project's root that are links or submodules in what the workspace was made of. */
  readonly links: ReadonlySet<string>;
  readonly redact: Redact;
}

export function createFileView(options: FileViewOptions): FileView {
  return new LayeredView(options);
}

class LayeredView implements FileView {
  readonly root: string;
  readonly skillsRoot: string;
  readonly #options: FileViewOptions;
  readonly #skillsPath: string;
  readonly redact: Redact;
  readonly #shown = new ShownLines();
  readonly #files: ProjectCache;
  /** Skills' texts as they were redacted last, by path. */
  readonly #skills = new Map<string, { text: string; clean: Promise<Uint8Array> }>();
  readonly #transcript: TranscriptFiles;
  #index: Promise<TreeIndex> | null = null;

  constructor(options: FileViewOptions) {
    this.#options = options;
    this.root = viewRoot(options.projectRoot);
    this.skillsRoot = options.skillsRoot;
    this.redact = options.redact;
    this.#files = new ProjectCache(options.project, options.redact);
    this.#skillsPath = `${this.root === "/" ? "" : this.root}/${options.skillsRoot}`;
    this.#transcript = new TranscriptFiles(options.transcript);
  }

  async kindOf(path: string): Promise<EntryKind | null> {
    const skill = this.skillPath(path);
    if (skill !== null) return this.#skillKind(skill);
    if (isInTranscript(path)) return (await this.#transcript.has(path)) ? "file" : null;
    const below = pathBelow(this.root, path);
    if (below === null) return this.#isAboveRoot(path) ? "folder" : null;
    return (await this.#tree()).kindOf(below === "." ? "" : below);
  }

  async list(path: string): Promise<readonly ViewEntry[] | null> {
    const skill = this.skillPath(path);
    if (skill !== null) return this.#listSkills(skill);
    const below = pathBelow(this.root, path);
    if (below === null && !this.#isAboveRoot(path)) return null;
    const listed = below === null ? [] : (await this.#tree()).list(below === "." ? "" : below);
    if (listed === null) return null;
    const files = path === TRANSCRIPT_FOLDER ? await this.#transcript.names() : [];
    const entries = new Map<string, EntryKind>([...listed, ...this.#entriesAround(path)]);
    for (const name of files) entries.set(name, "file");
    return [...entries].map(([name, kind]) => ({ name, kind })).sort(byName);
  }

  async read(path: string): Promise<ViewRead> {
    const kind = await this.kindOf(path);
    if (kind !== "file") return { ok: false, reason: await this.#whyNot(path, kind) };
    if (isInTranscript(path)) return { ok: true, ...(await this.#transcript.read(path)) };
    const skill = this.skillPath(path);
    if (skill === null) {
      const file = await this.#files.read(this.#projectPath(path));
      if (file === null)
        return { ok: false, reason: `the content of ${quotePath(path)} is not on this machine` };
      return withheldUnlessClean(path, file.clean(), file.isCut);
    }
    const read = await this.#options.skillFolder.read(skill);
    return read.ok ? withheldUnlessClean(path, this.#cleanSkill(path, read.text), false) : read;
  }

  page(path: string, offset: number, limit: number): Promise<LinePage | null> {
    return this.#transcript.page(path, offset, limit);
  }

  async sizeOf(path: string): Promise<number> {
    if ((await this.kindOf(path)) !== "file") return 0;
    if (isInTranscript(path)) return this.#transcript.sizeOf(path);
    if (this.skillPath(path) === null)
      return (await this.#files.read(this.#projectPath(path)))?.size ?? 0;
    const read = await this.read(path);
    return read.ok ? read.bytes.byteLength : 0;
  }

  async linkTarget(path: string): Promise<string | null> {
    if ((await this.kindOf(path)) !== "link") return null;
    const read = await this.#options.project.read(this.#projectPath(path), PROJECT_FILE_MAX_BYTES);
    return read === null ? null : decodeText(read.bytes);
  }

  skillPath(path: string): string | null {
    return pathBelow(this.#skillsPath, path);
  }

  markShown(path: string, text: string): void {
    this.#shown.add(path, text);
  }

  wasRead(path: string): boolean {
    return this.#shown.hasAny(path);
  }

  async unshownLines(path: string, text: string): Promise<readonly number[]> {
    const clean = Buffer.from(await this.#cleanSkill(path, text)).toString("utf8");
    // What the model wrote itself it knows, secrets included.
    const missing = new Set(this.#shown.missingIn(path, text));
    return this.#shown.missingIn(path, clean).filter((line) => missing.has(line));
  }

  #cleanSkill(path: string, text: string): Promise<Uint8Array> {
    const known = this.#skills.get(path);
    if (known?.text === text) return known.clean;
    const clean = redactBytes(Buffer.from(text), false, this.redact);
    this.#skills.set(path, { text, clean });
    return clean;
  }

  #tree(): Promise<TreeIndex> {
    this.#index ??= this.#options.project.list().then((entries) => {
      const { skillsRoot } = this.#options;
      const index = new TreeIndex(entries, (path) => pathBelow(skillsRoot, path) !== null);
      index.addFolder(skillsRoot);
      return index;
    });
    return this.#index;
  }

  /** `/`, and what lies between it and the project or the transcript. */
  #isAboveRoot(path: string): boolean {
    return path === TRANSCRIPT_FOLDER || pathBelow(path, this.root) !== null;
  }

  /** What a folder holds besides the project's files: the way to the project, and to the transcript. */
  *#entriesAround(path: string): Iterable<readonly [string, EntryKind]> {
    for (const outside of [this.root, TRANSCRIPT_FOLDER]) {
      const way = pathBelow(path, outside) ?? ".";
      if (way !== ".") yield [way.split("/")[0] ?? way, "folder"];
    }
  }

  #projectPath(path: string): string {
    return pathBelow(this.root, path) ?? path;
  }

  async #skillKind(skill: string): Promise<EntryKind | null> {
    if (skill === ".") return "folder";
    if (this.#isLinked(skill)) return "link";
    const slash = skill.lastIndexOf("/");
    const listed = await this.#listSkills(slash === -1 ? "." : skill.slice(0, slash));
    return listed?.find(({ name }) => name === skill.slice(slash + 1))?.kind ?? null;
  }

  async #listSkills(skill: string): Promise<readonly ViewEntry[] | null> {
    if (this.#isLinked(skill)) return null;
    const listed = await this.#options.skillFolder.list(skill);
    if (!listed.ok) return null;
    const prefix = skill === "." ? "" : `${skill}/`;
    return listed.entries.map(({ name, kind }) => {
      if (this.#isLinked(`${prefix}${name}`)) return { name, kind: "link" as const };
      return { name, kind: kind === "other" ? ("special" as const) : kind };
    });
  }

  #isLinked(skill: string): boolean {
    const parts = skill.split("/");
    return parts.some((_, index) =>
      this.#options.links.has(`${this.skillsRoot}/${parts.slice(0, index + 1).join("/")}`),
    );
  }

  async #whyNot(path: string, kind: EntryKind | null): Promise<string> {
    const quoted = quotePath(path);
    if (kind === "folder") return `${quoted} is a folder: list it with ls`;
    if (kind === "submodule")
      return `${quoted} is a submodule, a repository of its own, which can't be read`;
    if (kind === "link") {
      const target = await this.linkTarget(path);
      const to = target === null ? "" : ` to ${quotePath(target)}`;
      return `${quoted} is a symbolic link${to}, and links are not followed`;
    }
    if (kind === "special") return `${quoted} is not a plain file`;
    if (pathBelow(this.root, path) === null)
      return `${quoted} is outside: only the tracked files of the project (${this.root}), its skills and ${TRANSCRIPT_PATH} can be read`;
    return `there is no tracked file ${quoted}: find it with ls, or with find in the shell`;
  }
}

const isInTranscript = (path: string) => path.startsWith(`${TRANSCRIPT_FOLDER}/`);

async function withheldUnlessClean(
  path: string,
  clean: Promise<Uint8Array>,
  isCut: boolean,
): Promise<ViewRead> {
  try {
    return { ok: true, bytes: await clean, isCut };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    const quoted = quotePath(path);
    const reason = `${quoted} could not be checked for secrets and is withheld: ${safeLine(what)}`;
    return { ok: false, reason };
  }
}

/** By code units: the same order on every machine. */
function byName(a: ViewEntry, b: ViewEntry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
