/**
 * GitHub over HTTP on loopback: an emulator of its REST API behind a proxy that adds what the
 * emulator lacks (the errors GitHub answers with, GraphQL's createCommitOnBranch, renamed
 * repositories, `/api/v3`), and a git remote whose branches the pull requests show.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { createEmulator } from "emulate";
import { close, type GitServer, startGitServer } from "./git-server.ts";
import { answerGraphql } from "./github-graphql.ts";

export const TOKEN = "example-token-0123456789";
export const FULL_NAME = "acme/parcels";

export interface ApiRequest {
  readonly method: string;
  /** Without the prefix `/api/v3`. */
  readonly path: string;
  readonly authorization: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A pull request as far as tests look at it. */
export interface ServedPull {
  readonly number: number;
  readonly state: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  readonly html_url: string;
  readonly head: {
    readonly ref: string;
    readonly sha: string;
    readonly label: string;
    readonly repo: Repo | null;
  };
  readonly base: { readonly ref: string; readonly repo: Repo };
  readonly labels: readonly { readonly name: string }[];
  readonly assignees: readonly { readonly login: string }[];
  readonly milestone: { readonly number: number } | null;
  readonly requested_reviewers: readonly { readonly login: string }[];
}

export interface GithubServer extends AsyncDisposable {
  readonly git: GitServer;
  /** Address of the REST API, without `/api/v3`. */
  readonly apiUrl: string;
  readonly requests: ApiRequest[];
  /** Variables that point skillpr here. */
  readonly env: Readonly<Record<string, string>>;
  /** Answers instead of the emulator; tried in order, null passes on. */
  readonly faults: ((request: ApiRequest) => ApiAnswer | null)[];
  /** Old name → name now. */
  readonly renamed: Map<string, string>;
  /** Fork → id of what it is a fork of. */
  readonly forks: Map<string, number>;
  /** Changes what GraphQL commits, as a broken server would. */
  tamper: ((contents: string) => string) | null;
  /** As whom GitHub shows what the token's owner writes in a conversation; default: a program. */
  ours: Readonly<Record<string, unknown>>;
  /** A call as somebody else makes it; not counted. */
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  pulls(state?: "open" | "closed" | "all"): Promise<ServedPull[]>;
  comments(number: number): Promise<{ body: string }[]>;
  /** Somebody says something: on a line, as a review, or below. @returns GitHub's number for it */
  say(number: number, said: Said): Promise<number>;
  closePull(number: number): Promise<void>;
  /** A merge commit (or a squash) on the base branch. */
  mergePull(number: number, how?: "merge" | "squash"): Promise<void>;
  /** Writing requests so far. */
  writes(): ApiRequest[];
}

export interface Said {
  readonly body: string;
  /** Default: `MEMBER`. */
  readonly association?: string;
  readonly isBot?: boolean;
  /** On a line of this file. */
  readonly path?: string;
  readonly line?: number;
  readonly hunk?: string;
  /** In the thread of this comment. */
  readonly inReplyTo?: number;
  /** As a review: `COMMENT`, `REQUEST_CHANGES`, `APPROVE`. */
  readonly event?: string;
}

interface State {
  readonly emulatorUrl: string;
  readonly git: GitServer;
  readonly server: GithubServer;
  /** Number → what the emulator can't keep of a pull request. */
  readonly extras: Map<number, Record<string, unknown>>;
  /** Node ids of pull requests that were made drafts. */
  readonly drafts: Set<string>;
  /** Number → the fork that its branch is in. */
  readonly sources: Map<number, string>;
  /** Number → what was ever set on it. */
  readonly events: Map<number, string[]>;
  /** `line-1`, `review-1`, `comment-1` → what the emulator can't keep of who said what, and where. */
  readonly said: Map<string, Record<string, unknown>>;
  /** The last creation of a pull request. */
  creating: Promise<unknown>;
}

interface Repo {
  readonly full_name: string;
  readonly id: number;
}

/** @param folder for the bare repositories; gone with the caller's temporary folder */
export async function startGithub(folder: string): Promise<GithubServer> {
  const git = await startGitServer(folder, TOKEN);
  const port = await freePort();
  const people = ["kim", "robin", "skillpr-bot"].map((login) => ({ login }));
  const emulator = await createEmulator({
    service: "github",
    port,
    seed: {
      tokens: { [TOKEN]: { login: "skillpr-bot", scopes: ["repo"] } },
      github: {
        users: people,
        orgs: [{ login: "acme", members: [{ login: "skillpr-bot", role: "admin" }] }],
        repos: [
          { owner: "acme", name: "parcels" },
          { owner: "acme", name: "parcels-copy" },
          { owner: "kim", name: "parcels" },
        ],
      },
    },
  });
  const extras = new Map<number, Record<string, unknown>>();
  const http = createServer((request, response) => void serve(state, request, response));
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  const apiUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: GithubServer = {
    git,
    apiUrl,
    requests: [],
    env: { GITHUB_TOKEN: TOKEN, GITHUB_API_URL: apiUrl, GITHUB_SERVER_URL: git.url },
    faults: [],
    renamed: new Map(),
    forks: new Map(),
    tamper: null,
    ours: { author_association: "NONE", user: { login: "skillpr[bot]", type: "Bot" } },
    call: async <T>(method: string, path: string, body?: unknown) => {
      const answer = await forward(state, { method, path, authorization: "", body: body ?? {} });
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status}`);
      return answer.body as T;
    },
    pulls: (state = "all") =>
      server.call("GET", `/repos/${FULL_NAME}/pulls?state=${state}&per_page=100`),
    comments: (number) => server.call("GET", `/repos/${FULL_NAME}/issues/${number}/comments`),
    say: (number, said) => say(state, number, said),
    closePull: async (number) => {
      await server.pulls();
      await server.call("PATCH", `/repos/${FULL_NAME}/pulls/${number}`, { state: "closed" });
    },
    mergePull: (number, how = "merge") => mergePull(state, number, how),
    writes: () => server.requests.filter(({ method }) => method !== "GET"),
    [Symbol.asyncDispose]: async () => {
      await close(http);
      await emulator.close();
      await git[Symbol.asyncDispose]();
    },
  };
  const drafts = new Set<string>();
  const state: State = {
    emulatorUrl: emulator.url,
    git,
    server,
    extras,
    drafts,
    sources: new Map(),
    events: new Map(),
    said: new Map(),
    creating: Promise.resolve(),
  };
  git.fallback = (request, response) => void serve(state, request, response);
  return server;
}

async function freePort(): Promise<number> {
  const socket = createSocket();
  await new Promise<void>((done) => socket.listen(0, "127.0.0.1", done));
  const { port } = socket.address() as AddressInfo;
  await new Promise<void>((done) => socket.close(() => done()));
  return port;
}

async function serve(
  state: State,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const request: ApiRequest = {
    method: incoming.method ?? "GET",
    path: (incoming.url ?? "").replace(/^\/api\/v3(?=\/)/, "").replace(/^\/api(?=\/graphql)/, ""),
    authorization: String(incoming.headers.authorization ?? ""),
    body: text === "" ? {} : JSON.parse(text),
  };
  state.server.requests.push(request);
  const answer = await answerTo(state, request);
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.statusCode = answer.status;
  response.end(answer.status === 204 ? "" : JSON.stringify(answer.body));
}

async function answerTo(state: State, request: ApiRequest): Promise<ApiAnswer> {
  const { server, git } = state;
  for (const fault of server.faults) {
    const answer = fault(request);
    if (answer !== null) return answer;
  }
  if (!/^(?:token|bearer) (?:ghs_)?example-token-0123456789$/i.test(request.authorization))
    return failure(401, "Bad credentials");
  if (request.path === "/graphql") {
    const onDraft = (id: string) => state.drafts.add(id);
    return answerGraphql(git, request.body, { tamper: server.tamper, onDraft });
  }
  const [, name = ""] = /^\/repos\/([^/?]+\/[^/?]+)/.exec(request.path) ?? [];
  const now = server.renamed.get(name);
  if (now !== undefined) {
    const { id } = await server.call<{ id: number }>("GET", `/repos/${now}`);
    return {
      status: 301,
      headers: { location: `${server.apiUrl}/repositories/${id}` },
      body: { message: "Moved Permanently", url: `${server.apiUrl}/repositories/${id}` },
    };
  }
  return forward(state, request);
}

/** What GitHub says to a wrong request. */
export function failure(status: number, message: string, errors?: readonly unknown[]): ApiAnswer {
  const documentation_url = "https://docs.github.com/rest";
  return { status, body: { message, documentation_url, ...(errors && { errors }) } };
}

async function forward(
  state: State,
  given: Omit<ApiRequest, "body"> & { readonly body: unknown },
): Promise<ApiAnswer> {
  const path = given.path.replace(/^\/repos\/[^/?]+\/[^/?]+/, (name) => name.toLowerCase());
  const request = { ...given, path, body: given.body as Record<string, unknown> };
  if (isCreation(request)) return oneByOne(state, () => openPull(state, request));
  const events = eventsOf(state, request);
  if (events !== null) return events;
  const kept = keepExtras(state, request);
  if (kept !== null) return noted(state, request, kept);
  const replied = await reply(state, request);
  if (replied !== null) return replied;
  const told = await conversation(state, request);
  if (told !== null) return told;
  const [, head] = /[?&]head=([^&]+)/.exec(path) ?? [];
  const asked = { ...request, path: path.replace(/([?&])head=[^&]+/, "$1") };
  const answer = noted(state, request, await ask(state, asked));
  if (head === undefined || !Array.isArray(answer.body)) return answer;
  const pulls = answer.body as ServedPull[];
  return { ...answer, body: pulls.filter((pull) => isFound(pull, decodeURIComponent(head))) };
}

/** GitHub's filter takes a fork of the same owner for the repository itself, and misses it. */
function isFound({ head, base }: ServedPull, wanted: string): boolean {
  const [target, source] = [base.repo.full_name, head.repo?.full_name ?? ""];
  const isSibling = source !== target && ownerOf(source) === ownerOf(target);
  return head.label === wanted && !isSibling;
}

const ownerOf = (fullName: string) => fullName.split("/")[0] ?? "";

/** Looking and creating are one step on GitHub: of two at once, one finds the other's. */
async function oneByOne<T>(state: State, step: () => Promise<T>): Promise<T> {
  const turn = state.creating.then(step);
  state.creating = turn.catch(() => {});
  return turn;
}

async function openPull(state: State, request: ApiRequest): Promise<ApiAnswer> {
  return (await validatePull(state, request)) ?? createPull(state, request);
}

/** The emulator's own forks start with a history of theirs: to it all branches are the repository's. */
async function createPull(state: State, request: ApiRequest): Promise<ApiAnswer> {
  const { source, branch } = sourceOf(request);
  const answer = await ask(state, { ...request, body: { ...request.body, head: branch } });
  if (answer.status !== 201) return answer;
  const pull = answer.body as ServedPull;
  if (source !== null) state.sources.set(pull.number, source);
  return { ...answer, body: complete(state, pull) };
}

function isCreation({ method, path }: ApiRequest): boolean {
  return method === "POST" && /^\/repos\/[^/]+\/[^/]+\/pulls$/.test(path);
}

/** Where the branch of a new pull request is; null: in the repository itself. */
function sourceOf({ body }: ApiRequest): { source: string | null; branch: string } {
  const { head, head_repo: name } = body as { head: string; head_repo?: string };
  if (!head.includes(":")) return { source: null, branch: head };
  const [owner = "", branch = ""] = head.split(":");
  return { source: `${owner}/${name ?? "parcels"}`, branch };
}

async function ask(state: State, { method, path, body }: ApiRequest): Promise<ApiAnswer> {
  const answer = await fetch(`${state.emulatorUrl}${path}`, {
    method,
    headers: { authorization: `token ${TOKEN}`, "content-type": "application/json" },
    redirect: "manual",
    ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const link = answer.headers.get("link");
  return {
    status: answer.status,
    body: text === "" ? null : complete(state, JSON.parse(text)),
    ...(link !== null && {
      headers: { link: link.replaceAll(state.emulatorUrl, state.server.apiUrl) },
    }),
  };
}

/** GitHub refuses a pull request whose branches don't exist, that brings nothing, or that is there already. */
async function validatePull(state: State, request: ApiRequest): Promise<ApiAnswer | null> {
  const { git } = state;
  const [, repository = ""] = /^\/repos\/([^/]+\/[^/]+)/.exec(request.path) ?? [];
  const { base } = request.body as { base: string };
  const from = sourceOf(request);
  const { branch } = from;
  const source = from.source ?? repository;
  const tip = refOf(git, source, `refs/heads/${branch}`);
  const target = refOf(git, repository, `refs/heads/${base}`);
  const invalid = (field: string) =>
    failure(422, "Validation Failed", [{ resource: "PullRequest", field, code: "invalid" }]);
  if (tip === null) return invalid("head");
  if (target === null) return invalid("base");
  const custom = (message: string) =>
    failure(422, "Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);
  const brings = source === repository ? git.git(source, ["rev-list", tip, `^${target}`]) : tip;
  if (brings === "") return custom(`No commits between ${base} and ${branch}`);
  const label = `${ownerOf(source)}:${branch}`;
  const open = await state.server.pulls("open");
  const isSame = ({ head, base: target }: ServedPull) =>
    head.repo?.full_name === source && head.ref === branch && target.ref === base;
  if (open.some(isSame)) return custom(`A pull request already exists for ${label}.`);
  return null;
}

const KINDS: readonly (readonly [kind: string, list: RegExp])[] = [
  ["line", /\/pulls\/\d+\/comments(?:\?|$)/],
  ["review", /\/pulls\/\d+\/reviews(?:\?|$)/],
  ["comment", /\/issues\/\d+\/comments(?:\?|$)/],
];

/** To the emulator all is said by its one user. */
async function say({ server, said }: State, number: number, given: Said): Promise<number> {
  const { body, path, line, event, inReplyTo } = given;
  const repository = `/repos/${FULL_NAME}`;
  const [kind, list, fields] =
    path !== undefined || inReplyTo !== undefined
      ? ["line", "pulls", { path, line, in_reply_to_id: inReplyTo }]
      : event === undefined
        ? ["comment", "issues", {}]
        : ["review", "pulls", { event }];
  const last = kind === "review" ? "reviews" : "comments";
  const route = `${repository}/${list}/${number}/${last}`;
  const { id } = await server.call<{ id: number }>("POST", route, { body, ...fields });
  said.set(`${kind}-${id}`, {
    author_association: given.association ?? "MEMBER",
    user: { login: given.isBot ? "helper[bot]" : "kim", type: given.isBot ? "Bot" : "User" },
    ...(given.hunk !== undefined && { diff_hunk: given.hunk }),
  });
  return id;
}

/** The emulator takes replies as comments that name another. */
async function reply(state: State, request: ApiRequest): Promise<ApiAnswer | null> {
  const [, pull, id] = /^(.*\/pulls\/\d+)\/comments\/(\d+)\/replies$/.exec(request.path) ?? [];
  if (pull === undefined) return null;
  const body = { ...request.body, in_reply_to_id: Number(id) };
  return ask(state, { ...request, path: `${pull}/comments`, body });
}

/** What was said, each by who said it; what the token's owner writes is `ours`. */
async function conversation(state: State, request: ApiRequest): Promise<ApiAnswer | null> {
  const [kind] = KINDS.find(([, list]) => list.test(request.path)) ?? [];
  if (kind === undefined || request.method !== "GET") return null;
  const answer = await ask(state, request);
  if (!Array.isArray(answer.body)) return answer;
  const body = (answer.body as { id: number }[]).map((one) => {
    return { ...one, ...(state.said.get(`${kind}-${one.id}`) ?? state.server.ours) };
  });
  return { ...answer, body };
}

function refOf(git: GitServer, fullName: string, ref: string): string | null {
  const found = git.git(fullName, ["for-each-ref", "--format=%(objectname)", ref]);
  return found === "" ? null : found;
}

/** The emulator has neither assignees nor a milestone of a pull request. */
function keepExtras({ extras }: State, { method, path, body }: ApiRequest): ApiAnswer | null {
  const [, number, what] = /\/issues\/(\d+)(\/assignees)?$/.exec(path) ?? [];
  if (number === undefined || method === "GET") return null;
  const mine = extras.get(Number(number)) ?? {};
  const named = body["assignees"] as string[] | undefined;
  const assigned = named && { assignees: named.map((login) => ({ login })) };
  if (what !== undefined) extras.set(Number(number), { ...mine, ...assigned });
  else {
    if (typeof body["milestone"] !== "number") return failure(422, "Validation Failed");
    const milestone = { number: body["milestone"] };
    extras.set(Number(number), { ...mine, ...assigned, milestone });
  }
  return { status: 200, body: {} };
}

const SETTING: readonly (readonly [event: string, path: RegExp])[] = [
  ["labeled", /\/issues\/(\d+)\/labels$/],
  ["assigned", /\/issues\/(\d+)\/assignees$/],
  ["milestoned", /\/issues\/(\d+)$/],
  ["review_requested", /\/pulls\/(\d+)\/requested_reviewers$/],
];

/** Keeps what was set, whatever becomes of it: the emulator has no events. */
function noted({ events }: State, { method, path }: ApiRequest, answer: ApiAnswer): ApiAnswer {
  if (method === "GET" || method === "DELETE" || answer.status >= 400) return answer;
  for (const [event, pattern] of SETTING) {
    const number = Number(pattern.exec(path)?.[1] ?? Number.NaN);
    if (!Number.isNaN(number)) events.set(number, [...(events.get(number) ?? []), event]);
  }
  return answer;
}

function eventsOf({ events }: State, { method, path }: ApiRequest): ApiAnswer | null {
  const [, number] = /\/issues\/(\d+)\/events(?:\?|$)/.exec(path) ?? [];
  if (number === undefined || method !== "GET") return null;
  return { status: 200, body: (events.get(Number(number)) ?? []).map((event) => ({ event })) };
}

/** Pull requests as GitHub shows them: with the commits that their branches are at. */
function complete(state: State, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => complete(state, one));
  const named = value as { full_name?: string } | null;
  const parent = state.server.forks.get(named?.full_name ?? "");
  if (parent !== undefined) {
    const id = 1000 + (named?.full_name?.length ?? 0);
    return { ...named, id, fork: true, parent: { id: parent } };
  }
  if (typeof value !== "object" || value === null || !("head" in value)) return value;
  const pull = structuredClone(value) as {
    number: number;
    node_id: string;
    state: string;
    head: { ref: string; sha: string; label: string; repo: Repo | null };
    base: { ref: string; sha: string; repo: { full_name: string } };
  };
  const { git, extras, drafts } = state;
  const target = pull.base.repo.full_name;
  const source = state.sources.get(pull.number) ?? target;
  if (source !== target) {
    pull.head.repo = { full_name: source, id: 1000 + source.length };
    pull.head.label = `${ownerOf(source)}:${pull.head.ref}`;
  }
  const kept = `refs/pull/${pull.number}/head`;
  const tip = pull.state === "open" ? refOf(git, source, `refs/heads/${pull.head.ref}`) : null;
  if (tip !== null && source === target) git.git(target, ["update-ref", kept, tip]);
  pull.head.sha = tip ?? refOf(git, target, kept) ?? pull.head.sha;
  pull.base.sha = refOf(git, target, `refs/heads/${pull.base.ref}`) ?? pull.base.sha;
  const draft = drafts.has(pull.node_id) ? { draft: true } : {};
  return { ...pull, ...draft, ...extras.get(pull.number) };
}

async function mergePull(state: State, number: number, how: "merge" | "squash"): Promise<void> {
  const { server, git, extras } = state;
  const pull = (await server.pulls()).find((one) => one.number === number);
  if (pull === undefined) throw new Error(`no pull request ${number}`);
  const base = refOf(git, FULL_NAME, `refs/heads/${pull.base.ref}`) ?? "";
  const env = identity();
  const tree = git.git(FULL_NAME, ["merge-tree", "--write-tree", base, pull.head.sha]);
  const parents = how === "merge" ? ["-p", base, "-p", pull.head.sha] : ["-p", base];
  const commit = git.git(FULL_NAME, ["commit-tree", tree, ...parents, "-m", pull.title], { env });
  git.git(FULL_NAME, ["update-ref", `refs/heads/${pull.base.ref}`, commit]);
  await server.closePull(number);
  const mine = extras.get(number) ?? {};
  extras.set(number, { ...mine, merged_at: "2026-01-02T03:04:05Z", merge_commit_sha: commit });
}

export function identity(name = "Kim Example", email = "kim@example.com"): NodeJS.ProcessEnv {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
