/** What a remote, or the way to it, answers to a push or a fetch, told so that somebody can act on it. */
import { SkillprError } from "../core/errors.ts";
import { GIT_STDERR_MAX_CHARS, QUOTE_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";

interface Known {
  readonly words: RegExp;
  readonly message: string;
  readonly hint: string;
}

const PERMISSIONS = "docs/permissions.md lists what each kind of token needs";

/** GitHub's and git's own words; LC_ALL=C pins git's. */
const KNOWN: readonly Known[] = [
  {
    words: /GH013[\s\S]*(?:verified signatures|signed|signatures)/i,
    message: "the repository's rules require signed commits (GH013)",
    hint: "set `pull-request.sign-commits: true` in your skillpr config, or use --sign-commits",
  },
  {
    words: /without [`'"]?workflows?[`'"]? (?:scope|permission)/i,
    message: "the token may not push a branch whose workflow files differ from what it knows",
    hint: `give the token the permission "workflows", or bring the default branch up to date; ${PERMISSIONS}`,
  },
  {
    words: /GH006|GH013|protected branch/i,
    message: "a rule of the repository forbids this push",
    hint: "let the token's owner past the rule for branches under auto-skill/, or exempt that name",
  },
  {
    words: /shallow update not allowed/i,
    message: "a shallow clone can't be pushed to another repository",
    hint: "fetch the rest first (git fetch --unshallow; with actions/checkout: fetch-depth: 0)",
  },
  {
    words: /secret scanning|GH009|push protection/i,
    message: "GitHub's push protection found a secret in this push",
    hint: "reject the proposal; the findings of `skillpr show` may say where it is",
  },
  {
    words: /could not read (?:Username|Password)|Authentication failed|error: 401|HTTP 401/i,
    message: "the remote did not accept the token",
    hint: `check that it isn't expired and belongs to this server; ${PERMISSIONS}`,
  },
  {
    words: /error: 403|HTTP 403|Permission to \S+ denied|Write access to repository not granted/i,
    message: "the token may not write to this repository",
    hint: `it needs "contents: write"; ${PERMISSIONS}`,
  },
  {
    words: /Repository not found|repository '[^']*' not found|error: 404/i,
    message: "the remote has no such repository, or the token can't see it",
    hint: `check the name, and that the token covers it; ${PERMISSIONS}`,
  },
  {
    words: /Could not resolve host|Failed to connect|Connection (?:refused|reset|timed out)/i,
    message: "the remote can't be reached",
    hint: "check the network and the address, then run this again",
  },
  {
    words: /error: 5\d\d|HTTP 5\d\d|unexpected disconnect|early EOF|hung up unexpectedly/i,
    message: "the remote had an outage",
    hint: "run this again in a while; nothing was lost",
  },
];

/** @param said stderr and stdout of the call, without the credential */
export function remoteFailure(what: string, host: string, said: string): SkillprError {
  const known = KNOWN.find(({ words }) => words.test(said));
  const cause = { cause: { said: cut(said, GIT_STDERR_MAX_CHARS) } };
  if (known !== undefined)
    return new SkillprError("git", `${what} ${host}: ${known.message}`, known.hint, cause);
  const line = said.split("\n").find((text) => /error|fatal|rejected|remote:/i.test(text)) ?? said;
  const quote = safeLine(cut(line.trim(), 2 * QUOTE_MAX_CHARS));
  return new SkillprError(
    "git",
    `${what} ${host} failed: ${quote}`,
    "check the address and the token, then run this again",
    cause,
  );
}
