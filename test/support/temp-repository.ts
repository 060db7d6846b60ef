/** Real repositories in temporary folders, untouched by the user's git config. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);

export interface TemporaryRepositoryOptions {
  /** Name of the repository's folder; default `repository`. */
  readonly name?: string;
  readonly isBare?: boolean;
  readonly objectFormat?: "sha1" | "sha256";
  /** Committed at once as `first`. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface TemporaryRepository extends AsyncDisposable {
  /** Absolute real path of the work tree (or the bare repository). */
  readonly dir: string;
  /** The folder around it, for clones, remotes and files beside; goes with it. */
  readonly home: string;
  /** A folder for temporary files of the code under test. */
  readonly tempRoot: string;
  /** Environment for child processes: own HOME, no user or system git config, fixed dates. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs git in the repository; stdout without the final newline. */
  git(...args: string[]): Promise<string>;
  /** The same in another folder. */
  gitIn(folder: string, ...args: string[]): Promise<string>;
  /** A clone beside it that has no file's content, and nothing checked out; its folder. */
  partialClone(): Promise<string>;
  /** Writes a file of the work tree. */
  write(path: string, content: string | Uint8Array): void;
  /** Commits everything; the commit's id. */
  commit(message?: string): Promise<string>;
  /** Writes an executable hook (shell script body). */
  hook(name: string, body: string): void;
  /** Everything that a run must leave as it was; compare two with toEqual. */
  snapshot(): Promise<Snapshot>;
}

export interface Snapshot {
  /** Byte hashes of files in the git folder that a run must not change; null when absent. */
  readonly gitFiles: Readonly<Record<string, string | null>>;
  /** Every ref except `refs/heads/auto-skill/*`. */
  readonly refs: readonly string[];
  readonly hooks: readonly string[];
  readonly worktrees: readonly string[] | null;
  /** Path, mode and content hash of everything in the work tree. */
  readonly workTree: readonly string[];
}

const FIXED_DATE = "2026-01-02T03:04:05Z";

/** @returns a new repository on branch `main`; dispose it with `await using` */
export async function temporaryRepository(
  options: TemporaryRepositoryOptions = {},
): Promise<TemporaryRepository> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "skillpr-test-")));
  const dir = join(home, options.name ?? "repository");
  const tempRoot = join(home, "temp");
  refuseOwnFolder(home);
  for (const folder of [dir, tempRoot]) mkdirSync(folder, { recursive: true });
  const env = isolatedEnvironment(home);
  const gitIn = async (folder: string, ...args: string[]) => {
    refuseOwnFolder(folder);
    const { stdout } = await execute("git", args, {
      cwd: folder,
      env,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.replace(/\n$/, "");
  };
  const git = (...args: string[]) => gitIn(dir, ...args);
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  };
  const commit = async (message = "change") => {
    await git("add", "--all", "--force");
    await git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", message);
    return git("rev-parse", "HEAD");
  };
  const init = ["init", "--quiet", "--initial-branch=main"];
  if (options.isBare === true) init.push("--bare");
  if (options.objectFormat !== undefined) init.push(`--object-format=${options.objectFormat}`);
  await git(...init);
  for (const [path, content] of Object.entries(options.files ?? {})) write(path, content);
  if (options.files !== undefined) await commit("first");
  return {
    dir,
    home,
    tempRoot,
    env,
    git,
    gitIn,
    partialClone: async () => {
      for (const allowed of ["allowFilter", "allowAnySHA1InWant"])
        await git("config", `uploadpack.${allowed}`, "true");
      const clone = join(home, "partial");
      const how = ["--quiet", "--filter=blob:none", "--no-checkout"];
      await gitIn(home, "clone", ...how, pathToFileURL(dir).href, clone);
      return clone;
    },
    write,
    commit,
    hook: (name, body) => {
      const path = join(dir, ".git/hooks", name);
      writeFileSync(path, `#!/bin/sh\n${body}\n`);
      chmodSync(path, 0o755);
    },
    snapshot: () => takeSnapshot(dir, git),
    [Symbol.asyncDispose]: async () => rmSync(home, { recursive: true, force: true }),
  };
}

/** A test that went astray must never work on the project's own repository. */
function refuseOwnFolder(folder: string): void {
  const way = relative(process.cwd(), resolve(folder));
  if (way === "" || !way.startsWith("..")) throw new Error(`refusing to run git in ${folder}`);
}

/** Also sets this process: code under test starts git with our environment. */
function isolatedEnvironment(home: string): NodeJS.ProcessEnv {
  const isolation = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  Object.assign(process.env, isolation);
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:GIT|XDG)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    ...isolation,
    HOME: home,
    GIT_AUTHOR_NAME: "Robin Example",
    GIT_AUTHOR_EMAIL: "robin@example.com",
    GIT_AUTHOR_DATE: FIXED_DATE,
    GIT_COMMITTER_NAME: "Robin Example",
    GIT_COMMITTER_EMAIL: "robin@example.com",
    GIT_COMMITTER_DATE: FIXED_DATE,
  };
}

async function takeSnapshot(
  dir: string,
  git: (...args: string[]) => Promise<string>,
): Promise<Snapshot> {
  const gitDir = await git("rev-parse", "--absolute-git-dir");
  const commonDir = resolve(dir, await git("rev-parse", "--git-common-dir"));
  const files = ["HEAD", "index", "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "logs/HEAD"];
  const shared = ["config", "config.worktree", "info/exclude", "info/sparse-checkout"];
  const stash = ["refs/stash", "logs/refs/stash"];
  const paths = [
    ...files.map((name) => join(gitDir, name)),
    ...[...shared, ...stash].map((name) => join(commonDir, name)),
  ];
  const refs = await git("for-each-ref", "--format=%(refname) %(objectname) %(symref)");
  const worktrees = join(commonDir, "worktrees");
  const isWorkTree = gitDir !== dir;
  return {
    gitFiles: Object.fromEntries(paths.map((path) => [path, existsSync(path) ? hash(path) : null])),
    refs: refs.split("\n").filter((line) => !line.startsWith("refs/heads/auto-skill/")),
    hooks: existsSync(join(commonDir, "hooks")) ? listFiles(join(commonDir, "hooks")) : [],
    worktrees: existsSync(worktrees) ? listFiles(worktrees) : null,
    workTree: isWorkTree ? listFiles(dir).filter((line) => !/^\.git[/ ]/.test(line)) : [],
  };
}

function listFiles(root: string): string[] {
  const lines: string[] = [];
  const visit = (path: string) => {
    for (const name of readdirSync(join(root, path)).sort()) {
      if (path === "" && name === ".git") continue;
      const below = path === "" ? name : `${path}/${name}`;
      const info = lstatSync(join(root, below));
      const mode = info.mode.toString(8);
      if (info.isDirectory()) visit(below);
      else if (info.isSymbolicLink())
        lines.push(`${below} ${mode} ${readlinkSync(join(root, below))}`);
      else lines.push(`${below} ${mode} ${info.isFile() ? hash(join(root, below)) : "special"}`);
    }
  };
  visit("");
  return lines;
}

function hash(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
