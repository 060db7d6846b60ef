/** Which sources may say where GitHub is and what the token is: more of them by hand than in the background. */
import { readIfThere } from "./core/config-file.ts";
import { SkillprError } from "./core/errors.ts";
import { safeLine, trimmed } from "./core/text.ts";
import { keyFilePath, type UserGithub } from "./core/user-sections.ts";
import { type GithubServer, githubServer } from "./publish/github-address.ts";
import { credentialsOf } from "./secrets/credentials.ts";

export interface GithubAccess {
  readonly server: GithubServer;
  /** Null: there is none. */
  readonly token: string | null;
  /** GITHUB_REPOSITORY. */
  readonly repository: string | null;
  /** What to do when there is no token. */
  readonly hint: string;
}

interface Sources {
  /** The `github:` section of the user's config. */
  readonly user: UserGithub;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

/** A person, or a workflow, started the command: the environment over the user's config. */
export function githubByHand({ user, env, home }: Sources): GithubAccess {
  const token = tokenIn(env) ?? ownToken(user, home);
  const serverUrl = trimmed(env["GITHUB_SERVER_URL"]);
  const apiUrl = trimmed(env["GITHUB_API_URL"]);
  const graphqlUrl = trimmed(env["GITHUB_GRAPHQL_URL"]);
  const isNamed = serverUrl !== null || apiUrl !== null;
  return {
    server: githubServer(isNamed ? { serverUrl, apiUrl, graphqlUrl } : { ...user, graphqlUrl }),
    token,
    repository: trimmed(env["GITHUB_REPOSITORY"]),
    hint: "set GITHUB_TOKEN (or GH_TOKEN), or github.token-file in your skillpr config; docs/permissions.md says what it needs",
  };
}

/**
 * Nobody typed anything, and the environment may hold what a repository's `.env` says: the token and
 * its server come from the user's own files alone (invariant 6), the token from the environment only
 * where the user opted in. `env` and `home` are those of hook/confined.ts.
 */
export function githubInBackground({ user, env, home }: Sources): GithubAccess {
  const own = ownToken(user, home);
  return {
    server: githubServer({ ...user, graphqlUrl: null }),
    token: user.fromEnvironment ? (tokenIn(env) ?? own) : own,
    repository: null,
    hint: "put github.token or github.token-file into your skillpr config; in the background the environment counts only with github.from-environment: true there",
  };
}

function tokenIn(env: NodeJS.ProcessEnv): string | null {
  return trimmed(env["GITHUB_TOKEN"]) ?? trimmed(env["GH_TOKEN"]);
}

function ownToken(user: UserGithub, home: string): string | null {
  if (user.token() !== null || user.tokenFile === null) return user.token();
  const path = keyFilePath(user.tokenFile, home, "github.token-file");
  const token = trimmed(readIfThere(path)?.split("\n")[0]);
  if (token !== null) return token;
  throw new SkillprError(
    "config",
    `${safeLine(path)}, the "github.token-file" of your skillpr config, is not there or holds no token`,
    "write the token into its first line, or correct the path",
  );
}

/** The token of the user's config as a value that must appear nowhere. */
export function tokenOf(user: UserGithub): string[] {
  return credentialsOf({ GITHUB_TOKEN: user.token() ?? undefined });
}
