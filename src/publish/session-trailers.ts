/** What our commits say of the sessions behind them, read back: on a machine that knows nothing, history is the memory. */
import { RECALLED_COMMITS_MAX } from "../core/limits.ts";
import type { Git } from "../git/git.ts";
import { requireId } from "../git/names.ts";

export interface RecalledSession {
  /** `sha256:…` of the transcript. */
  readonly digest: string;
  readonly sessionId: string;
  readonly agent: string;
  /** Of the commit, ISO 8601. */
  readonly at: string;
  /** Named by the commit's title; null where a person gave it another. */
  readonly skill: string | null;
  /** How many turns were reviewed, and the digest of those before the last; absent in older commits. */
  readonly reviewed?: { readonly turns: number; readonly before: string } | undefined;
}

const TITLE = /^skill: (?:add|update) ([a-z0-9-]+)(?: \(#\d+\))?$/m;

/**
 * The sessions that commits were made from, found by their trailers in the history of some commits. Also in what
 * GitHub makes of them: a merge squashed into one commit keeps the message as its text.
 * @param tips commit ids
 */
export async function recallSessions(
  git: Git,
  tips: readonly string[],
): Promise<RecalledSession[]> {
  for (const tip of tips) requireId(tip);
  if (tips.length === 0) return [];
  const format = "--format=%cI%n%B%x00";
  const grep = ["--extended-regexp", "--grep=^ *Skillpr-Digest: sha256:[0-9a-f]{64}"];
  const bound = `--max-count=${RECALLED_COMMITS_MAX}`;
  const out = await git.text(["log", "--no-color", bound, ...grep, format, ...tips, "--"]);
  const sessions = new Map<string, RecalledSession>();
  for (const message of out.split("\0")) {
    const [at = "", ...lines] = message.trimStart().split("\n");
    for (const session of sessionsOf(lines.join("\n"), at)) sessions.set(session.digest, session);
  }
  return [...sessions.values()];
}

/** One for each digest; the session's id stands above it. */
function sessionsOf(message: string, at: string): RecalledSession[] {
  const skill = TITLE.exec(message)?.[1] ?? null;
  const agent = /^\s*Skillpr-Agent: ([^\s/]+)/m.exec(message)?.[1] ?? "unknown";
  const pattern =
    /^\s*Skillpr-Session: (\S+)\s*\n\s*Skillpr-Digest: (sha256:[0-9a-f]{64})\s*?$(?:\s*\n\s*Skillpr-Turns: ([1-9]\d{0,8}) (sha256:[0-9a-f]{64})\s*?$)?(?:\s*\n\s*Skillpr-Agent: ([^\s/]+))?/gm;
  return Array.from(
    message.matchAll(pattern),
    ([, sessionId = "", digest = "", turns, before, own]) => {
      const isCounted = turns !== undefined && before !== undefined;
      const reviewed = isCounted ? { turns: Number(turns), before } : undefined;
      return { digest, sessionId, agent: own ?? agent, at, skill, reviewed };
    },
  );
}
