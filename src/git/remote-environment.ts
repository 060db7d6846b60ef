/**
 * What a git that talks to a remote is given, all of it by environment: the credential, and what
 * keeps everybody else's settings out of that one call. Nothing is written, nothing stands in an
 * argument list (https://git-scm.com/docs/git-config#ENVIRONMENT).
 */
import { childEnvironment } from "./child-environment.ts";
import type { GitOptions } from "./git.ts";

export interface RemoteCall {
  /** https address of the repository, without a credential in it. */
  readonly url: string;
  /** Null: without one. */
  readonly token: string | null;
}

/** @param inherited normally process.env */
export function remoteEnvironment(
  inherited: Readonly<NodeJS.ProcessEnv>,
  repository: GitOptions,
  call: RemoteCall,
): Record<string, string> {
  const environment = childEnvironment(inherited, repository);
  const { protocol } = new URL(call.url);
  // Nothing but this transport: no ssh, no file, no helper program for `ext::` or another scheme.
  environment["GIT_ALLOW_PROTOCOL"] = protocol.slice(0, -1);
  for (const name of UNUSED) delete environment[name];
  const settings = [...SETTINGS, ...addressSettings(call)];
  environment["GIT_CONFIG_COUNT"] = String(settings.length);
  for (const [index, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

/** Programs for other transports and for people; the git library refuses to run with them. */
const UNUSED = [
  ...["GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_PROXY_COMMAND"],
  ...["EDITOR", "VISUAL", "PAGER", "PREFIX", "SSH_ASKPASS"],
];

const SETTINGS: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"], // not even pre-push
  ["core.fsmonitor", "false"],
  ["credential.helper", ""], // an empty value forgets the helpers before it, also those of an address
  ["http.extraHeader", ""],
  ["http.followRedirects", "false"], // a token goes where it was meant to go; renames are known from the API
  ["push.pushOption", ""],
  ["push.gpgSign", "false"],
  ["push.recurseSubmodules", "no"],
  ["fetch.recurseSubmodules", "no"],
  ["fetch.writeCommitGraph", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["submodule.recurse", "false"],
];

/**
 * Settings for this one address: git takes the most specific of several, so that the whole address
 * beats what actions/checkout or a person set for the host, in `.git/config` or in a file that it
 * includes (https://git-scm.com/docs/git-config#Documentation/git-config.txt-httplturlgt). The
 * first, empty, header forgets theirs: two of them are refused.
 */
function addressSettings({ url, token }: RemoteCall): [string, string][] {
  const settings: [string, string][] = [
    [`http.${url}.extraHeader`, ""],
    // The longest match wins: nothing rewrites the address.
    [`url.${url}.insteadOf`, url],
    [`url.${url}.pushInsteadOf`, url],
  ];
  if (token !== null)
    settings.push([`http.${url}.extraHeader`, `Authorization: ${basicAuthorization(token)}`]);
  return settings;
}

/** The form that git over HTTP takes every kind of GitHub's tokens in. */
export function basicAuthorization(token: string): string {
  return `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
}
