/**
 * Where GitHub is and which repository is meant. The token goes to the server that the user or the
 * environment names, github.com otherwise; a repository's `origin` says which repository on it, and
 * never which server (invariant 6).
 */
import { SkillprError } from "../core/errors.ts";
import { QUOTE_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";

export interface GithubServer {
  /** Origin of the web pages and of git over HTTPS, e.g. `https://github.com`. */
  readonly serverUrl: string;
  /** Of the REST API, e.g. `https://api.github.com` or `https://ghe.example.com/api/v3`. */
  readonly apiUrl: string;
  readonly graphqlUrl: string;
}

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** What names a server: GITHUB_SERVER_URL, GITHUB_API_URL, GITHUB_GRAPHQL_URL, or the user's config. */
export interface ServerNames {
  readonly serverUrl: string | null;
  readonly apiUrl: string | null;
  readonly graphqlUrl: string | null;
}

const GITHUB = "https://github.com";

/** @throws SkillprError `config` for an address that a token must not go to */
export function githubServer(names: ServerNames): GithubServer {
  const serverUrl = checked(names.serverUrl ?? GITHUB, "GITHUB_SERVER_URL");
  const isGithubCom = serverUrl === GITHUB;
  // An Enterprise Server has its API below its own address.
  const apiUrl = checked(
    names.apiUrl ?? (isGithubCom ? "https://api.github.com" : `${serverUrl}/api/v3`),
    "GITHUB_API_URL",
  );
  const graphqlUrl = names.graphqlUrl ?? `${apiUrl.replace(/\/api\/v3$/, "/api")}/graphql`;
  return { serverUrl, apiUrl, graphqlUrl: checked(graphqlUrl, "GITHUB_GRAPHQL_URL") };
}

function checked(address: string, name: string): string {
  const refuse = (why: string) =>
    new SkillprError(
      "config",
      `${name} ${why}: ${safeLine(cut(address, QUOTE_MAX_CHARS))}`,
      "write an https address without a user name, e.g. https://ghe.example.com",
    );
  if (!URL.canParse(address)) throw refuse("is no address");
  const { protocol, username, password, hostname, search, hash } = new URL(address);
  const isLoopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isLoopback))
    throw refuse("must be https, since a token is sent there");
  if (username !== "" || password !== "" || search !== "" || hash !== "")
    throw refuse("must hold nothing but the address");
  return address.replace(/\/+$/, "");
}

/**
 * The repository that is meant.
 * @param named GITHUB_REPOSITORY, `owner/name`; null when it isn't set
 * @param origin raw `remote.origin.url`; null when there is none
 * @throws SkillprError `config` when neither says it, or origin is on another server
 */
export function repositoryOn(
  server: GithubServer,
  { named, origin }: { readonly named: string | null; readonly origin: string | null },
): RepositoryName {
  if (named !== null) return parseName(named, "GITHUB_REPOSITORY");
  const host = new URL(server.serverUrl).host;
  const found = origin === null ? null : parseOrigin(origin);
  if (found === null) {
    throw new SkillprError(
      "config",
      `which repository on ${host} is meant is not known: ${origin === null ? "there is no remote named origin" : "origin is no address of a repository"}`,
      "set GITHUB_REPOSITORY=owner/name, or add the remote: git remote add origin …",
    );
  }
  if (found.host !== host && `${found.host}:443` !== `ssh.${host}:443`) {
    throw new SkillprError(
      "config",
      `origin is on ${safeLine(found.host)}, and the token is for ${host}: it is not sent anywhere else`,
      `for a GitHub Enterprise Server set GITHUB_SERVER_URL (or github.server-url in your config); else set GITHUB_REPOSITORY=owner/name`,
    );
  }
  return parseName(found.path, "origin");
}

/** Whether `origin` is a repository on that server, for `--publish auto`. */
export function isOnServer(server: GithubServer, origin: string | null): boolean {
  const found = origin === null ? null : parseOrigin(origin);
  return found !== null && found.host === new URL(server.serverUrl).host;
}

/** @throws SkillprError `config` */
export function parseName(text: string, where: string): RepositoryName {
  const [, owner, name] =
    /^([A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}))\/([A-Za-z0-9._-]{1,100})$/.exec(text) ?? [];
  if (owner === undefined || name === undefined || /^\.+$/.test(name)) {
    throw new SkillprError(
      "config",
      `${where} names no repository: ${safeLine(cut(text, QUOTE_MAX_CHARS))}`,
      "write owner/name",
    );
  }
  return { owner, name };
}

/** `https://host/owner/name.git`, `ssh://git@host/…`, `git@host:owner/name`; null for anything else. */
function parseOrigin(origin: string): { host: string; path: string } | null {
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)\/?(.+)$/.exec(origin);
  const clean = (path: string) => path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  if (scp?.[1] !== undefined && scp[2] !== undefined)
    return { host: scp[1].toLowerCase(), path: clean(scp[2]) };
  if (!URL.canParse(origin)) return null;
  const url = new URL(origin);
  if (!/^(?:https?|ssh|git|git\+ssh):$/.test(url.protocol)) return null;
  // A port of ssh says nothing about the server's own.
  const host = url.protocol.startsWith("http") ? url.host : url.hostname;
  return {
    host: host.toLowerCase().replace(/^ssh\.github\.com$/, "github.com"),
    path: clean(url.pathname),
  };
}

/** Address of a repository for git. */
export function gitUrl(server: GithubServer, { owner, name }: RepositoryName): string {
  return `${server.serverUrl}/${owner}/${name}.git`;
}

/** The page where a person opens the pull request with two clicks. */
export function compareUrl(
  server: GithubServer,
  repository: RepositoryName,
  base: string,
  head: string,
): string {
  const ref = (name: string) => name.split("/").map(encodeURIComponent).join("/");
  const { owner, name } = repository;
  return `${server.serverUrl}/${owner}/${name}/compare/${ref(base)}...${ref(head)}?expand=1`;
}
