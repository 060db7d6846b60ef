/** The names of people in the paths of their home folders, and in the slugs that agents make of those. */
import { homedir } from "node:os";
import { SLUG_LEAD_MAX_CHARS } from "../core/limits.ts";
import type { Anchors } from "./anchor-tables.ts";
import type { SecretRange } from "./secret-range.ts";

/** Where a slug has more than `/` before the home folders: a mount, a drive, a system's own place for them. */
const MOUNT = "(?:mnt-[A-Za-z]|[A-Za-z]|var|usr|export|private|private-var|System-Volumes-Data)-";
/** The folders in which agents keep what belongs to a project: a slug in one of them is a path by all means. */
const STORE = String.raw`\.(?:claude|qwen)\/projects\/-|\.cursor(?:\/|\\{1,4})projects(?:\/|\\{1,4})|\.pi\/agent\/sessions\/--`;
/** What stands before the name of a home folder: in a path, in a slug of an agent's store, of a drive's path, or alone. */
const HOME = new RegExp(
  String.raw`(?<path>\/home\/|(?<=[/\\])Users(?:\/|\\{1,4})|(?<=2F)Users%2F|2Fhome%2F)` +
    `|(?<store>(?:${STORE})(?:${MOUNT})?(?:home|Users)-)` +
    "|(?<drive>--[Uu]sers-)|(?<bare>-home-|Users-)",
  "y",
);
export const HOME_ANCHORS: Anchors = {
  words: [
    "/home/",
    "Users/",
    "Users\\",
    "Users%2F",
    "2Fhome%2F",
    ".claude/projects/-",
    ".qwen/projects/-",
    ".cursor/projects/",
    ".cursor\\",
    ".pi/agent/sessions/--",
    "Users-",
    "-home-",
    "--users-",
    "--Users-",
  ],
};
const HOME_NAME = /[A-Za-z][\w.-]{0,31}(?: [A-Z][\w-]{1,31}(?=[\\/]))?/y;
const HOME_SLUG_NAME = /[A-Za-z][A-Za-z0-9_.]{0,31}/y;
/** Names that programs and documentation give: they say nothing about a person. */
const NOBODYS_HOME =
  /^(?:users?|username|user[-_]?name|name|you|your[-_]?(?:name|user|username)|me|myself|someone|root|admin|administrator|runner|runneradmin|node|ubuntu|debian|fedora|centos|ec2-user|azureuser|vscode|codespace|gitpod|coder|app|appuser|nonroot|www|www-data|nobody|dev|devuser|developer|agent|sandbox|build|builder|jenkins|circleci|travis|vagrant|pi|git|gitlab-runner|linuxbrew|shared|public|default|guest|test|tester|example|foo|bar|x|xxx|docker|container|workspace|postgres|oracle|jovyan|colab|kasm-user|openhands|swe-agent)$/i;
const PATH_BEFORE =
  /(?:\\[nrt]|(?:^|[^\w.-])(?:\/mnt)?\/[a-z]|\/(?:export|var|System\/Volumes\/Data))$/;
/** A bare `/home/name` is a home where something says that it is a folder; else it may be a route. */
const FOLDER_BEFORE =
  /(?:\b(?:cd|ls|pushd|mkdir|chown|chmod|rm|cat|in|from|to|at)\s+|\b(?:HOME|PWD|OLDPWD|USERPROFILE|home|cwd|pwd|dir|directory|folder|workspace)\\?["']?\s?[:=]\s?\\?["']?|^\s*)$/;

/** What several texts say together about home folders. */
export interface HomeSights {
  /** Names of such folders. */
  readonly names: Set<string>;
  /** Places that name one when another place says that it is a folder: `/home/name` may be a route. */
  readonly bare: SecretRange[];
}

/**
 * The names in the paths of home folders.
 * @param places where an anchor of them stands
 */
export function homeUsers(
  text: string,
  places: readonly number[],
  { names, bare }: HomeSights,
): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const at of places) {
    const head = homeHead(text, at);
    if (head === null) continue;
    const isSlug = head.kind !== "path";
    const start = at + head.text.length;
    const name = homeName(text, start, isSlug ? HOME_SLUG_NAME : HOME_NAME);
    if (name === null) continue;
    const range = { rule: "home-user", start, end: start + name.length };
    if (isSlug) bare.push(...longerNames(text, range.end, start));
    if (head.kind === "bare") bare.push(...shorterNames(name, start));
    const isFolder = isHomeFolder(text, at, head, range.end);
    if (isFolder) names.add(name).add(slugOf(name));
    (isFolder ? ranges : bare).push(range);
  }
  return ranges;
}

/** Whether a name there is a home folder's by all means; else a path elsewhere must say so. */
function isHomeFolder(text: string, at: number, head: HomeHead, end: number): boolean {
  // `src/-home-hero.tsx` and `Users-table` are files, options and classes.
  if (head.kind === "bare") return false;
  return head.text !== "/home/" || goesOn(text, end) || isNamedFolder(text, at);
}

/** How agents write a name in a slug. */
const slugOf = (name: string) => name.replace(/[^A-Za-z0-9]/g, "-");

/** The home folder of the process; empty for a user whom the system doesn't know, as containers have them: there is no name to hide then. */
export function ownHome(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}

/**
 * What the path of a home folder names, as it stands in paths and in slugs.
 * @param home such as `/Users/name`; one of a system's user or in another place names nobody
 */
export function namesOfHome(home: string): string[] {
  const name = /[/\\](?:home|Users)[/\\]([^/\\]+)[/\\]?$/.exec(home)?.[1] ?? "";
  return name === "" || NOBODYS_HOME.test(name) ? [] : [name, slugOf(name)];
}

/** Of `robin.m.txt`: what ends before one of its dots. */
function shorterNames(name: string, start: number): SecretRange[] {
  return [...name.matchAll(/\./g)].map(({ index }) => ({
    rule: "home-user",
    start,
    end: start + index,
  }));
}

/** A slug has hyphens for all signs: how much of it is the name, only a path elsewhere tells. */
function longerNames(text: string, end: number, start: number): SecretRange[] {
  MORE_OF_SLUG.lastIndex = end;
  const parts = MORE_OF_SLUG.exec(text)?.[0].split(/(?=-)/) ?? [];
  let to = end;
  return parts.map((part) => {
    to += part.length;
    return { rule: "home-user", start, end: to };
  });
}

/** Three more words: names of people seldom have as many. */
const MORE_OF_SLUG = /(?:-[A-Za-z0-9]{1,32}){0,3}/y;

function homeName(text: string, start: number, pattern: RegExp): string | null {
  pattern.lastIndex = start;
  const name = pattern.exec(text)?.[0].replace(/[.-]+$/, "") ?? "";
  return name === "" || NOBODYS_HOME.test(name) ? null : name;
}

interface HomeHead {
  readonly text: string;
  readonly kind: "path" | "store" | "drive" | "bare";
}

/** What stands before a name there. */
function homeHead(text: string, at: number): HomeHead | null {
  HOME.lastIndex = at;
  const { path, store, drive, bare } = HOME.exec(text)?.groups ?? {};
  if (path !== undefined)
    return startsPath(text, at, text.charAt(at - 1), path) ? { text: path, kind: "path" } : null;
  // The agents name a project's folder after its path.
  if (store !== undefined) return { text: store, kind: "store" };
  if (drive !== undefined) return isBehindDrive(text, at) ? { text: drive, kind: "drive" } : null;
  if (bare !== undefined) return startsSlug(text, at, bare) ? { text: bare, kind: "bare" } : null;
  return null;
}

function goesOn(text: string, end: number): boolean {
  return /^(?:[/\\]|%2F)/.test(text.slice(end, end + 3));
}

/** `C--Users-…` is of a drive's path. */
function isBehindDrive(text: string, at: number): boolean {
  return /(?:^|[^\w-])[A-Za-z]$/.test(text.slice(Math.max(0, at - 2), at));
}

/** Whether what stands before, up to a sign or a spelled line break, may be the beginning of a slug. */
function startsSlug(text: string, at: number, head: string): boolean {
  let start = at;
  const least = Math.max(0, at - SLUG_LEAD_MAX_CHARS);
  while (start > least && /[\w-]/.test(text.charAt(start - 1))) start -= 1;
  const isCut = start === least && start > 0;
  const lead = text.slice(start, head.startsWith("-") ? at + 1 : at);
  const behindEscape = text.charAt(start - 1) === "\\" ? lead.replace(/^[nrt]/, "") : lead;
  return !isCut && [lead, behindEscape].some((each) => /^(?:-.*|[A-Za-z]-|)$/.test(each));
}

function startsPath(text: string, at: number, before: string, head: string): boolean {
  if (head !== "/home/" && head !== "Users/") return true;
  // Of `/Users/` the slash was not part of the match.
  const lead = text.slice(Math.max(0, at - 24), head === "Users/" ? at - 1 : at);
  const previous = head === "Users/" ? lead.at(-1) : before;
  if (head === "Users/" && before === "\\") return true;
  if (previous === "/") return lead.endsWith("file://");
  // A drive, a mount or an escaped line break before it.
  return previous === undefined || !/[\w.-]/.test(previous) || PATH_BEFORE.test(lead);
}

function isNamedFolder(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 48), at);
  return FOLDER_BEFORE.test(before.slice(before.lastIndexOf("\n") + 1));
}
