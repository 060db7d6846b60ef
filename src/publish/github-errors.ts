/** GitHub's errors: which of them are answers, and what somebody can do about the rest. */
import { SkillprError } from "../core/errors.ts";
import { QUOTE_MAX_CHARS } from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";

/** What the API answered, as far as it tells errors apart. */
export interface ApiFailure {
  readonly status: number;
  /** GitHub's own words, with those of `errors[]` behind. */
  readonly message: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Errors that the caller handles: they are states, not failures. */
export type ExpectedFailure = "already-exists" | "creation-forbidden" | "nothing-between" | null;

export function expectedFailure({ status, message }: ApiFailure): ExpectedFailure {
  if (status !== 422 && status !== 403) return null;
  if (
    /not permitted to create or approve pull requests|not permitted to create pull requests/i.test(
      message,
    )
  )
    return "creation-forbidden";
  if (status === 422 && /A pull request already exists/i.test(message)) return "already-exists";
  if (status === 422 && /No commits between/i.test(message)) return "nothing-between";
  return null;
}

/** An object that was made a moment ago, and that GitHub's replicas don't know yet. */
export function isReadAfterWrite({ status, message }: ApiFailure): boolean {
  return status === 422 && /Could not resolve to a node with the global id/i.test(message);
}

interface Known {
  readonly matches: (failure: ApiFailure) => boolean;
  readonly message: string;
  readonly hint: string;
}

const DOCS = "docs/permissions.md says what each kind of token can";

const KNOWN: readonly Known[] = [
  {
    matches: ({ status }) => status === 401,
    message: "GitHub does not know the token",
    hint: `check that it isn't expired or revoked, and belongs to this server; ${DOCS}`,
  },
  {
    matches: ({ status, message }) => isLimited(status, message),
    message: "GitHub's rate limit is used up",
    hint: "run this again later; what was done stays done",
  },
  {
    matches: ({ headers }) => headers["x-github-sso"] !== undefined,
    message: "the organization wants the token authorized for single sign-on",
    hint: 'open the token\'s page on GitHub and choose "Configure SSO"',
  },
  {
    matches: ({ status, message }) => status === 403 && /archived/i.test(message),
    message: "the repository is archived, so nothing can be written to it",
    hint: "unarchive it, or use --publish branch",
  },
  {
    matches: ({ status }) => status === 404,
    message: "GitHub has no such repository, or the token can't see it",
    hint: `check the name, and that the token covers this repository; ${DOCS}`,
  },
  {
    matches: ({ status }) => status >= 500,
    message: "GitHub had an outage",
    hint: "run this again in a while; what was done stays done",
  },
  {
    matches: ({ status }) => status === 0,
    message: "GitHub can't be reached",
    hint: "check the network and the address, then run this again",
  },
];

/** @param what what was being done: `opening the pull request` */
export function githubFailure(what: string, failure: ApiFailure, cause?: unknown): SkillprError {
  const options = cause === undefined ? {} : { cause };
  const missing = missingPermission(failure);
  if (missing !== null) {
    const message = `${what}: the token lacks the permission ${missing}`;
    return new SkillprError("github", message, `grant it, or use another token; ${DOCS}`, options);
  }
  const known = KNOWN.find(({ matches }) => matches(failure));
  if (known !== undefined)
    return new SkillprError("github", `${what}: ${known.message}`, known.hint, options);
  const said = safeLine(cut(failure.message, 2 * QUOTE_MAX_CHARS));
  return new SkillprError(
    "github",
    `${what}: GitHub answered ${failure.status}: ${said}`,
    `check the setting that it names; ${DOCS}`,
    options,
  );
}

function isLimited(status: number, message: string): boolean {
  return (status === 403 || status === 429) && /rate limit/i.test(message);
}

/** GitHub says in a header what it would have accepted: `pull_requests=write; contents=read`. */
function missingPermission({ status, message, headers }: ApiFailure): string | null {
  if (status !== 403 && status !== 404) return null;
  const isDenied = /Resource not accessible by|Must have admin rights|not have permission/i;
  if (!isDenied.test(message)) return null;
  const accepted = headers["x-accepted-github-permissions"];
  const isKnown = accepted !== undefined && /^[\w=;, ]{1,200}$/.test(accepted);
  return isKnown ? `"${accepted.replaceAll("=", ": ").replaceAll("_", "-")}"` : "for this";
}
