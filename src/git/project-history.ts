/**
 * The history of one commit for a reader that nobody trusts: `git log`, `show`, `diff`, `blame` and
 * `status` in forms that only read. Every revision is turned into a commit id of this history first,
 * every option is one of a list, and paths are literal. Git has an empty folder for its work tree, so
 * that no form of a command can reach the user's files, nor those of the git folder.
 */
import { mkdirSync } from "node:fs";
import { join, posix } from "node:path";
import {
  HISTORY_ARGUMENTS_MAX,
  HISTORY_OUTPUT_MAX_BYTES,
  HISTORY_SEARCHES_MAX,
  HISTORY_TIMEOUT_MS,
  QUOTE_MAX_CHARS,
} from "../core/limits.ts";
import { cut, safeLine, shortCommit } from "../core/text.ts";
import { type Collected, collectOutput } from "./collect-output.ts";
import type { Git } from "./git.ts";
import {
  type HistoryCommand,
  isSearch,
  type ParsedOptions,
  parseOptions,
} from "./history-options.ts";
import { type Revision, RevisionReader } from "./history-revisions.ts";
import { removeRunFolder } from "./remove-folder.ts";
import type { Base, Repository } from "./repository.ts";
import { createRunFolder } from "./run-folder.ts";
import { filesNamed, filesOfPatch, filesOfRanges, type ShownFiles } from "./shown-files.ts";

export interface HistoryAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** The files of which stdout shows lines, whole. */
  readonly files?: readonly string[];
}

const COMMANDS: readonly string[] = ["log", "show", "diff", "blame", "status"];

/** Whatever a config says: no program is run, no file is read besides git's own, nothing is coloured. */
const SETTINGS: readonly string[] = [
  "color.ui=never",
  "color.diff=never",
  "log.showSignature=false",
  "log.mailmap=false",
  "diff.orderFile=/dev/null",
  "diff.external=",
  "core.attributesFile=/dev/null",
  "mailmap.file=/dev/null",
  "diff.submodule=short",
].flatMap((setting) => ["-c", setting]);
const NO_PROGRAMS = ["--no-ext-diff", "--no-textconv", "--no-color"];
const DIFFS = [...NO_PROGRAMS, "--full-index"];
const COMMITS = [...DIFFS, "--no-show-signature", "--no-notes", "--no-decorate", "--pretty=medium"];
const FIXED: Readonly<Record<HistoryCommand, readonly string[]>> = {
  log: COMMITS,
  show: COMMITS,
  diff: DIFFS,
  // The file of a config is meant from the work tree, and blame fails when it isn't there.
  blame: ["--no-textconv", "--no-ignore-revs-file"],
};

export class GitProjectHistory {
  readonly #repository: Repository;
  readonly #git: Git;
  readonly #base: string;
  readonly #revisions: RevisionReader;
  #searches = 0;

  constructor(repository: Repository, base: Pick<Base, "commit">) {
    this.#repository = repository;
    this.#git = repository.git.with({ lazyFetch: false });
    this.#base = base.commit;
    this.#revisions = new RevisionReader(this.#git, base.commit);
  }

  /**
   * @param args as after `git`: `["log", "-5", "--", "src/a.ts"]`; paths from the repository's root
   * @param signal ends git; what it answered until then is kept
   * @returns git's answer, or what is not allowed on stderr with a non-zero code
   */
  async run(args: readonly string[], signal: AbortSignal): Promise<HistoryAnswer> {
    if (args.length > HISTORY_ARGUMENTS_MAX || args.some((arg) => arg.includes("\0")))
      return refused("too many arguments, or a NUL byte in one");
    const words = args[0] === "--no-pager" || args[0] === "-P" ? args.slice(1) : args;
    const [command, ...rest] = words;
    if (command === "status") return this.#status();
    if (!isHistoryCommand(command))
      return refused(`only ${COMMANDS.map((name) => `git ${name}`).join(", ")} are available here`);
    const parsed = this.#parse(command, rest);
    if (!parsed.ok) return refused(parsed.reason);
    const { options, words: named } = parsed;
    const sorted = await this.#revisions.sort(named);
    if (!sorted.ok) return refused(sorted.reason);
    const paths = [...sorted.paths, ...parsed.paths].map(plainPath);
    if (paths.includes(null)) return refused("a path leads out of the repository");
    const given = paths.filter((path) => path !== null);
    // Without two commits git would look at the user's work tree, which is nobody's business.
    const isOfWorkTree = options.some((option) => option === "--cached" || option === "--staged");
    if (command === "diff" && (sorted.revisions.length === 0 || isOfWorkTree))
      return { stdout: "", stderr: "", exitCode: 0 };
    const problem =
      problemOf(command, sorted.revisions, given) ??
      (await this.#pathProblem(command, sorted.revisions, given));
    if (problem !== null) return refused(problem);
    return this.#read(command, options, sorted.revisions, given, signal);
  }

  /** Counts the searches too: so many of them would spell out what redaction hides. */
  #parse(command: HistoryCommand, args: readonly string[]): ParsedOptions {
    const parsed = parseOptions(command, args);
    if (parsed.ok && parsed.options.some(isSearch)) this.#searches += 1;
    if (this.#searches <= HISTORY_SEARCHES_MAX) return parsed;
    const reason = `the history's texts were searched ${HISTORY_SEARCHES_MAX} times, which is the most`;
    return parsed.ok && !parsed.options.some(isSearch) ? parsed : { ok: false, reason };
  }

  async #pathProblem(
    command: HistoryCommand,
    revisions: readonly Revision[],
    paths: readonly string[],
  ): Promise<string | null> {
    for (const path of paths) {
      if (command === "blame") {
        const commit = revisions[0]?.text ?? this.#base;
        if ((await this.#revisions.typeOf(commit, path)) !== "file")
          return `${path} is not a tracked file of that commit`;
      } else if (!(await this.#revisions.hasPath(path)))
        return `${path} is not a path of this history`;
    }
    return null;
  }

  async #read(
    command: HistoryCommand,
    options: readonly string[],
    revisions: readonly Revision[],
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<HistoryAnswer> {
    // Ids are no options; blame doesn't know the word for it.
    const optionsEnd = command === "blame" ? [] : ["--end-of-options"];
    const wanted = this.#wanted(command, revisions);
    const fixed = [...SETTINGS, "--no-pager", command, ...FIXED[command]];
    const args = [...fixed, ...options, ...optionsEnd, ...wanted, "--", ...paths];
    const folder = createRunFolder(this.#repository);
    try {
      const empty = join(folder, "empty");
      mkdirSync(empty, { mode: 0o700 });
      const git = this.#git.with({ cwd: empty });
      // As an option: it goes before core.worktree, and the user's index stays out of sight.
      const inEmpty = [`--work-tree=${empty}`, ...args];
      const bounds = { timeoutMs: HISTORY_TIMEOUT_MS, signal };
      const collected = await collectOutput(git, inEmpty, HISTORY_OUTPUT_MAX_BYTES, bounds);
      const { gitDir, commonDir, root } = this.#repository;
      const hidden = [empty, gitDir, commonDir, ...(root === null ? [] : [root])];
      const answer = answerOf(collected, hidden);
      return { ...answer, ...(await this.#shownFiles(command, options, revisions, paths, answer)) };
    } finally {
      removeRunFolder(folder);
    }
  }

  async #shownFiles(
    command: HistoryCommand,
    options: readonly string[],
    revisions: readonly Revision[],
    paths: readonly string[],
    { stdout }: HistoryAnswer,
  ): Promise<ShownFiles> {
    const wanted = this.#wanted(command, revisions);
    if (command === "blame") {
      const names = paths.map((path) => `${wanted[0]}:${path}`);
      return filesNamed(this.#git, this.#repository, stdout, names);
    }
    const ranges = options.filter((option) => option.startsWith("-L"));
    if (ranges.length === 0) return filesOfPatch(this.#git, this.#repository, stdout);
    const raw = ["--raw", "--no-abbrev", "--format=", "-m", "--follow"];
    const log = [...SETTINGS, "log", ...FIXED.log, ...raw, "--end-of-options", ...wanted];
    return filesOfRanges(this.#git, this.#repository, stdout, ranges, log);
  }

  /** What git is to look at: the base where nothing is named; against the base where one is, for diff. */
  #wanted(command: HistoryCommand, revisions: readonly Revision[]): readonly string[] {
    const wanted = revisions.map(({ text }) => text);
    if (wanted.length === 0) return [this.#base];
    const isOne = command === "diff" && wanted.length === 1 && revisions[0]?.kind === "commit";
    return isOne ? [...wanted, this.#base] : wanted;
  }

  #status(): HistoryAnswer {
    const stdout = `HEAD detached at ${shortCommit(this.#base)}\nnothing to commit, working tree clean\n`;
    const stderr = "git: the base commit is what is seen here, not anybody's work tree\n";
    return { stdout, stderr, exitCode: 0 };
  }
}

/** Why these revisions and paths are none for the command. */
function problemOf(
  command: HistoryCommand,
  revisions: readonly Revision[],
  paths: readonly string[],
): string | null {
  const kinds = revisions.map(({ kind }) => kind);
  if (command !== "show" && kinds.includes("object"))
    return `git ${command} takes commits; a file of a commit is shown by git show`;
  if (command === "diff") {
    const isPair = kinds.length <= 2 && kinds.every((kind) => kind === "commit");
    const isRange = kinds.length === 1 && kinds[0] === "range";
    return isPair || isRange ? null : "git diff compares two commits, or one range";
  }
  if (command !== "blame") return null;
  if (kinds.length > 1 || (kinds[0] ?? "commit") !== "commit")
    return "git blame takes one commit, and no range";
  return paths.length === 1 ? null : "git blame takes one file";
}

/** @param hidden folders of this machine, which nobody needs to hear of */
function answerOf(collected: Collected, hidden: readonly string[]): HistoryAnswer {
  const { stdout: bytes, code, end } = collected;
  const stdout = bytes.toString("utf8");
  const stderr = withoutHostPaths(collected.stderr, hidden);
  if (end === "done") return { stdout, stderr: stderr && `${stderr}\n`, exitCode: code };
  if (end === "stopped") return { stdout, stderr: "git: stopped\n", exitCode: 130 };
  const what =
    end === "cut"
      ? `the output has more than ${HISTORY_OUTPUT_MAX_BYTES} bytes and is cut`
      : `git did not finish within ${HISTORY_TIMEOUT_MS / 1000} seconds`;
  const hint = "narrow it down with -n, a path or --stat";
  // Half of the last line may be half of a secret, which nobody would know for one.
  const whole = stdout.slice(0, stdout.lastIndexOf("\n") + 1);
  return { stdout: whole, stderr: `git: ${what}: ${hint}\n`, exitCode: end === "cut" ? 0 : 124 };
}

/** Git's words without any absolute path: those it was given are relative. */
function withoutHostPaths(stderr: string, hidden: readonly string[]): string {
  const known = hidden.reduce((text, path) => text.replaceAll(path, "/…"), stderr);
  return known.replace(/(?<![\w.…/-])\/[^\s'":,]+/g, "…");
}

function isHistoryCommand(command: string | undefined): command is HistoryCommand {
  return command === "log" || command === "show" || command === "diff" || command === "blame";
}

function refused(reason: string): HistoryAnswer {
  return {
    stdout: "",
    stderr: `git: ${safeLine(cut(reason, QUOTE_MAX_CHARS * 2))}\n`,
    exitCode: 129,
  };
}

/** A path inside the repository, without `.` and `..`; null when it leads out. */
function plainPath(path: string): string | null {
  if (path === "" || path.startsWith("/")) return null;
  const plain = posix.normalize(path);
  return plain === ".." || plain.startsWith("../") ? null : plain;
}
