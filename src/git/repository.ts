/** Finding a repository and the commit that skills are proposed against. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import { BASE_SUGGESTIONS_MAX, QUOTE_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";
import { Git, type GitResult, gitFailure } from "./git.ts";
import { requireSupportedGit } from "./git-version.ts";
import { type ObjectFormat, parseCommit } from "./object-format.ts";
import { ObjectReader } from "./object-reader.ts";
import { listRefs, shortRef } from "./refs.ts";

/** A git repository as it was found; from openRepository(). */
export interface Repository {
  /** Top of the work tree, absolute; null for a bare repository. */
  readonly root: string | null;
  /** Absolute git folder of this work tree (a linked one has its own). */
  readonly gitDir: string;
  /** Absolute git folder that all work trees share: objects, refs, config. */
  readonly commonDir: string;
  readonly objectFormat: ObjectFormat;
  readonly isBare: boolean;
  readonly isShallow: boolean;
  readonly git: Git;
}

export interface Base {
  /** Full ref name; null for a detached HEAD or a plain commit. */
  readonly ref: string | null;
  readonly commit: string;
  readonly tree: string;
}

/** Branches that propose something; none of them is what proposals are measured against. */
export const PROPOSAL_REFS = "refs/heads/auto-skill/";

const DISCOVERY = ["--is-bare-repository", "--is-shallow-repository", "--show-object-format"];
// Last, because a bare repository prints no line for it.
const DISCOVERY_PATHS = ["--absolute-git-dir", "--git-common-dir", "--show-cdup"];

/**
 * The repository that holds `dir`. Git's own discovery, with its ownership check; inherited GIT_DIR
 * and the like are ignored, so that it also works inside a git hook.
 * @throws SkillprError `input` (no such folder, no repository, not trusted), `git` (missing, old)
 */
export async function openRepository(
  dir: string,
  options: {
    readonly signal?: AbortSignal;
    /** Whoever owns the folder: a runner's container job works in one of the host's user. */
    readonly isTrusted?: boolean;
  } = {},
): Promise<Repository> {
  const cwd = realFolder(dir);
  const discovery = new Git({ gitDir: null, cwd, signal: options.signal });
  // For this one call, which starts no program; later ones name the git folder, so that git doesn't ask.
  const trust = options.isTrusted === true ? ["-c", "safe.directory=*"] : [];
  const args = [...trust, "rev-parse", ...DISCOVERY, ...DISCOVERY_PATHS];
  const [answer] = await Promise.all([
    discovery.run(args, { okCodes: [0, 128] }),
    requireSupportedGit(discovery),
  ]);
  if (answer.code !== 0) throw discoveryFailure(dir, args, answer);
  const lines = answer.stdout.toString("utf8").split("\n").slice(0, -1);
  const [bare, shallow, format] = lines;
  const { gitDir, common, up } = await discoveredPaths(discovery, lines.slice(DISCOVERY.length));
  if (format !== "sha1" && format !== "sha256")
    throw gitFailure(args, 0, `object format ${format}`);
  const isBare = bare === "true";
  return {
    root: isBare ? null : workTree(cwd, gitDir, up),
    gitDir,
    commonDir: resolve(cwd, common),
    objectFormat: format,
    isBare,
    isShallow: shallow === "true",
    git: new Git({ gitDir, cwd: gitDir, signal: options.signal }),
  };
}

interface DiscoveredPaths {
  readonly gitDir: string;
  /** Relative to where git was asked. */
  readonly common: string;
  /** Undefined outside of a work tree. */
  readonly up: string | undefined;
}

/**
 * Git prints paths as they are: one with a line break takes several lines, and each is asked for alone.
 * @param lines all that was printed for DISCOVERY_PATHS
 */
async function discoveredPaths(git: Git, lines: readonly string[]): Promise<DiscoveredPaths> {
  const [gitDir, common, up, ...more] = lines;
  // In a git folder it has no line, and what stands there is a part of a path.
  const isUp = up === undefined || /^(?:\.\.\/)*$/.test(up);
  if (gitDir !== undefined && common !== undefined && isUp && more.length === 0)
    return { gitDir, common, up };
  const [alone, shared, above] = await Promise.all([
    git.text(["rev-parse", "--absolute-git-dir"]),
    git.text(["rev-parse", "--git-common-dir"]),
    git.run(["rev-parse", "--show-cdup"]),
  ]);
  const cdup = above.stdout.toString("utf8");
  return { gitDir: alone, common: shared, up: cdup === "" ? undefined : cdup.replace(/\n$/, "") };
}

/** Where skillpr keeps its own files of a repository: inside the git folder, shared by all work trees. */
export function stateDir(repository: Repository): string {
  return join(repository.commonDir, "skillpr");
}

/**
 * Git with the user's own work tree and index, for the few commands whose purpose is to change them.
 * @throws Error for a bare repository
 */
export function gitInWorkTree(repository: Repository): Git {
  const { root } = repository;
  if (root === null) throw new Error("a bare repository has no work tree");
  return repository.git.with({ cwd: root, workTree: root });
}

/**
 * Whether git's ignore rules hold for a path of the work tree, whether or not it is there.
 * @param path absolute, or from the work tree's root; a folder's rule is asked with a file in it
 */
export async function isIgnored(repository: Repository, path: string): Promise<boolean> {
  // check-ignore dies of literal pathspecs, and takes paths as they are anyway.
  const args = ["--no-literal-pathspecs", "check-ignore", "-q", "--", path];
  const { code } = await gitInWorkTree(repository).run(args, { okCodes: [0, 1] });
  return code === 0;
}

/**
 * What skills are proposed against: `ref` when given (any spelling git knows), else the remote's
 * default branch as last fetched (`refs/remotes/origin/HEAD`), else HEAD.
 * @param what it is called in an error
 * @throws SkillprError `input` when there is no commit yet or no such base
 */
export async function resolveBase(
  repository: Repository,
  ref?: string,
  what: "base" | "head" = "base",
): Promise<Base> {
  const { git } = repository;
  if (ref === undefined) {
    const format = ["for-each-ref", "--format=%(symref)", "refs/remotes/origin/HEAD"];
    const target = await git.text(format);
    const base = target === "" ? null : await lookUp(repository, target);
    if (base !== null) return base;
    const head = await lookUp(repository, "HEAD");
    if (head?.ref?.startsWith(PROPOSAL_REFS)) throw onProposalBranch(head.ref);
    if (head !== null) return head;
    throw new SkillprError(
      "input",
      "the repository has no commit yet",
      "Make a first commit (`git commit`), or name a branch that exists with --base.",
    );
  }
  // Nothing that git could read as an option or an exclusion; `--verify` refuses ranges.
  const isName = /^[^-^\p{Cc}][^\p{Cc}]*$/u.test(ref);
  const base = isName ? await lookUp(repository, ref) : null;
  if (base !== null) return base;
  throw await baseNotFound(repository, ref, what);
}

function onProposalBranch(ref: string): SkillprError {
  return new SkillprError(
    "input",
    `HEAD is on ${quote(shortRef(ref))}, a proposal, so it says nothing about the base`,
    "Name the branch that proposals are measured against, e.g. --base main.",
  );
}

async function lookUp({ git, objectFormat }: Repository, name: string): Promise<Base | null> {
  const parse = ["rev-parse", "--verify", "--symbolic-full-name", "--end-of-options", name];
  const parsing = git.run(parse, { okCodes: [0, 128] });
  // Of what is more than a name (`@{u}`), cat-file may die.
  if (!/^\w[\w./-]*$/.test(name) && (await parsing).code !== 0) return null;
  // Whoever has a reader open shares its process.
  await using reader = new ObjectReader(git, objectFormat);
  const [symbolic, found] = await Promise.all([parsing, reader.read(`${name}^{commit}`)]);
  if (symbolic.code !== 0 || found?.type !== "commit") return null;
  const full = symbolic.stdout.toString("utf8").trim();
  // Empty and silent: an expression or a commit id. Empty with a complaint: several refs match.
  if (full === "" && symbolic.stderr !== "") {
    throw new SkillprError(
      "input",
      `base ${quote(name)} is ambiguous: more than one ref has this name`,
      `Write the full name, e.g. refs/heads/${quote(name)}.`,
    );
  }
  const { tree } = parseCommit(found.id, found.bytes);
  return { ref: full.startsWith("refs/") ? full : null, commit: found.id, tree };
}

async function baseNotFound(
  repository: Repository,
  ref: string,
  what: string,
): Promise<SkillprError> {
  const refs = await listRefs(repository.git, ["refs/heads/", "refs/remotes/"]);
  const names = refs.slice(0, BASE_SUGGESTIONS_MAX).map(({ name }) => safeLine(name));
  const existing = names.length === 0 ? "There is no branch yet." : `There is ${names.join(", ")}.`;
  const fetch = repository.isShallow
    ? "The clone is shallow: fetch it first (`git fetch --depth=1 origin <branch>`)."
    : "If it exists on the remote only, fetch it first (`git fetch origin <branch>`).";
  return new SkillprError(
    "input",
    `${what} ${quote(ref)} not found, or it is no commit`,
    `${existing} ${fetch}`,
  );
}

function realFolder(dir: string): string {
  try {
    const real = realpathSync(dir);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "ELOOP")) throw error;
  }
  throw new SkillprError(
    "input",
    `${quote(dir)} is not a folder that can be opened`,
    "Give the folder of a git repository with --repo.",
  );
}

function workTree(cwd: string, gitDir: string, up: string | undefined): string | null {
  if (up !== undefined) return resolve(cwd, up);
  // Inside `.git` itself, where some hooks run.
  const parent = dirname(gitDir);
  return basename(gitDir) === ".git" && existsSync(parent) ? parent : null;
}

/** Tells git's refusals apart by its words, which LC_ALL=C pins. */
function discoveryFailure(dir: string, args: readonly string[], answer: GitResult): SkillprError {
  const { stderr } = answer;
  const at = quote(resolve(dir));
  const cause = { cause: { args, code: answer.code, stderr } };
  if (stderr.includes("dubious ownership")) {
    const message = `git does not trust the repository at ${at}: another user owns it`;
    const hint = "If you trust it: `git config --global --add safe.directory <its folder>`.";
    return new SkillprError("input", message, hint, cause);
  }
  if (stderr.includes("bare repository")) {
    const message = `git's safe.bareRepository setting forbids the bare repository at ${at}`;
    const hint = "Use a clone with a work tree, or change that setting.";
    return new SkillprError("input", message, hint, cause);
  }
  if (/unknown repository (extension|format)|repo version/.test(stderr)) {
    const message = `the repository at ${at} needs a newer git: ${stderr}`;
    return new SkillprError("git", message, "Update git on this machine.", cause);
  }
  if (stderr.includes("not a git repository")) {
    const message = `no git repository at ${at}`;
    const hint = "Run skillpr inside a repository, name one with --repo, or `git init` first.";
    return new SkillprError("input", message, hint, cause);
  }
  return gitFailure(args, answer.code, stderr);
}

function quote(text: string): string {
  return safeLine(cut(text, QUOTE_MAX_CHARS));
}
