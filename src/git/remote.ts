/**
 * Talks to a remote: what is where, fetch exactly what is needed, push one commit to one branch. The
 * only file that uses the git library; local work goes through git.ts, where bytes stay bytes.
 */
import { type SimpleGit, simpleGit } from "simple-git";
import { REMOTE_SILENCE_MS, SHALLOW_FETCH_DEPTH } from "../core/limits.ts";
import { interrupted } from "./git.ts";
import { requireId, requireRefName } from "./names.ts";
import type { Ref } from "./refs.ts";
import { basicAuthorization, type RemoteCall, remoteEnvironment } from "./remote-environment.ts";
import { remoteFailure } from "./remote-errors.ts";
import type { Repository } from "./repository.ts";

/** `lost-race`: the branch is not where it was expected. */
export type Pushed = "pushed" | "lost-race";

export interface PushedCommit {
  readonly commit: string;
  /** Full name of the branch. */
  readonly ref: string;
  /** Where the branch must be for this to happen; null: it must not exist. */
  readonly expected: string | null;
}

export interface Remote {
  readonly url: string;
  /**
   * The refs with these names, or below those that end in `/`.
   * @throws SkillprError `git` when the remote doesn't answer or lets nobody in
   */
  list(names: readonly string[]): Promise<Ref[]>;
  /**
   * Brings commits with their history here. No ref, no FETCH_HEAD and no config is written.
   * @throws SkillprError `git`
   */
  fetch(commits: readonly string[]): Promise<void>;
  /** Brings all of the history into a shallow clone. @throws SkillprError `git` */
  unshallow(commit: string): Promise<void>;
  /**
   * Moves a branch from where it was seen to a commit, and only from there.
   * @throws SkillprError `git` when the remote refuses
   */
  push(pushed: PushedCommit): Promise<Pushed>;
  /** Removes a branch that is where it was seen. @throws SkillprError `git` */
  remove(ref: string, expected: string): Promise<Pushed>;
}

/**
 * @param repository where objects are read from and fetched to
 * @param call the address, which the caller has checked, and the credential for it
 */
export function openRemote(repository: Repository, call: RemoteCall): Remote {
  const { url } = call;
  const host = new URL(url).host;
  const run = (args: readonly string[]) => runRemote(repository, call, args);
  const fetch = async (commits: readonly string[], depth: readonly string[]) => {
    commits.forEach(requireId);
    if (commits.length === 0) return;
    const { code, said } = await run([...FETCH, ...depth, url, ...commits]);
    if (code !== 0) throw remoteFailure("fetching from", host, said);
  };
  const push = async (ref: string, source: string, expected: string | null): Promise<Pushed> => {
    requireRefName(ref);
    if (expected !== null) requireId(expected);
    const lease = `--force-with-lease=${ref}:${expected ?? ""}`;
    const { code, said } = await run([...PUSH, lease, url, `${source}:${ref}`]);
    if (code === 0) return "pushed";
    if (LOST_RACE.test(said)) return "lost-race";
    throw remoteFailure("pushing to", host, said);
  };
  return {
    url,
    list: async (names) => {
      for (const name of names) requireRefName(name);
      const patterns = names.map((name) => (name.endsWith("/") ? `${name}*` : name));
      const { code, said, stdout } = await run(["ls-remote", "--quiet", url, ...patterns]);
      if (code !== 0) throw remoteFailure("asking", host, said);
      return refsOf(stdout).filter(({ name }) =>
        names.some((one) => name === one || (one.endsWith("/") && name.startsWith(one))),
      );
    },
    // Only where the clone is shallow already: a depth would cut a whole one off.
    fetch: (commits) =>
      fetch(commits, repository.isShallow ? [`--depth=${SHALLOW_FETCH_DEPTH}`] : []),
    unshallow: (commit) => fetch([commit], ["--unshallow"]),
    push: ({ commit, ref, expected }) => {
      requireId(commit);
      return push(ref, commit, expected);
    },
    remove: (ref, expected) => push(ref, "", expected),
  };
}

const FETCH = [
  "fetch",
  "--quiet",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-auto-maintenance",
  "--recurse-submodules=no",
];
const PUSH = [
  "push",
  "--porcelain",
  "--no-verify",
  "--no-signed",
  "--no-follow-tags",
  "--recurse-submodules=no",
];

/** A lease that didn't hold, and two pushes that came to the same ref at once. */
const LOST_RACE =
  /\[rejected\] \((?:stale info|fetch first|non-fast-forward|already exists)\)|\[remote rejected\] \((?:cannot lock ref|failed to update ref|reference already exists|incorrect old value provided)/;

function refsOf(stdout: string): Ref[] {
  return stdout
    .split("\n")
    .filter((line) => /^[0-9a-f]{40,64}\t/.test(line))
    .map((line) => {
      const [id = "", name = ""] = line.split("\t");
      return { id, name };
    });
}

interface Answer {
  readonly code: number;
  readonly stdout: string;
  /** Both streams, without the credential. */
  readonly said: string;
}

async function runRemote(
  repository: Repository,
  call: RemoteCall,
  args: readonly string[],
): Promise<Answer> {
  const { signal } = repository.git.options;
  if (isAborted(signal)) throw interrupted(args);
  const answers: Answer[] = [];
  try {
    await library(repository, call, (answer) => answers.push(answer)).raw([...args]);
  } catch (error) {
    if (isAborted(signal)) throw interrupted(args);
    if (answers[0] !== undefined) return answers[0];
    const said = error instanceof Error ? error.message : String(error);
    throw remoteFailure(`git ${args[0]} with`, new URL(call.url).host, hide(said, call.token));
  }
  if (answers[0] === undefined) throw new Error("the library gave no answer");
  return answers[0];
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** @param onEnd is told how the process ended; the library itself knows only text or an error */
function library(
  repository: Repository,
  call: RemoteCall,
  onEnd: (answer: Answer) => void,
): SimpleGit {
  const { options } = repository.git;
  const environment = remoteEnvironment(process.env, options, call);
  return simpleGit({
    baseDir: options.cwd,
    // All of it is ours: childEnvironment has dropped what was inherited and redirects git.
    allowEnvironment: Object.keys(environment),
    unsafe: {
      allowUnsafeConfigEnvCount: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeHooksPath: true,
      allowUnsafeFsMonitor: true,
      allowUnsafeCredentialHelper: true,
      allowUnsafeUrlRewrite: true,
      allowUnsafeAskPass: true,
    },
    timeout: { block: REMOTE_SILENCE_MS },
    ...(options.signal !== undefined && { abort: options.signal }),
    errors: (error, { exitCode, stdOut, stdErr }) => {
      // A process that could not be started, or was stopped, has no answer.
      if (error instanceof Error && ("syscall" in error || "plugin" in error)) return error;
      const stdout = Buffer.concat(stdOut).toString("utf8");
      const said = hide(`${Buffer.concat(stdErr).toString("utf8")}\n${stdout}`, call.token);
      onEnd({ code: exitCode, stdout, said });
      return exitCode === 0 ? undefined : new Error("ended");
    },
  }).env(environment);
}

function hide(text: string, token: string | null): string {
  if (token === null) return text;
  const encoded = basicAuthorization(token).replace(/^Basic /, "");
  return text.replaceAll(token, "***").replaceAll(encoded, "***");
}
