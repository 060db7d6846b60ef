/**
 * The history of one commit for a reader that nobody trusts: `git log`, `show`, `diff`, `blame` and
 * `status` in forms that only read. Every revision is turned into a commit id of this history first,
 * every option is one of a list, and paths are literal.
 */
import { posix } from "node:path";
import {
  HISTORY_ARGUMENTS_MAX,
  HISTORY_OUTPUT_MAX_BYTES,
  HISTORY_TIMEOUT_MS,
  QUOTE_MAX_CHARS,
} from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";
import { type Collected, collectOutput } from "./collect-output.ts";
import type { Git } from "./git.ts";
import { type HistoryCommand, parseOptions } from "./history-options.ts";
import { RevisionReader } from "./history-revisions.ts";
import type { Base, Repository } from "./repository.ts";

export interface HistoryAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
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
  "diff.submodule=short",
].flatMap((setting) => ["-c", setting]);
const NO_PROGRAMS = ["--no-ext-diff", "--no-textconv", "--no-color"];
const FIXED: Readonly<Record<HistoryCommand, readonly string[]>> = {
  log: [...NO_PROGRAMS, "--no-show-signature", "--no-notes", "--no-decorate", "--pretty=medium"],
  show: [...NO_PROGRAMS, "--no-show-signature", "--no-notes", "--no-decorate", "--pretty=medium"],
  diff: NO_PROGRAMS,
  // The file of a config is meant from the work tree, and blame fails when it isn't there.
  blame: ["--no-textconv", "--no-ignore-revs-file"],
};

export class GitProjectHistory {
  readonly #git: Git;
  readonly #base: string;
  readonly #revisions: RevisionReader;

  constructor(repository: Repository, base: Pick<Base, "commit">) {
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
    const parsed = parseOptions(command, rest);
    if (!parsed.ok) return refused(parsed.reason);
    const { options, words: named } = parsed;
    const sorted = await this.#revisions.sort(named);
    if (!sorted.ok) return refused(sorted.reason);
    const paths = [...sorted.paths, ...parsed.paths].map(plainPath);
    if (paths.includes(null)) return refused("a path leads out of the repository");
    const given = paths.filter((path) => path !== null);
    return this.#read(command, options, sorted.revisions, given, signal);
  }

  async #read(
    command: HistoryCommand,
    options: readonly string[],
    revisions: readonly string[],
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<HistoryAnswer> {
    const wanted = this.#wanted(command, revisions);
    // Without two commits git would look at the user's work tree, which is nobody's business.
    const isOfWorkTree = options.some((option) => option === "--cached" || option === "--staged");
    if (wanted.length === 0 || isOfWorkTree) return { stdout: "", stderr: "", exitCode: 0 };
    if (command === "diff" && wanted.length > 2) return refused("git diff compares two commits");
    if (command === "blame" && paths.length !== 1) return refused("git blame takes one file");
    const fixed = [...SETTINGS, "--no-pager", command, ...FIXED[command]];
    // Ids are no options; blame doesn't know the word for it.
    const optionsEnd = command === "blame" ? [] : ["--end-of-options"];
    const args = [...fixed, ...options, ...optionsEnd, ...wanted, "--", ...paths];
    const bounds = { timeoutMs: HISTORY_TIMEOUT_MS, signal };
    return answerOf(await collectOutput(this.#git, args, HISTORY_OUTPUT_MAX_BYTES, bounds));
  }

  /** What git is to look at: the base where nothing is named; against the base where one is, for diff. */
  #wanted(command: HistoryCommand, revisions: readonly string[]): readonly string[] {
    if (command !== "diff") return revisions.length === 0 ? [this.#base] : revisions;
    const isOne = revisions.length === 1 && !revisions[0]?.includes("..");
    return isOne ? [...revisions, this.#base] : revisions;
  }

  #status(): HistoryAnswer {
    const stdout = `HEAD detached at ${this.#base.slice(0, 12)}\nnothing to commit, working tree clean\n`;
    const stderr = "git: the base commit is what is seen here, not anybody's work tree\n";
    return { stdout, stderr, exitCode: 0 };
  }
}

function answerOf({ stdout: bytes, stderr, code, end }: Collected): HistoryAnswer {
  const stdout = bytes.toString("utf8");
  if (end === "done") return { stdout, stderr: stderr && `${stderr}\n`, exitCode: code };
  if (end === "stopped") return { stdout, stderr: "git: stopped\n", exitCode: 130 };
  const what =
    end === "cut"
      ? `the output has more than ${HISTORY_OUTPUT_MAX_BYTES} bytes and is cut`
      : `git did not finish within ${HISTORY_TIMEOUT_MS / 1000} seconds`;
  const hint = "narrow it down with -n, a path or --stat";
  return { stdout, stderr: `git: ${what}: ${hint}\n`, exitCode: end === "cut" ? 0 : 124 };
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
