import { isGitFolderName } from "../skills/path-component.ts";
import type { ProjectEntry } from "./project.ts";

export type EntryKind = "file" | "folder" | "link" | "submodule" | "special";

/** The folders of a project's listing, so that one look-up finds a path and one a folder's entries. */
export class TreeIndex {
  readonly #folders = new Map<string, Map<string, EntryKind>>([["", new Map()]]);

  /**
   * @param entries the base commit's tree; names that are no names (`..`) or `.git` somewhere are left out
   * @param isHidden paths that something else lies over
   */
  constructor(entries: Iterable<ProjectEntry>, isHidden: (path: string) => boolean) {
    for (const { path, mode } of entries) if (!isHidden(path)) this.#add(path, kindOfMode(mode));
  }

  kindOf(path: string): EntryKind | null {
    if (this.#folders.has(path)) return "folder";
    const slash = path.lastIndexOf("/");
    const above = this.#folders.get(path.slice(0, Math.max(0, slash)));
    return above?.get(path.slice(slash + 1)) ?? null;
  }

  /** Entries of a folder (`""`: the root); null when it is none. */
  list(path: string): ReadonlyMap<string, EntryKind> | null {
    return this.#folders.get(path) ?? null;
  }

  /** Makes sure that a folder is there: the skills root may be in no commit yet. */
  addFolder(path: string): Map<string, EntryKind> {
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf("/");
    this.addFolder(path.slice(0, Math.max(0, slash))).set(path.slice(slash + 1), "folder");
    const folder = new Map<string, EntryKind>();
    this.#folders.set(path, folder);
    return folder;
  }

  #add(path: string, kind: EntryKind): void {
    if (path.split("/").some(isNoName)) return;
    const slash = path.lastIndexOf("/");
    this.addFolder(path.slice(0, Math.max(0, slash))).set(path.slice(slash + 1), kind);
  }
}

function isNoName(component: string): boolean {
  if (component === "" || component === "." || component === "..") return true;
  // The cheap look first: a large repository has a million names.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything outside ASCII is meant
  return /^(?:\.|git~|[^\u0000-\u007f])/i.test(component) && isGitFolderName(component);
}

function kindOfMode(mode: string): EntryKind {
  if (mode.startsWith("100")) return "file";
  if (mode === "120000") return "link";
  return mode === "160000" ? "submodule" : "special";
}
