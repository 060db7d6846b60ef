/**
 * Config: what a run does, resolved from flags, the user's file, the repository's file and the
 * agent's settings. It holds no credential and is always safe to print (invariant 5).
 */

import type { MarkerPlace, PublishTarget, ReviewerName, Trigger } from "./choices.ts";
import * as limits from "./limits.ts";
import {
  DEFAULT_PULL_REQUEST,
  type PullRequestConfig,
  type PullRequestWishes,
  resolvePullRequest,
  said,
} from "./pull-request-config.ts";
import { DEFAULT_RULE_LEVELS, type RuleLevelMap, type RuleLevels } from "./rule-levels.ts";

/** What a run does, every wish resolved; holds no credential. From resolveConfig(). */
export interface Config {
  readonly enabled: boolean;
  /** Which setting switched reviews off, for the message; null while enabled. */
  readonly disabledBy: string | null;
  /** `/`-separated folder of skills, from the repository's root. */
  readonly skillsRoot: string;
  /** As written (`main`, `origin/main`); null: the remote's default branch, else HEAD. */
  readonly base: string | null;
  readonly reviewer: ReviewerName;
  readonly publish: PublishTarget;
  /** Completed tool calls below which a session is not reviewed. */
  readonly threshold: number;
  readonly trigger: Trigger;
  readonly marker: MarkerPlace;
  /** Rounds of one review, from 1 on. */
  readonly maxTurns: number;
  /** Wall time of one review. */
  readonly timeoutSeconds: number;
  /** How grave the verifier's rules are here. */
  readonly rules: RuleLevels;
  readonly pullRequest: PullRequestConfig;
}

/** What one source says; an absent field means that it says nothing. */
export type Flags = {
  [K in Exclude<keyof Config, "disabledBy" | "rules" | "pullRequest">]?: Config[K] | undefined;
} & WithPullRequest;
interface WithPullRequest {
  readonly pullRequest?: PullRequestWishes | undefined;
}
interface WithRules {
  readonly rules?: RuleLevelMap | undefined;
}
export type UserConfig = Flags & WithRules;
/** Who reviews and what triggers a review is the user's choice alone. */
export type RepositoryConfig = Omit<Flags, "reviewer" | "trigger"> & WithRules;

export interface ConfigSources {
  readonly flags: Flags;
  readonly user: UserConfig;
  readonly repository: RepositoryConfig;
  /** The agent's settings file that says `memory.enableAutoSkill: false`, if one does. */
  readonly disabledInAgentSettings: string | null;
}

export const DEFAULTS: Config = {
  enabled: true,
  disabledBy: null,
  skillsRoot: ".qwen/skills",
  base: null,
  reviewer: "auto-skill",
  publish: "branch",
  threshold: limits.AUTO_SKILL_THRESHOLD,
  trigger: "count",
  marker: "metadata",
  maxTurns: limits.REVIEW_MAX_TURNS,
  timeoutSeconds: limits.REVIEW_TIMEOUT_SECONDS,
  rules: DEFAULT_RULE_LEVELS,
  pullRequest: DEFAULT_PULL_REQUEST,
};

/** How far a target reaches; a repository may only shorten it. */
const REACH: Readonly<Record<PublishTarget, number>> = { none: 0, branch: 1, pr: 2, auto: 2 };

/**
 * Puts the sources together: flags over the user's file over defaults; then the repository sets
 * what is the project's (skills root, base, marker) and may only tighten the rest.
 * @returns the Config, and a sentence for each wish of the repository that would have loosened it
 */
export function resolveConfig(sources: ConfigSources): { config: Config; warnings: string[] } {
  const { repository } = sources;
  const { pullRequest: wishes = {}, ...flags } = sources.flags;
  const { rules: own = {}, pullRequest: wanted = {}, ...user } = sources.user;
  const mine: Config = { ...DEFAULTS, ...said(user), ...said(flags) };
  const { pullRequest, warnings } = resolvePullRequest({
    flags: wishes,
    user: wanted,
    repository: repository.pullRequest ?? {},
  });

  function tighten<T>(field: string, own: T, wished: T | undefined, isTighter: boolean): T {
    if (wished === undefined || wished === own) return own;
    if (isTighter) return wished;
    warnings.push(
      `.skillpr.yml: "${field}: ${String(wished)}" is ignored: a repository may only tighten "${String(own)}"`,
    );
    return own;
  }

  const config: Config = {
    ...mine,
    ...enabledBy(sources),
    // The project's own; a flag still wins, because the person who types it sees what it does.
    skillsRoot: flags.skillsRoot ?? repository.skillsRoot ?? mine.skillsRoot,
    base: flags.base ?? repository.base ?? mine.base,
    marker: repository.marker ?? mine.marker,
    rules: { own, floor: repository.rules ?? {} },
    pullRequest,
    threshold: tighten(
      "threshold",
      mine.threshold,
      repository.threshold,
      (repository.threshold ?? 0) > mine.threshold,
    ),
    maxTurns: tighten(
      "max-turns",
      mine.maxTurns,
      repository.maxTurns,
      (repository.maxTurns ?? Infinity) < mine.maxTurns,
    ),
    timeoutSeconds: tighten(
      "timeout",
      mine.timeoutSeconds,
      repository.timeoutSeconds,
      (repository.timeoutSeconds ?? Infinity) < mine.timeoutSeconds,
    ),
    publish: tighten(
      "publish",
      mine.publish,
      repository.publish,
      REACH[repository.publish ?? "auto"] < REACH[mine.publish],
    ),
  };
  if (repository.enabled === true && !config.enabled)
    warnings.push('.skillpr.yml: "enabled: true" is ignored: a repository may only switch off');
  return { config, warnings };
}

/**
 * Off wins when the repository or the user says so. The agent's own switch turns skillpr off too,
 * unless the user says `enabled: true` here: who turned off the agent's in-place reviewer in
 * favour of this one.
 */
function enabledBy(sources: ConfigSources): Pick<Config, "enabled" | "disabledBy"> {
  const off = (disabledBy: string) => ({ enabled: false, disabledBy });
  if (sources.flags.enabled === false) return off("a flag");
  if (sources.repository.enabled === false) return off('"enabled: false" in .skillpr.yml');
  if (sources.flags.enabled === true) return { enabled: true, disabledBy: null };
  if (sources.user.enabled === false) return off('"enabled: false" in your skillpr config');
  if (sources.user.enabled !== true && sources.disabledInAgentSettings !== null)
    return off(`"memory.enableAutoSkill: false" in ${sources.disabledInAgentSettings}`);
  return { enabled: true, disabledBy: null };
}
