/** Who and where: e-mail addresses, the names of home folders, addresses of private networks. */
import { EMAIL_NAME_MAX_CHARS, SLUG_LEAD_MAX_CHARS } from "../core/limits.ts";
import type { Anchors } from "./anchor-tables.ts";
import type { SecretRange } from "./secret-range.ts";

/** What the part before the `@` is made of. */
const IS_LOCAL = new Uint8Array(128);
for (const code of Buffer.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._%+-",
))
  IS_LOCAL[code] = 1;
const isLocal = (code: number) => code < 128 && IS_LOCAL[code] === 1;
const DOMAIN =
  /@((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}([A-Za-z]{2,24}))(?![\w-])(?!\.\w)/y;
/** Domains that belong to nobody, and those of addresses that stand for no person. */
const NOBODYS_DOMAIN =
  /(?:^|\.)(?:example|test|invalid|localhost|local|internal)$|(?:^|\.)example\.(?:com|org|net|edu)$|(?:^|\.)users\.noreply\.github\.com$|^(?:your-?(?:company|domain|org|site)|domain|company|email|mydomain|acme|foo|bar)\.(?:com|org|net|io)$/i;
const NOBODYS_NAME =
  /^(?:git|no-?reply|do-?not-?reply|user(?:name)?|you|your[-._]?(?:name|email)|me|name|someone|somebody|first\.last|jdoe|j(?:ane|ohn)\.?doe)$/i;
/** `package@next.js`, `icon@2x.png`, `getty@tty1.service`: names of files. */
const FILE_ENDING =
  /^(?:js|jsx|ts|tsx|mjs|cjs|json|png|jpe?g|gif|svg|webp|ico|tgz|gz|zip|md|mdx|py|rb|rs|go|lock|css|scss|html?|ya?ml|toml|txt|sh|service|socket|timer|target|mount|slice|scope|java|kt|swift|php|vue|c|h|cpp|hpp|cs|wasm|map|d|log|sql|xml|csv)$/i;

/**
 * E-mail addresses; of persons, as far as their names and domains tell.
 * @param ats where `@` stands, in order
 */
export function emails(text: string, ats: readonly number[]): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const at of ats) {
    // A decorator, a package's scope: most of them in code.
    if (!isLocal(text.charCodeAt(at - 1)) || !mayBeDomain(text, at + 1)) continue;
    DOMAIN.lastIndex = at;
    const [, domain = "", top = ""] = DOMAIN.exec(text) ?? [];
    if (domain === "" || NOBODYS_DOMAIN.test(domain) || FILE_ENDING.test(top)) continue;
    const start = localStart(text, at);
    const name = text.slice(start, at);
    if (name === "" || NOBODYS_NAME.test(name) || isLogin(text, start)) continue;
    ranges.push({ rule: "email", start, end: at + 1 + domain.length });
  }
  return ranges;
}

/** Whether DOMAIN may hold before that place: a version (`package@1.2.3`) ends with a digit, and a handle has no dot. */
function mayBeDomain(text: string, start: number): boolean {
  let [end, hasDot] = [start, false];
  for (; ; end += 1) {
    const code = text.charCodeAt(end);
    if (code === DOT) {
      // Where no label follows the domain may end before the dot.
      if (!isAlphanumeric(text.charCodeAt(end + 1))) return true;
      hasDot = true;
    } else if (code !== HYPHEN && !isAlphanumeric(code)) break;
  }
  return hasDot && isLetter(text.charCodeAt(end - 1));
}

const [HYPHEN, DOT, UNDERSCORE] = [45, 46, 95];
const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122;
const isAlphanumeric = (code: number) => isLetter(code) || (code >= 48 && code <= 57);

/** Where the part before the `@` begins. */
function localStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < EMAIL_NAME_MAX_CHARS && isLocal(text.charCodeAt(start - 1)))
    start -= 1;
  // The letter of an escaped line break, `%3C` and dots at the beginning are not of the name.
  const local = text.slice(start, at);
  const lead = /^(?:%3[CcAa]|[-.+%])*/.exec(local)?.[0].length ?? 0;
  const broken = text.charAt(start - 1) === "\\" && /^[nrt]/.test(local) ? 1 : 0;
  return start + Math.max(lead, broken);
}

/** `scheme://user:password@host` is no address of a person. */
function isLogin(text: string, start: number): boolean {
  return /:\/\/[^\s/"'`<>]{0,160}$/.test(text.slice(Math.max(0, start - 180), start));
}

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
  while (start > least && isSlugSign(text.charCodeAt(start - 1))) start -= 1;
  const isCut = start === least && start > 0;
  const lead = text.slice(start, head.startsWith("-") ? at + 1 : at);
  const behindEscape = text.charAt(start - 1) === "\\" ? lead.replace(/^[nrt]/, "") : lead;
  return !isCut && [lead, behindEscape].some((each) => /^(?:-.*|[A-Za-z]-|)$/.test(each));
}

const isSlugSign = (code: number) => isAlphanumeric(code) || code === HYPHEN || code === UNDERSCORE;

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

export const PRIVATE_IP_ANCHORS: Anchors = { words: ["10.", "192.168.", "172."] };
const PRIVATE_172 = /^172\.(?:1[6-9]|2\d|3[01])\./;
const IP =
  /(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w])(?!\.\d)(?!-[\w])/y;
/** Networks as a whole and their masks say nothing about a machine: `10.0.0.0/8`. */
const NETWORK =
  /^(?:10\.0\.0\.0|172\.16\.0\.0|192\.168\.0\.0|10\.255\.255\.255|192\.168\.255\.255|172\.31\.255\.255)$/;
const VERSION_BEFORE = /(?:[\w)]\/|\bv|version[ :=]*|@|[\w.]-|[\d.]|==|~=|>=|\^|~)$/i;

/**
 * Addresses of private networks.
 * @param places where an anchor of them stands
 */
export function privateAddresses(text: string, places: readonly number[]): SecretRange[] {
  const ranges: SecretRange[] = [];
  for (const index of places) {
    if (/\w/.test(text.charAt(index - 1))) continue;
    IP.lastIndex = index;
    const address = IP.exec(text)?.[0];
    if (address === undefined || NETWORK.test(address)) continue;
    if (address.startsWith("172") && !PRIVATE_172.test(address)) continue;
    const before = text.slice(Math.max(0, index - 12), index);
    // Behind `name@` it may be a version too: it is taken for a machine.
    if (
      VERSION_BEFORE.test(before) &&
      !/(?:[^:]\/\/|\w@|:\/\/\S*@)$/.test(before) &&
      !/:\/\/$/.test(before)
    )
      continue;
    ranges.push({ rule: "private-ip", start: index, end: index + address.length });
  }
  return ranges;
}
