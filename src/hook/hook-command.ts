/** The command line of the hook, as it stands in an agent's settings. */
import { posix, win32 } from "node:path";

export interface HookProgram {
  /** Absolute path of Node.js. */
  readonly node: string;
  /** Absolute path of skillpr's `cli.js`. */
  readonly cli: string;
}

/** The name that an entry carries where the agent has names. */
export const HOOK_NAME = "skillpr";

/**
 * `test -f CLI && NODE CLI hook || true`: once the file is gone it does nothing, and whatever
 * happens the agent sees no failure. Never npx, which costs half a second and may ask the network.
 */
export function hookCommand({ node, cli }: HookProgram): string {
  return `test -f ${shellWord(cli)} && ${shellWord(node)} ${shellWord(cli)} hook || true`;
}

/**
 * One word for a POSIX shell. A `$` is never followed by a name, not even inside quotes: the agents
 * put environment variables into every text of their settings before a shell sees it.
 */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_/.,:@%+=-]+$/.test(text)) return text;
  // Functions, because `$'` in a replacement would mean something else.
  const quoted = text.replace(/['$]/g, (sign) => (sign === "$" ? "$''" : "'\\''"));
  return `'${quoted}'`;
}

/** What a command of the shape above runs; null for any other. */
export function parseHookCommand(command: string): HookProgram | null {
  const words = wordsOf(command);
  if (words === null) return null;
  const [test, flag, tested, and, node, cli, hook, or, ok] = words;
  const isShape =
    words.length === 9 &&
    [test, flag, and, hook, or, ok].join(" ") === "test -f && hook || true" &&
    tested === cli;
  if (!isShape || node === undefined || cli === undefined) return null;
  return [posix, win32].some((path) => path.basename(cli) === "cli.js") ? { node, cli } : null;
}

/** Words of a line without expansions: plain characters, single quotes and `\'`; null for anything else. */
function wordsOf(line: string): string[] | null {
  const words: string[] = [];
  const word = /\s*((?:'[^']*'|\\'|[^\s'"\\$`*?~#])+)(?=\s|$)/y;
  while (word.lastIndex < line.trimEnd().length) {
    const [, raw] = word.exec(line) ?? [];
    if (raw === undefined || raw === "") return null;
    words.push(raw.replace(/'([^']*)'|\\'/g, (_, quoted?: string) => quoted ?? "'"));
  }
  return words;
}

/** Whether an entry of an agent's settings is skillpr's, of whatever version and path. */
export function isOwnHook(hook: unknown): boolean {
  if (typeof hook !== "object" || hook === null) return false;
  const [name, command] = [Reflect.get(hook, "name"), Reflect.get(hook, "command")];
  if (typeof command !== "string") return false;
  // Somebody else's entry may have the same shape; then it has a name of its own.
  return name === undefined ? parseHookCommand(command) !== null : name === HOOK_NAME;
}
