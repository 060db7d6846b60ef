/** What is looked for in the agents' stores, and what may turn out to be it. */
import type { SkillprError } from "../core/errors.ts";
import { SESSION_ID_MIN_CHARS } from "../core/limits.ts";
import { isWithin } from "./agent-path.ts";
import type { TranscriptSource } from "./read-transcript.ts";
import type { StorePlace } from "./store-folders.ts";
import type { SpoolFolder } from "./text-spool.ts";

/** What is looked for. */
export interface Search {
  /** The project's folders, resolved, also by their real paths. */
  readonly roots: readonly string[];
  /** The id, or how it begins; null for the newest session. */
  readonly sessionId: string | null;
  /** Files that may not be read, added as they are met: told when nothing else is found. */
  readonly unreadable: SkillprError[];
}

/** Something that may be the session that is looked for. */
export interface Candidate {
  /** Path of its file, or of its store with its id: decides between two of one time, and stands in errors. */
  readonly name: string;
  /** When it was written last. */
  readonly modifiedMs: number;
  /** True for what repeats other agents' sessions: it comes after everything else. */
  readonly isLast: boolean;
  /**
   * The session when it is the one looked for, further candidates when this is a store of many, none
   * of which was written later; null when it isn't it.
   * @throws SkillprError code `input` when that can't be told
   */
  readonly open: () => Promise<TranscriptSource | readonly Candidate[] | null>;
}

/** Where to look, and where a copy of a store that can't be read in place may be put. */
export interface SearchPlace extends StorePlace {
  readonly makeFolder: () => SpoolFolder;
}

/** A store whose sessions are no files: rows of a database, or a folder of files each. */
export interface RecordStore {
  /** Absolute paths that are searched, for people; they need not exist. */
  readonly folders: (place: StorePlace) => Promise<readonly string[]>;
  readonly candidates: (place: SearchPlace, search: Search) => Promise<readonly Candidate[]>;
  /** A sentence for somebody whose newest session wasn't found although the store is there. */
  readonly hint?: string;
}

/** Whether a resolved path lies in the project; a session that names none isn't known to be its. */
export function isInProject(path: string | null, { roots }: Pick<Search, "roots">): boolean {
  return path !== null && roots.some((root) => isWithin(root, path));
}

/** The beginning of an id is enough, as with git's; the newest session that has it is taken. */
export function isWantedId(id: string, wanted: string | null): boolean {
  if (wanted === null || id === wanted) return true;
  return wanted.length >= SESSION_ID_MIN_CHARS && id.startsWith(wanted);
}
