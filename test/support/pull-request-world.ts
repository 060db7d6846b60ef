/** A repository, its origin on a GitHub of its own, and sealed proposals to publish there. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import {
  DEFAULT_PULL_REQUEST,
  type PullRequestConfig,
} from "../../src/core/pull-request-config.ts";
import { DEFAULT_RULE_LEVELS } from "../../src/core/rule-levels.ts";
import {
  openRepository,
  type Repository,
  resolveBase,
  stateDir,
} from "../../src/git/repository.ts";
import type { Outcome, PullRequestResult } from "../../src/outcome.ts";
import type { Proposal } from "../../src/proposal/proposal.ts";
import { writeProposals } from "../../src/proposal/proposal-files.ts";
import { Github } from "../../src/publish/github.ts";
import { githubServer } from "../../src/publish/github-address.ts";
import { PullRequests } from "../../src/publish/pull-requests.ts";
import { publishFolder } from "../../src/publish-sealed.ts";
import { readTemplate } from "../../src/templates.ts";
import { sampleProposal } from "../proposal/sample-proposal.ts";
import { githubAsOrigin } from "./github-origin.ts";
import { FULL_NAME, type GithubServer, identity, TOKEN } from "./github-server.ts";
import { type TemporaryRepository, temporaryRepository } from "./temp-repository.ts";

export const BRANCH = "refs/heads/auto-skill/release-flow";

export interface World extends AsyncDisposable {
  readonly local: TemporaryRepository;
  readonly github: GithubServer;
  /** What was said besides the outcome. */
  readonly notes: string[];
  /** A sealed proposal on the local base, or on the local branch where one is. */
  propose(options?: ProposeOptions): Promise<Proposal>;
  /** What `skillpr publish <dir> --publish pr` does. */
  publish(proposal: Proposal | readonly Proposal[], setting?: Setting): Promise<Outcome>;
  /** The same, down to the one pull request. */
  open(proposal: Proposal, setting?: Setting): Promise<PullRequestResult | undefined>;
  /** What a review in that clone begins with. */
  fetchOpen(dir: string): Promise<void>;
  /** Where a branch is on the remote; null: it isn't. */
  at(ref?: string): string | null;
  /** Somebody commits on a remote branch. */
  commitAs(ref: string, path: string, content: string, env?: NodeJS.ProcessEnv): string;
  /** Requests of a call. */
  count<T>(call: () => Promise<T>): Promise<{ result: T; requests: number; writes: number }>;
}

export interface ProposeOptions {
  readonly skill?: string;
  /** The body of SKILL.md. */
  readonly text?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export interface Setting {
  readonly config?: Partial<PullRequestConfig>;
  readonly apiUrl?: string;
  readonly name?: string;
  readonly dir?: string;
  readonly baseBranch?: string;
  readonly levels?: typeof DEFAULT_RULE_LEVELS;
  readonly token?: string;
}

export function skillText(skill = "release-flow", text = "1. Run `npm test`."): string {
  return `---
name: ${skill}
description: Releases the package. Use when a version is to be published.
version: 1.0.0
metadata:
  source: auto-skill
  extracted_at: '2026-01-02T03:04:05.000Z'
---

# ${skill}

${text}
`;
}

export async function pullRequestWorld(): Promise<World> {
  const local = await temporaryRepository({ files: { "README.md": "# parcels\n" } });
  const github = await githubAsOrigin(local);
  const notes: string[] = [];
  const world: World = {
    local,
    github,
    notes,
    propose: (options = {}) => propose(local, options),
    publish: (given, setting = {}) =>
      publish(world, Array.isArray(given) ? given : [given as Proposal], setting),
    open: async (proposal, setting) => {
      const outcome = await world.publish(proposal, setting);
      const found = outcome.proposals.find(({ skill }) => skill === proposal.skill);
      return found?.pullRequest;
    },
    fetchOpen: (dir) => fetchOpen(world, dir),
    at: (ref = BRANCH) => {
      const id = github.git.git(FULL_NAME, ["for-each-ref", "--format=%(objectname)", ref]);
      return id === "" ? null : id;
    },
    commitAs: (ref, path, content, env = identity()) => commitAs(github, ref, path, content, env),
    count: async (call) => {
      const [requests, writes] = [github.requests.length, github.writes().length];
      const result = await call();
      return {
        result,
        requests: github.requests.length - requests,
        writes: github.writes().length - writes,
      };
    },
    [Symbol.asyncDispose]: async () => {
      await github[Symbol.asyncDispose]();
      await local[Symbol.asyncDispose]();
    },
  };
  return world;
}

async function propose(
  local: TemporaryRepository,
  { skill = "release-flow", text, files = {} }: ProposeOptions,
): Promise<Proposal> {
  const main = await local.git("rev-parse", "main");
  const branch = await local.git(
    "for-each-ref",
    "--format=%(objectname)",
    `refs/heads/auto-skill/${skill}`,
  );
  const parent = branch === "" ? main : branch;
  const all: Record<string, string> = { "SKILL.md": skillText(skill, text), ...files };
  const put = (args: readonly string[], input: string) =>
    execFileSync("git", args, { cwd: local.dir, env: local.env, input, encoding: "utf8" }).trim();
  const entries = Object.entries(all).map(([path, content]) => {
    const id = put(["hash-object", "--no-filters", "-w", "--stdin"], content);
    return `100644 blob ${id}\t${path}\n`;
  });
  const tree = put(["mktree"], entries.join(""));
  return sampleProposal({
    skill,
    operation: branch === "" ? "ADD" : "UPDATE",
    base: { ref: "refs/heads/main", commit: main },
    parent,
    tree,
    files: Object.entries(all).map(([path, content]) => ({ path, content })),
    evidence: [],
  });
}

async function publish(
  world: World,
  proposals: readonly Proposal[],
  setting: Setting,
): Promise<Outcome> {
  const { local } = world;
  const repository = await openRepository(setting.dir ?? local.dir);
  const dir = mkdtempSync(join(local.tempRoot, "proposals-"));
  await writeProposals(dir, proposals);
  const pullRequests = pullRequestsOf(world, repository, setting);
  const place = {
    repository,
    config: {
      base: "main",
      publish: "pr",
      rules: setting.levels ?? DEFAULT_RULE_LEVELS,
      skillsRoot: ".qwen/skills",
    },
  } as const;
  const messageTemplate = readTemplate("commit-message.txt");
  return publishFolder(place, dir, { messageTemplate, pullRequests });
}

/** Where a run publishes its pull requests. */
export function pullRequestsOf(
  world: Pick<World, "github" | "notes">,
  repository: Repository,
  setting: Setting,
): PullRequests {
  const { github, notes } = world;
  const server = githubServer({
    serverUrl: github.git.url,
    apiUrl: setting.apiUrl ?? github.apiUrl,
    graphqlUrl: null,
  });
  const { token = TOKEN } = setting;
  const [owner = "", name = ""] = (setting.name ?? FULL_NAME).split("/");
  return new PullRequests({
    repository,
    github: new Github({ server, token, pauses: { retry: 5, write: 0, notify: 0 } }),
    token,
    name: { owner, name },
    baseBranch: setting.baseBranch ?? null,
    config: { ...DEFAULT_PULL_REQUEST, ...setting.config },
    skillsRoot: ".qwen/skills",
    levels: setting.levels ?? DEFAULT_RULE_LEVELS,
    messageTemplate: readTemplate("commit-message.txt"),
    bodyTemplate: readTemplate("pull-request.md"),
    skillbookMessageTemplate: readTemplate("skillbook-commit-message.txt"),
    skillbookBodyTemplate: readTemplate("skillbook-pull-request.md"),
    editedTemplate: readTemplate("edited-comment.md"),
    stateDir: stateDir(repository),
    onNote: (note) => notes.push(note),
  });
}

async function fetchOpen(world: World, dir: string): Promise<void> {
  const repository = await openRepository(dir);
  await pullRequestsOf(world, repository, {}).fetchOpen(await resolveBase(repository, "main"));
}

function commitAs(
  { git }: GithubServer,
  ref: string,
  path: string,
  content: string,
  env: NodeJS.ProcessEnv,
): string {
  const run = (args: readonly string[], input?: string) =>
    git.git(FULL_NAME, args, {
      env: { ...env, GIT_INDEX_FILE: join(git.bare(FULL_NAME), "test-index") },
      ...(input !== undefined && { input }),
    });
  const tip = run(["rev-parse", ref]);
  run(["read-tree", tip]);
  const blob = run(["hash-object", "-w", "--stdin"], content);
  run(["update-index", "--add", "--cacheinfo", `100644,${blob},${path}`]);
  const commit = run(["commit-tree", run(["write-tree"]), "-p", tip, "-m", "a change of mine"]);
  run(["update-ref", ref, commit]);
  return commit;
}
