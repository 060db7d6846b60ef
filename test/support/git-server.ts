/**
 * A git remote over HTTP: bare repositories behind `git http-backend`, as GitHub serves them. It
 * records every request with its Authorization header, and fails on demand.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";

export interface GitRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Every Authorization header that was sent. */
  readonly authorization: readonly string[];
}

export interface GitServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`; a repository is at `/owner/name.git` below it. */
  readonly url: string;
  readonly requests: GitRequest[];
  /** Answers a request instead of git; null lets it through. */
  intercept: ((request: GitRequest) => { status: number; body: string } | null) | null;
  /** Runs before git sees a request: what somebody else does in that moment. */
  onRequest: ((request: GitRequest) => void) | null;
  /** Owns all other paths, e.g. `/api/v3` of a GitHub Enterprise Server. */
  fallback: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  /** Absolute path of a bare repository, made on demand. */
  bare(fullName: string): string;
  /** Runs git in a bare repository; stdout without the final newline. */
  git(fullName: string, args: readonly string[], options?: GitCall): string;
}

export interface GitCall {
  readonly input?: string | Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * @param root a folder for the bare repositories
 * @param token the only one that is let in, for reading and for pushing
 */
export async function startGitServer(root: string, token: string): Promise<GitServer> {
  mkdirSync(root, { recursive: true });
  const http = createServer((request, response) => void serve(request, response));
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  const { port } = http.address() as AddressInfo;
  const server: GitServer = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    intercept: null,
    onRequest: null,
    fallback: null,
    bare: (fullName) => bareRepository(root, fullName),
    git: (fullName, args, options = {}) =>
      execFileSync("git", args as string[], {
        cwd: bareRepository(root, fullName),
        encoding: "utf8",
        stdio: ["pipe", "pipe", "pipe"],
        env: { ...cleanEnvironment(), ...options.env },
        ...(options.input !== undefined && { input: options.input }),
      }).replace(/\n$/, ""),
    [Symbol.asyncDispose]: () => close(http),
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? "";
    const path = /^\/([^/]+\/[^/]+?)\.git(\/[^?]*)(?:\?(.*))?$/.exec(url);
    if (path === null) {
      if (server.fallback !== null) return server.fallback(request, response);
      return answer(response, 404, "Not Found");
    }
    const seen: GitRequest = {
      method: request.method ?? "",
      url,
      authorization: headersOf(request, "authorization"),
    };
    server.requests.push(seen);
    server.onRequest?.(seen);
    const instead = server.intercept?.(seen) ?? null;
    if (instead !== null) return answer(response, instead.status, instead.body);
    // GitHub's own answer to a header that was sent twice.
    if (seen.authorization.length > 1) return answer(response, 400, "Duplicate header");
    if (!isAllowed(seen.authorization[0], token)) {
      response.setHeader("www-authenticate", 'Basic realm="GitHub"');
      return answer(response, 401, "Repository not found.");
    }
    const [, name = "", inside = "", query = ""] = path;
    const found = findRepository(root, name);
    if (found === null) return answer(response, 404, "Repository not found.");
    runBackend(request, response, { root, path: `/${found}.git${inside}`, query });
  }
  return server;
}

function runBackend(
  request: IncomingMessage,
  response: ServerResponse,
  { root, path, query }: { root: string; path: string; query: string },
): void {
  const header = (name: string) => String(request.headers[name] ?? "");
  const child = spawn("git", ["http-backend"], {
    env: {
      ...cleanEnvironment(),
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? "",
      CONTENT_TYPE: header("content-type"),
      CONTENT_LENGTH: header("content-length"),
      HTTP_CONTENT_ENCODING: header("content-encoding"),
      GIT_PROTOCOL: header("git-protocol"),
      REMOTE_USER: "x-access-token",
    },
  });
  child.stdin.on("error", () => {});
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  let isHeadSent = false;
  child.stdout.on("data", (chunk: Buffer) => {
    if (isHeadSent) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    isHeadSent = true;
    for (const line of head.subarray(0, end).toString("latin1").split("\r\n")) {
      const colon = line.indexOf(":");
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
      if (name.toLowerCase() === "status") response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
  });
  child.on("close", () => response.end());
}

function headersOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter(
    (_, index) => rawHeaders[index - 1]?.toLowerCase() === name && index % 2,
  );
}

function isAllowed(header: string | undefined, token: string): boolean {
  const [, encoded = ""] = /^basic (\S+)$/i.exec(header ?? "") ?? [];
  const sent = Buffer.from(encoded, "base64").toString("utf8");
  // With the prefix of a workflow's token, too.
  return sent === `x-access-token:${token}` || sent === `x-access-token:ghs_${token}`;
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.statusCode = status;
  response.end(body);
}

/** Names of repositories have no case on GitHub. */
function findRepository(root: string, fullName: string): string | null {
  const [owner = "", name = ""] = fullName.toLowerCase().split("/");
  for (const folder of readdirSync(root))
    if (folder.toLowerCase() === owner)
      for (const entry of readdirSync(join(root, folder)))
        if (entry.toLowerCase() === `${name}.git`) return `${folder}/${entry.slice(0, -4)}`;
  return null;
}

function bareRepository(root: string, fullName: string): string {
  const dir = join(root, `${fullName}.git`);
  if (findRepository(root, fullName) !== null) return dir;
  mkdirSync(dirname(dir), { recursive: true });
  const env = cleanEnvironment();
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", dir], { env });
  return dir;
}

/** Nothing of a git that runs around the tests, and no config of the machine's. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const isolation = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  return { ...Object.fromEntries(own), ...isolation };
}

export function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done, fail) => {
    server.close((error) => (error === undefined ? done() : fail(error)));
  });
}
