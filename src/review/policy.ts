/**
 * What a reviewer may write, as a function that is asked before every tool call: new skills, and
 * skills that carry the marker, under the skills root; nothing else, nowhere else.
 */

import { join } from "node:path";
import { DEFAULTS } from "../core/config.ts";
import { SKILLS_CHANGED_MAX } from "../core/limits.ts";
import { realPath } from "../core/real-path.ts";
import type { FileView } from "./file-view.ts";
import { pathBelow, quotePath, resolvePath, viewRoot } from "./paths.ts";
import type { Policy, PolicyCall } from "./tool.ts";
import {
  lookAtPlace,
  type Place,
  SkillOwnership,
  skillTarget,
  type WriteTarget,
} from "./write-target.ts";

const USER_CREATED =
  "skill_review_agent: edit is only allowed on skills with 'source: auto-skill' in frontmatter. This skill appears to be user-created. Modify it manually or ask the user.";

/** Tools that can't change anything, by the names that coding agents give them. */
const READING_TOOLS: readonly string[] = [
  "read_file",
  "read_many_files",
  "ls",
  "list_directory",
  "glob",
  "grep_search",
  "search_file_content",
];

/** What differs from host to host; each has a default. */
export interface SkillScopedPolicyOptions {
  /** From the project's root; default `.qwen/skills`. */
  readonly skillsRoot?: string;
  /** Where the skills folder really lies; default: below the project's root. */
  readonly skillsDir?: string;
  /** Paths from the project's root that count as links although the disk shows none. */
  readonly links?: ReadonlySet<string>;
  /** Tools besides the known reading ones that can't change anything. */
  readonly safeTools?: readonly string[];
  /**
   * Whether a file was read in this review; default: before, a `read_file` of that very file was allowed while
   * it was there.
   */
  readonly wasRead?: (path: string) => boolean;
  /** The one skill (its folder) that may change; default: every auto-skill may. */
  readonly only?: string;
}

/**
 * The write rules of a skill review, for one review: make a new policy for the next one.
 *
 * Allowed: reading tools; `write_file` of a file that doesn't exist, in a skill that carries the
 * marker or that this review creates; `edit` of a file in such a skill that was read before. Any
 * other tool, path or skill is refused with a sentence for the model. The marker is read from disk;
 * no component of a path may be a link. It looks before the tool acts: a host whose tools run
 * while somebody else changes the folder needs its own check when it opens the file.
 *
 * @param projectRoot absolute; paths in calls (`file_path`) are absolute or relative to it
 */
export function createSkillScopedPolicy(
  projectRoot: string,
  options: SkillScopedPolicyOptions = {},
): Policy {
  const skillsRoot = options.skillsRoot ?? DEFAULTS.skillsRoot;
  const scope: Scope = {
    projectRoot,
    root: viewRoot(projectRoot),
    skillsRoot,
    skillsDir: options.skillsDir ?? null,
    links: options.links ?? new Set(),
    ownership: new SkillOwnership(),
    only: options.only ?? null,
  };
  const safeTools = new Set([...READING_TOOLS, ...(options.safeTools ?? [])]);
  const seen = new Set<string>();
  const wasRead = options.wasRead ?? ((path: string) => seen.has(path));
  return async (call) => {
    if (call.name === "write_file" || call.name === "edit") return judge(call, scope, wasRead);
    if (!safeTools.has(call.name)) return refuseTool(call.name, skillsRoot);
    const read = call.name === "read_file" ? readSkillFile(call, scope) : null;
    if (read !== null) seen.add(read);
    return null;
  };
}

/** The policy of skillpr's own review: a shell that only reads, and a workspace elsewhere on disk. */
export function createReviewPolicy(options: {
  readonly view: FileView;
  readonly skillsDir: string;
  readonly links: ReadonlySet<string>;
  /** The one skill that may change; absent: every auto-skill may. */
  readonly only?: string | undefined;
}): Policy {
  const { view, skillsDir, links, only } = options;
  return createSkillScopedPolicy(view.root, {
    skillsRoot: view.skillsRoot,
    skillsDir,
    links,
    safeTools: ["shell"],
    wasRead: (path) => view.wasRead(path),
    ...(only !== undefined && { only }),
  });
}

interface Scope {
  readonly projectRoot: string;
  readonly root: string;
  readonly skillsRoot: string;
  readonly skillsDir: string | null;
  readonly links: ReadonlySet<string>;
  readonly ownership: SkillOwnership;
  readonly only: string | null;
}

async function judge(
  call: PolicyCall,
  scope: Scope,
  wasRead: (path: string) => boolean,
): Promise<string | null> {
  const path = pathOf(call);
  if (path === null) return `${call.name} names two different paths: name one, as file_path`;
  const target = projectPath(path, scope);
  const outside = `${call.name} is only allowed under ${scope.skillsRoot} of the project, and ${quotePath(path)} is not`;
  if (target === null) return outside;
  if (isLinked(target, scope.links)) return "symlink traversal detected";
  const place = skillTarget(target, scope.skillsRoot);
  if (!place.ok) return `${outside}: ${place.reason}`;
  if (scope.only !== null && place.folder !== scope.only)
    return `only the skill ${scope.only} may change here: its comments are what this is about`;
  const skillsDir = skillsDirOf(scope);
  const found = lookAt(place, scope);
  if (!found.ok) return found.reason;
  const refused =
    refuseOwner(call.name, place, found.kind === "file", skillsDir, scope) ??
    (call.name === "write_file"
      ? refuseExisting(target, found.kind)
      : refuseUnread(target, found.kind, wasRead(resolvedIn(scope.root, target))));
  if (refused !== null || scope.ownership.touch(place.folder)) return refused;
  return `this review changed ${SKILLS_CHANGED_MAX} skills already, which is the most: improve those`;
}

function skillsDirOf({ skillsDir, projectRoot, skillsRoot }: Scope): string {
  return skillsDir ?? join(projectRoot, ...skillsRoot.split("/"));
}

function lookAt({ folder, rest }: WriteTarget & { ok: true }, scope: Scope): Place {
  const above = scope.skillsDir === null ? scope.skillsRoot.split("/").length : 0;
  return lookAtPlace(skillsDirOf(scope), above, [folder, ...rest.split("/")]);
}

/** The file of a skill that a read shows, as the view names it; null when it is none, or not there. */
function readSkillFile(call: PolicyCall, scope: Scope): string | null {
  const path = pathOf(call);
  const target = path === null ? null : projectPath(path, scope);
  const place = target === null ? null : skillTarget(target, scope.skillsRoot);
  if (target === null || place === null || !place.ok) return null;
  const found = lookAt(place, scope);
  return found.ok && found.kind === "file" ? resolvedIn(scope.root, target) : null;
}

function refuseOwner(
  tool: string,
  place: WriteTarget & { ok: true },
  exists: boolean,
  skillsDir: string,
  { ownership }: Scope,
): string | null {
  if (ownership.isOurs(skillsDir, place.folder)) {
    const isNew = tool === "write_file" && !exists;
    return isNew ? ownership.problemOfNewFile(skillsDir, place) : null;
  }
  if (tool === "edit" || exists) return USER_CREATED;
  return `${USER_CREATED} A new file in it is an edit too: create a skill of another name.`;
}

function refuseUnread(
  target: string,
  kind: "file" | "folder" | "absent",
  wasRead: boolean,
): string | null {
  if (kind === "absent") return `there is no file ${quotePath(target)}: create it with write_file`;
  if (kind === "folder") return `${quotePath(target)} is a folder`;
  return wasRead
    ? null
    : `read ${quotePath(target)} with read_file first, then edit what it really says`;
}

function refuseExisting(target: string, kind: "file" | "folder" | "absent"): string | null {
  if (kind === "absent") return null;
  if (kind === "folder") return `${quotePath(target)} is a folder`;
  return `${quotePath(target)} exists already: read it with read_file and change it with edit`;
}

function refuseTool(name: string, skillsRoot: string): string {
  return `a skill review has no tool ${quotePath(name)}: it reads, and writes under ${skillsRoot} with write_file and edit; nothing is deleted, renamed or run`;
}

/**
 * The path from the project's root; null when it is not plainly inside. `..` counts as outside
 * wherever it leads: behind a link it leads elsewhere than it says.
 */
function projectPath(path: string, { root, projectRoot }: Scope): string | null {
  if (path.split(/[\\/]/).includes("..")) return null;
  const resolved = resolvePath(root, path);
  if (!resolved.ok) return null;
  const below = pathBelow(root, resolved.path);
  if (below !== null) return below;
  const real = realPath(projectRoot);
  return real === null ? null : pathBelow(viewRoot(real), resolved.path);
}

function resolvedIn(root: string, path: string): string {
  return root === "/" ? `/${path}` : `${root}/${path}`;
}

function isLinked(path: string, links: ReadonlySet<string>): boolean {
  const parts = path.split("/");
  return parts.some((_, index) => links.has(parts.slice(0, index + 1).join("/")));
}

/** The path that a call names; null when it names several: which one the tool takes can't be known. */
function pathOf({ args }: PolicyCall): string | null {
  const named = [args["file_path"], args["absolute_path"], args["path"]].filter(
    (value) => typeof value === "string",
  );
  const [path = "", ...others] = new Set(named);
  return others.length === 0 ? path : null;
}
