/** The library's door for agents: a session has ended; review it in the background, if it is worth it. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { chooseReviewer } from "./choose-reviewer.ts";
import { type Config, type Flags, resolveConfig } from "./core/config.ts";
import { findAgentSwitch, readUserFile } from "./core/config-file.ts";
import { SkillprError } from "./core/errors.ts";
import { AUTO_SKILL_THRESHOLD } from "./core/limits.ts";
import type { Outcome } from "./outcome.ts";
import { review } from "./pipeline.ts";
import { keyOf, modelByHand } from "./resolve-model.ts";
import { resolvePlace } from "./resolve-place.ts";
import type { Reviewer } from "./review/reviewer.ts";
import { type SkillReviewTask, trackSkillReview } from "./review-tasks.ts";
import { credentialsOf } from "./secrets/credentials.ts";
import { readTemplate } from "./templates.ts";
import { type Content, transcriptOf } from "./transcript/from-contents.ts";

/** A session that has ended, and what its host knows of it. */
export interface ScheduleSkillReviewParams {
  /** A folder in the repository that skills are proposed to. */
  readonly projectRoot: string;
  readonly sessionId: string;
  /** The whole conversation, in order. It is read before the function returns. */
  readonly history: readonly Content[];
  /** Completed tool calls of the session, as the host counts them. */
  readonly toolCallCount: number;
  /** True when the session wrote under the skills root. */
  readonly skillsModified: boolean;
  /** Settings that win over the user's config file. */
  readonly config?: Partial<Omit<Config, "disabledBy">> | undefined;
  /** False: skip. True: review although the agent's settings switch reviews off. */
  readonly enabled?: boolean | undefined;
  /** Default AUTO_SKILL_THRESHOLD. */
  readonly threshold?: number | undefined;
  readonly maxTurns?: number | undefined;
  /** Wall time of the review in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Who reviews; default: the one that the config names, with the model that the environment names. */
  readonly reviewer?: Reviewer | undefined;
  /** Ends the review. */
  readonly signal?: AbortSignal | undefined;
}

/** What was decided at once; the review itself goes on behind it. */
export interface SkillReviewScheduleResult {
  readonly status: "scheduled" | "skipped";
  /** Of the task, while `scheduled`: see findSkillReviewTask(). */
  readonly taskId?: string;
  readonly skippedReason?: "disabled" | "below_threshold" | "skills_modified_in_session";
  /** The finished task; it never rejects. */
  readonly promise?: Promise<SkillReviewTask>;
}

/**
 * Decides at once and reviews in the background. The host's own counts decide, in this order:
 * disabled, below the threshold, skills modified in the session. The user's config and the agent's
 * settings are small files and are read at once; what only the repository switches off
 * (`.skillpr.yml`, in CI that of the base commit) the task's outcome says, as `skipped`.
 * @returns the decision; what goes wrong later is in the task, whose promise never rejects
 */
export function scheduleSkillReview(params: ScheduleSkillReviewParams): SkillReviewScheduleResult {
  const { config = {} } = params;
  const enabled = params.enabled ?? config.enabled;
  if (isDisabled(params.projectRoot, enabled))
    return { status: "skipped", skippedReason: "disabled" };
  const threshold = params.threshold ?? config.threshold ?? AUTO_SKILL_THRESHOLD;
  // Said so that a count which is no number (a host's missing field) schedules nothing.
  if (!(params.toolCallCount >= threshold))
    return { status: "skipped", skippedReason: "below_threshold" };
  if (params.skillsModified)
    return { status: "skipped", skippedReason: "skills_modified_in_session" };
  const { projectRoot, sessionId } = params;
  const source = transcriptOf(params.history, { sessionId, cwd: projectRoot });
  const flags: Flags = {
    ...config,
    enabled,
    threshold,
    maxTurns: params.maxTurns ?? config.maxTurns,
    timeoutSeconds:
      params.timeoutMs === undefined ? config.timeoutSeconds : params.timeoutMs / 1000,
  };
  const { id, promise } = trackSkillReview({ project: projectRoot, session: sessionId }, () =>
    runSkillReview(source, flags, params),
  );
  return { status: "scheduled", taskId: id, promise };
}

/** By the caller, the user's config or the agent's settings. A file that is wrong is for the task to tell. */
function isDisabled(dir: string, enabled: boolean | undefined): boolean {
  if (enabled !== undefined) return !enabled;
  const { env } = process;
  const home = homedir();
  try {
    const { config: user } = readUserFile(env, home);
    const agent = findAgentSwitch({ projectRoot: workTreeOf(dir), env, home });
    const { config } = resolveConfig({
      flags: {},
      user,
      repository: {},
      disabledInAgentSettings: agent.disabledIn,
    });
    return !config.enabled;
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    return false;
  }
}

/** The nearest folder with a `.git` in it, as git would find it; the folder itself when there is none. */
function workTreeOf(dir: string): string {
  for (let folder = resolve(dir); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return dir;
  }
}

async function runSkillReview(
  source: ReturnType<typeof transcriptOf>,
  flags: Flags,
  params: ScheduleSkillReviewParams,
): Promise<Outcome> {
  const { env } = process;
  const home = homedir();
  const { user, ...place } = await resolvePlace({ dir: params.projectRoot, flags, env, home });
  const model = modelByHand({ user: user.model, env, home });
  return review(source, {
    ...place,
    reviewer: params.reviewer ?? chooseReviewer(place.config.reviewer, { model }),
    credentials: [...credentialsOf(env), ...keyOf(model)],
    messageTemplate: readTemplate("commit-message.txt"),
    // The host's counts have decided; what is switched off stays off.
    force: place.config.enabled,
    dryRun: false,
    outDir: null,
    signal: params.signal ?? new AbortController().signal,
    onStep: () => {},
    onNote: () => {},
  });
}
