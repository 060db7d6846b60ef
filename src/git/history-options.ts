/**
 * Which options of `git log`, `show`, `diff` and `blame` somebody untrusted may use: those that
 * select and format. None writes a file, runs a program, reads outside the repository or looks
 * beyond the commits it is given.
 */

import { SHELL_COMMAND_MAX_CHARS } from "../core/limits.ts";

/** How an option takes its value: not at all, always, only behind `=`. */
type Shape = "flag" | "value" | "optional";

export type HistoryCommand = "log" | "show" | "diff" | "blame";

const FORMAT: Readonly<Record<string, Shape>> = {
  "--oneline": "flag",
  "--pretty": "optional",
  "--format": "value",
  "--date": "value",
  "--abbrev-commit": "flag",
  "--no-abbrev-commit": "flag",
  "--abbrev": "optional",
  "--no-decorate": "flag",
  "--graph": "flag",
};

const DIFF: Readonly<Record<string, Shape>> = {
  ...flags("-p -u --patch -s --no-patch --raw --stat --shortstat --numstat --summary"),
  ...flags("--name-only --name-status --compact-summary --full-index --minimal --patience"),
  ...flags("--histogram -w -b --ignore-all-space --ignore-space-change --ignore-blank-lines"),
  ...flags("--no-renames -R --no-color --function-context -W --pickaxe-regex --pickaxe-all"),
  "--stat": "optional",
  "-U": "value",
  "--unified": "value",
  "-M": "optional",
  "-C": "optional",
  "--find-renames": "optional",
  "--find-copies": "optional",
  "--diff-filter": "value",
  "--dirstat": "optional",
  "-S": "value",
  "-G": "value",
};

const LOG: Readonly<Record<string, Shape>> = {
  ...flags("-i -E -F --regexp-ignore-case --extended-regexp --fixed-strings --all-match"),
  ...flags("--invert-grep --reverse --follow --merges --no-merges --first-parent -m -c --cc"),
  ...flags("--topo-order --date-order --author-date-order --full-history --simplify-merges"),
  "-n": "value",
  "--max-count": "value",
  "--skip": "value",
  "--since": "value",
  "--after": "value",
  "--until": "value",
  "--before": "value",
  "--author": "value",
  "--committer": "value",
  "--grep": "value",
  "-L": "value",
};

const OPTIONS: Readonly<Record<HistoryCommand, Readonly<Record<string, Shape>>>> = {
  log: { ...FORMAT, ...DIFF, ...LOG },
  show: { ...FORMAT, ...DIFF, ...flags("-m -c --cc --first-parent") },
  diff: { ...DIFF, ...flags("--cached --staged --quiet --exit-code --merge-base") },
  blame: {
    ...flags("-w -l -t -s -e -f -n -c -p --porcelain --line-porcelain --show-name --show-number"),
    ...flags("--show-email --first-parent --root"),
    "--date": "value",
    "--abbrev": "value",
    "-M": "optional",
    "-C": "optional",
    "-L": "value",
    "--since": "value",
  },
};

/** Names of `--pretty` that are git's own; others come from a config, and may run programs. */
const PRETTY = /^(?:oneline|short|medium|full|fuller|reference|email|raw)$/;

export type ParsedOptions =
  | {
      readonly ok: true;
      /** One argument each, as git is given them. */
      readonly options: readonly string[];
      /** What is neither option nor value: revisions or paths. */
      readonly words: readonly string[];
      /** What follows `--`. */
      readonly paths: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** Sorts and checks the arguments behind the command's name. */
export function parseOptions(command: HistoryCommand, args: readonly string[]): ParsedOptions {
  const separator = args.indexOf("--");
  const end = separator === -1 ? args.length : separator;
  const options: string[] = [];
  const words: string[] = [];
  for (let at = 0; at < end; at++) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-") || arg === "-") {
      words.push(arg);
      continue;
    }
    const option = readOption(command, arg, at + 1 < end ? args[at + 1] : undefined);
    if (typeof option === "string") return { ok: false, reason: option };
    const problem = problemOf(option.name, option.value);
    if (problem !== null) return { ok: false, reason: problem };
    options.push(joined(option.name, option.value));
    if (option.tookNext) at += 1;
  }
  return { ok: true, options, words, paths: args.slice(end + 1) };
}

interface Option {
  readonly name: string;
  readonly value: string | null;
  readonly tookNext: boolean;
}

/** @returns a sentence when the option is not one of the list */
function readOption(
  command: HistoryCommand,
  arg: string,
  next: string | undefined,
): Option | string {
  const { name, attached } = splitOption(arg);
  const shape = new Map(Object.entries(OPTIONS[command])).get(name);
  if (shape === undefined || (shape === "flag" && attached !== null))
    return `the option ${arg} of git ${command} is not available here`;
  if (shape === "value" && attached === null) {
    if (next === undefined) return `the option ${arg} of git ${command} needs a value`;
    return { name, value: next, tookNext: true };
  }
  return { name, value: attached, tookNext: false };
}

/** `-5` and `-n5` are `-n 5`; `--since=x` is `--since x`. */
function splitOption(arg: string): { readonly name: string; readonly attached: string | null } {
  if (/^-\d+$/.test(arg)) return { name: "-n", attached: arg.slice(1) };
  if (!arg.startsWith("--"))
    return { name: arg.slice(0, 2), attached: arg.length > 2 ? arg.slice(2) : null };
  const equals = arg.indexOf("=");
  if (equals === -1) return { name: arg, attached: null };
  return { name: arg.slice(0, equals), attached: arg.slice(equals + 1) };
}

/** Dates by name: a format of one's own has widths, which take memory without end. */
const DATE =
  /^(?:(?:relative|local|default|iso|iso8601|iso-strict|iso8601-strict|rfc|rfc2822|short|raw|human)(?:-local)?|unix)$/;

/**
 * Placeholders that say what a commit itself says. Not here: names of branches and tags (`%d`, `%D`,
 * `%S`, `%(describe)`), notes, the reflog, signatures (they start a program), and widths.
 */
const PLACEHOLDER =
  /^%[-+ ]?(?:[nHhTtPpesbBm%]|[ac][nNeElLdDrtiIsh]|x[0-9A-Fa-f]{2}|C(?:red|green|blue|reset)|C\((?!always)[\w ,#]*\)|\(trailers(?::[^()]*)?\))/;

const PATTERNS: readonly string[] = ["-G", "-S", "-L", "--grep", "--author", "--committer"];

function problemOf(name: string, value: string | null): string | null {
  if (value === null) return null;
  if (value.includes("\0")) return `the value of ${name} holds a NUL byte`;
  if (name === "--date")
    return DATE.test(value)
      ? null
      : "a date has one of git's named formats here, e.g. iso or short";
  if (PATTERNS.includes(name) && value.length * repeatsOf(value) > SHELL_COMMAND_MAX_CHARS)
    return `the pattern of ${name} repeats too much`;
  // The file of -L is no path behind `--`: git looks for an absolute one on the disk.
  if (name === "-L" && /:\s*[/~]|:(?:.*\/)?\.\.(?:\/|$)/s.test(value))
    return "a path leads out of the repository";
  if (/%\(trailers:[^()]*value/i.test(value))
    return "a trailer is shown with its name here: by its value alone a secret can't be told";
  return name === "--pretty" || name === "--format" ? formatProblem(value) : null;
}

function formatProblem(value: string): string | null {
  const isOwn =
    value === "" || PRETTY.test(value) || /^t?format:/.test(value) || value.includes("%");
  if (!isOwn) return `the format ${value} is not one of git's own`;
  for (let at = value.indexOf("%"); at !== -1; ) {
    const [found] = PLACEHOLDER.exec(value.slice(at)) ?? [];
    if (found === undefined)
      return `the placeholder ${value.slice(at, at + 12)} is not available here`;
    at = value.indexOf("%", at + found.length);
  }
  return null;
}

/** How often a pattern repeats its parts: each is a copy in memory, as if it were written out. */
function repeatsOf(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d*)(?:,(\d*))?\\?\}/g)];
  return counts.reduce((all, [, from, to]) => all * Math.max(1, Number(to || from || 1)), 1);
}

function joined(name: string, value: string | null): string {
  if (value === null) return name;
  return name.startsWith("--") ? `${name}=${value}` : `${name}${value}`;
}

function flags(names: string): Record<string, Shape> {
  return Object.fromEntries(names.split(" ").map((name) => [name, "flag"]));
}

/** Whether an option tells by its outcome what a text holds, also where the text itself is not shown. */
export function isSearch(option: string): boolean {
  if (/^(?:-[SG]|--grep=)/.test(option)) return true;
  // Two numbers, of which one may be missing, name the lines; everything else is a pattern.
  return option.startsWith("-L") && !/^-L(?:\d+|(?=,\d))(?:,[+-]?\d*)?(?::|$)/.test(option);
}
