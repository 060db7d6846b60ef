/** The action's inputs, as action.yml declares them: read, checked, and said by name when they are wrong. */
import { PUBLISH_TARGETS, type PublishTarget, REVIEWERS, TRIGGERS } from "../core/choices.ts";
import type { Flags } from "../core/config.ts";
import { parseSkillsRoot } from "../core/config-file.ts";
import { SkillprError } from "../core/errors.ts";
import * as limits from "../core/limits.ts";
import { cut, safeLine } from "../core/text.ts";
import type { Profile } from "../verify/change.ts";

export const ACTION_COMMANDS = ["review", "publish", "verify", "run", "plan", "revise"] as const;
export type ActionCommand = (typeof ACTION_COMMANDS)[number];

const PROFILES: readonly Profile[] = ["proposal", "pull-request"];
const WHEN_EMPTY = ["warn", "error", "ignore"] as const;

export const INPUT_NAMES = [
  "base",
  "command",
  "context",
  "force",
  "github-token",
  "if-no-transcripts",
  "inbox",
  "max-jobs",
  "max-open",
  "max-turns",
  "openai-api-key",
  "openai-base-url",
  "openai-model",
  "path",
  "profile",
  "proposal-dir",
  "publish",
  "reviewer",
  "sarif-file",
  "skills-root",
  "threshold",
  "timeout",
  "token-budget",
  "transcripts",
  "trigger",
] as const;
export type InputName = (typeof INPUT_NAMES)[number];

/** @returns what the workflow gave; empty when nothing */
export type ReadInput = (name: InputName) => string;

export interface Inputs {
  readonly command: ActionCommand;
  /** Files, folders, globs and archives, one a line. */
  readonly transcripts: readonly string[];
  readonly whenEmpty: (typeof WHEN_EMPTY)[number];
  /** `plan` takes the inbox's transcripts too, `publish` removes those that are done with. */
  readonly isInbox: boolean;
  /** From the workspace's folder. */
  readonly proposalDir: string;
  /** What `plan` writes, and `review` and `revise` read; null: none. */
  readonly context: string | null;
  /** The repository, from the workspace's folder. */
  readonly path: string;
  /** What the workflow says of the run's Config. */
  readonly flags: Flags;
  readonly publish: PublishTarget;
  /** Over OPENAI_MODEL and OPENAI_BASE_URL. */
  readonly model: { readonly model: string | undefined; readonly baseUrl: string | undefined };
  readonly force: boolean;
  /** Tokens in and out that one run may use; 0: as many as it takes. */
  readonly tokenBudget: number;
  readonly maxJobs: number;
  readonly profile: Profile;
  /** Null: none is written. */
  readonly sarifFile: string | null;
}

/** @throws SkillprError `usage` naming the input */
export function parseInputs(read: ReadInput): Inputs {
  const root = read("skills-root");
  return {
    command: oneOf(read, "command", ACTION_COMMANDS, null),
    transcripts: linesOf(read("transcripts")),
    whenEmpty: oneOf(read, "if-no-transcripts", WHEN_EMPTY, "warn"),
    isInbox: isTrue(read, "inbox"),
    proposalDir: read("proposal-dir") || "skillpr-proposals",
    context: read("context") || null,
    path: read("path") || ".",
    flags: {
      skillsRoot: root === "" ? undefined : parseSkillsRoot(root, "the input skills-root"),
      base: read("base") || undefined,
      reviewer: oneOf(read, "reviewer", REVIEWERS, "auto-skill"),
      threshold: whole(read, "threshold", { least: 0 }),
      trigger: oneOf(read, "trigger", TRIGGERS, "count"),
      maxTurns: whole(read, "max-turns", { least: 1, most: limits.REVIEW_MAX_TURNS_MAX }),
      timeoutSeconds: whole(read, "timeout", { least: 1, most: limits.REVIEW_TIMEOUT_MAX_SECONDS }),
      pullRequest: {
        maxOpen: whole(read, "max-open", { least: 0, most: limits.OPEN_PULL_REQUESTS_MAX }),
      },
    },
    publish: oneOf(read, "publish", PUBLISH_TARGETS, "pr"),
    model: {
      model: read("openai-model") || undefined,
      baseUrl: read("openai-base-url") || undefined,
    },
    force: isTrue(read, "force"),
    tokenBudget: whole(read, "token-budget", { least: 0 }) ?? limits.ACTION_TOKEN_BUDGET,
    maxJobs: whole(read, "max-jobs", { least: 1, most: limits.PLAN_JOBS_MAX }) ?? limits.PLAN_JOBS,
    profile: oneOf(read, "profile", PROFILES, "pull-request"),
    sarifFile: read("sarif-file") || null,
  };
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** @param fallback null: the input is required */
function oneOf<T extends string>(
  read: ReadInput,
  name: InputName,
  choices: readonly T[],
  fallback: T | null,
): T {
  const given = read(name);
  const chosen = given === "" ? fallback : choices.find((choice) => choice === given);
  if (chosen !== null && chosen !== undefined) return chosen;
  throw wrong(name, given, `one of ${choices.join(", ")}`);
}

/** @returns undefined when nothing was given */
function whole(
  read: ReadInput,
  name: InputName,
  { least, most = limits.ACTION_NUMBER_MAX }: { least: number; most?: number },
): number | undefined {
  const given = read(name).replaceAll("_", "");
  if (given === "") return undefined;
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw wrong(name, given, `a whole number from ${least} to ${most}`);
}

/** As YAML 1.2's core schema has it, which is how the toolkit reads booleans. */
function isTrue(read: ReadInput, name: InputName): boolean {
  const given = read(name);
  if (/^(?:true|True|TRUE)$/.test(given)) return true;
  if (/^(?:false|False|FALSE|)$/.test(given)) return false;
  throw wrong(name, given, "true or false");
}

function wrong(name: InputName, given: string, wanted: string): SkillprError {
  const was = given === "" ? "is not set" : `is "${safeLine(cut(given, limits.QUOTE_MAX_CHARS))}"`;
  return new SkillprError(
    "usage",
    `the input ${name} ${was}`,
    `it must be ${wanted}: set it under \`with:\` of this step`,
  );
}
