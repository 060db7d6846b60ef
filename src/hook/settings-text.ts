/**
 * The hook's entries in the text of an agent's settings: JSON with comments that people keep by
 * hand. Only the characters of an entry are put in or taken out; everything else stays as it is,
 * comments, order, indentation, line ends and trailing commas included.
 */
import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { SkillprError } from "../core/errors.ts";
import { SETTINGS_DEPTH_MAX, SETTINGS_OWN_ENTRIES_MAX } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { insertLast, removeChild, replaceNode } from "./json-edits.ts";

/** A text, and the file that errors name. */
export interface SettingsText {
  readonly file: string;
  /** Without a byte order mark. */
  readonly text: string;
}

export interface HookEntries {
  readonly events: readonly string[];
  /** The value of one entry, e.g. `{ type: "command", command: "…" }`. */
  readonly hook: Readonly<Record<string, unknown>> & { readonly command: string };
}

type IsOwn = (hook: unknown) => boolean;

/**
 * The settings as the agents read them.
 * @throws SkillprError `config` naming file and line; the same for the functions below
 */
export function settingsValue(settings: SettingsText): Readonly<Record<string, unknown>> {
  return getNodeValue(parseRoot(settings));
}

/** The entries that are skillpr's, in their order. */
export function ownEntries(
  settings: SettingsText,
  isOwn: IsOwn,
): { event: string; command: string }[] {
  return findOwn(settings, isOwn).map(({ event, node }) => {
    const { command } = getNodeValue(node);
    return { event, command: String(command) };
  });
}

/**
 * Exactly one entry per event: one that has another command gets this one, where it stands; what is
 * missing is put behind the others; entries of events that are not asked for go, and so do those
 * that would do something else than run the command.
 * @returns the same text when there is nothing to change
 */
export function withHooks(settings: SettingsText, entries: HookEntries, isOwn: IsOwn): string {
  const { events, hook } = entries;
  let next = settings;
  const extra = () =>
    findOwn(next, isOwn).findLast(
      ({ event, node }, index, all) =>
        !events.includes(event) ||
        all.findIndex((one) => one.event === event) < index ||
        isStrange(getNodeValue(node), hook),
    );
  for (let one = extra(); one !== undefined; one = extra())
    next = { ...next, text: removeUp(next.text, one.path) };
  for (const event of events) {
    const own = findOwn(next, isOwn).find((one) => one.event === event);
    const command = own === undefined ? undefined : member(next, own.node, "command");
    if (command === undefined) next = { ...next, text: addGroup(next, event, { hooks: [hook] }) };
    else if (command.value !== hook.command)
      next = { ...next, text: replaceNode(next.text, command, JSON.stringify(hook.command)) };
  }
  return next.text;
}

/** What people may say of an entry besides what `install` wrote; none of it changes what runs. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...["timeout", "name", "description", "statusMessage", "async"],
]);

/**
 * Whether an entry does something else than run its command: it has another type, or fields that could
 * (an environment, an address, a shell). A project can bring one along under skillpr's name.
 */
function isStrange(entry: object, hook: HookEntries["hook"]): boolean {
  return Object.entries(entry).some(([key, value]) => {
    if (key === "type") return value !== hook["type"];
    return key !== "command" && !HARMLESS.has(key);
  });
}

/** Without skillpr's entries, and without what is empty because of that. */
export function withoutHooks(settings: SettingsText, isOwn: IsOwn): string {
  let next = settings;
  const last = () => findOwn(next, isOwn).at(-1);
  for (let one = last(); one !== undefined; one = last())
    next = { ...next, text: removeUp(next.text, one.path) };
  return next.text;
}

interface Found {
  readonly event: string;
  readonly node: Node;
  /** From the root to the entry, both included. */
  readonly path: readonly Node[];
}

function findOwn(settings: SettingsText, isOwn: IsOwn): Found[] {
  const hooks = hooksObject(settings, parseRoot(settings));
  const found: Found[] = [];
  for (const property of hooks?.children ?? []) {
    const [key, groups] = property.children ?? [];
    for (const node of entriesOf(settings, groups))
      if (isOwn(getNodeValue(node)))
        found.push({ event: String(key?.value), node, path: pathTo(node) });
  }
  const [tooMany] = found.slice(SETTINGS_OWN_ENTRIES_MAX);
  if (tooMany === undefined) return found;
  throw problem(settings, tooMany.node.offset, "it has far too many entries of skillpr");
}

/** The entries of all groups of one event; what has another shape is somebody else's business. */
function entriesOf(settings: SettingsText, groups: Node | undefined): Node[] {
  if (groups?.type !== "array") return [];
  return (groups.children ?? []).flatMap((group) => {
    const list = group.type === "object" ? member(settings, group, "hooks") : undefined;
    return list?.type === "array" ? (list.children ?? []) : [];
  });
}

function pathTo(node: Node): Node[] {
  const path = [node];
  for (let up = node.parent; up !== undefined; up = up.parent) path.unshift(up);
  return path;
}

function addGroup(settings: SettingsText, event: string, group: unknown): string {
  const { text } = settings;
  const root = parseRoot(settings);
  const hooks = hooksObject(settings, root);
  if (hooks === undefined)
    return insertLast(text, root, { key: "hooks", value: { [event]: [group] } });
  const groups = member(settings, hooks, event);
  if (groups === undefined) return insertLast(text, hooks, { key: event, value: [group] });
  if (groups.type === "array") return insertLast(text, groups, { value: group });
  throw problem(settings, groups.offset, `"hooks.${event}" is not a list`);
}

function hooksObject(settings: SettingsText, root: Node): Node | undefined {
  const hooks = member(settings, root, "hooks");
  if (hooks === undefined || hooks.type === "object") return hooks;
  throw problem(settings, hooks.offset, '"hooks" is not an object');
}

/** The value of a key. A key that stands twice means two things to two readers. */
function member(settings: SettingsText, object: Node, name: string): Node | undefined {
  const all = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  const [first, second] = all;
  if (second !== undefined) throw problem(settings, second.offset, `"${name}" stands twice`);
  return first?.children?.[1];
}

/**
 * Takes an entry out, and whatever above it, up to `hooks`, held nothing else. Where a comment
 * would go with it, the list or object around it stays.
 */
function removeUp(text: string, path: readonly Node[]): string {
  let at = path.length - 1;
  // path[0] is the root object, path[1] its property `hooks`.
  while (at > 1 && canGo(text, path[at - 1], path[at])) at -= 1;
  // A property goes with its value or not at all.
  while (path[at]?.type !== "property" && path[at - 1]?.type === "property") at += 1;
  const [container, child] = [path[at - 1], path[at]];
  return container === undefined || child === undefined
    ? text
    : removeChild(text, container, child);
}

/** Whether what holds the child may go with it. */
function canGo(text: string, holder: Node | undefined, child: Node | undefined): boolean {
  if (holder === undefined || child === undefined) return false;
  if (holder.type === "property") return true;
  const key = child.children?.[0]?.value;
  // A group of hooks (`matcher` beside `hooks`) runs nothing once its list is empty.
  const isGroup = child.type === "property" && key === "hooks" && holder.parent?.type === "array";
  if (isGroup) return true;
  if ((holder.children ?? []).length > 1) return false;
  const before = text.slice(holder.offset + 1, child.offset);
  const after = text.slice(child.offset + child.length, holder.offset + holder.length - 1);
  return /^[\s,]*$/.test(before + after);
}

function parseRoot(settings: SettingsText): Node {
  refuseDeep(settings);
  const errors: ParseError[] = [];
  const root = parseTree(settings.text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const what = error === undefined ? "empty" : printParseErrorCode(error.error);
    throw problem(settings, error?.offset ?? 0, `it is not valid JSON (${what})`);
  }
  if (root.type === "object") return root;
  throw problem(settings, root.offset, "it is JSON, but no object");
}

/** Strings and comments whole, so that brackets in them don't count. */
const TOKENS = /"(?:\\[\s\S]|[^"\\])*(?:"|$)|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|[[\]{}]/g;

function refuseDeep(settings: SettingsText): void {
  let depth = 0;
  for (const { 0: token, index } of settings.text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth > SETTINGS_DEPTH_MAX)
      throw problem(settings, index, `it is nested deeper than ${SETTINGS_DEPTH_MAX} levels`);
  }
}

/** Never quotes the text: settings hold keys. */
function problem({ file, text }: SettingsText, offset: number, what: string): SkillprError {
  const line = text.slice(0, offset).split("\n").length;
  return new SkillprError(
    "config",
    `${safeLine(file)}, line ${line}: ${what}`,
    "nothing was changed; repair the file, then run this again",
  );
}
