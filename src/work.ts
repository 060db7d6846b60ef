/**
 * The story of the background: what hooks captured is reviewed as `skillpr review` would, one
 * session after the other, with what the user's own files allow and nothing else.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { chooseReviewer } from "./choose-reviewer.ts";
import { writeFileAtomically } from "./core/atomic-file.ts";
import { readUserFile } from "./core/config-file.ts";
import { SkillprError, systemFailure } from "./core/errors.ts";
import { WAITING_MAX_AGE_MS } from "./core/limits.ts";
import { realPath } from "./core/real-path.ts";
import { openLedger } from "./gate/ledger.ts";
import { openRepository, type Repository, stateDir } from "./git/repository.ts";
import { pruneWorkspaces } from "./git/workspace.ts";
import { confined, type UserEnvironment } from "./hook/confined.ts";
import { describeFailure } from "./hook/describe-failure.ts";
import { findRepository } from "./hook/find-repository.ts";
import type { JobOutcome } from "./hook/job-record.ts";
import { type QueueFolders, queueFolders } from "./hook/queue-files.ts";
import { userLogFile, writeLog } from "./hook/queue-log.ts";
import { queueProblem } from "./hook/queue-problem.ts";
import { type ReviewAnswer, type ReviewTask, runWorker, type WorkerReport } from "./hook/worker.ts";
import { failed, type Outcome } from "./outcome.ts";
import { review } from "./pipeline.ts";
import { listProposals } from "./proposals.ts";
import { pullRequestsFor } from "./publish-target.ts";
import { githubInBackground, tokenOf } from "./resolve-github.ts";
import { keyOf, modelInBackground } from "./resolve-model.ts";
import { type ResolvedPlace, resolvePlace } from "./resolve-place.ts";
import { loadModelClient } from "./review/model.ts";
import type { Run } from "./run.ts";
import { credentialsOf } from "./secrets/credentials.ts";
import { readTemplate } from "./templates.ts";
import { readUserSkills } from "./user-skills.ts";

export interface WorkOptions extends UserEnvironment, Pick<Run, "signal" | "onStep" | "onNote"> {
  /** A folder in the repository. */
  readonly dir: string;
  /** Also jobs that are not due yet. */
  readonly takesAll: boolean;
}

/**
 * Reviews what is due in a repository's queue. What goes wrong besides is also in the queue's log,
 * because a worker that a hook started has nobody to tell.
 * @throws SkillprError when the folder is no repository, or the user's config is wrong: then no job was taken
 */
export async function work(options: WorkOptions): Promise<WorkerReport> {
  const found = findRepository(options.dir);
  const user = found === null ? options : confined(options, found);
  const repository = await openRepository(options.dir).catch((error: unknown) => {
    // Git is missing, or refuses a repository of another user: what a hook captured goes on waiting.
    if (found !== null) logFailure(error, found.commonDir, queueFolders(found.stateDir), user.env);
    throw error;
  });
  const folders = queueFolders(stateDir(repository));
  if (!existsSync(folders.queue)) return { status: "done", taken: [] };
  const background = { ...options, ...user, repository, folders };
  try {
    refuseOdd(folders);
    return await workOff(background);
  } catch (error) {
    logFailure(error, repository.commonDir, folders, user.env);
    throw error;
  }
}

function refuseOdd(folders: QueueFolders): void {
  const problem = queueProblem(folders);
  if (problem === null) return;
  throw new SkillprError(
    "input",
    problem,
    "nothing was touched; move it away, and the next hook makes a folder there",
  );
}

interface Background extends WorkOptions {
  readonly repository: Repository;
  readonly folders: QueueFolders;
}

async function workOff(background: Background): Promise<WorkerReport> {
  const { folders, takesAll, signal, env, home } = background;
  const { worker: policy } = readUserFile(env, home);
  const onNote = (note: string) => {
    background.onNote(note);
    log(note, background.repository.commonDir, folders, env);
  };
  const review = (task: ReviewTask) => reviewTask(task, background, onNote);
  const now = Date.now;
  // What fails to load is heard when it is needed.
  const onWait = () => void loadModelClient().catch(() => {});
  const report = await runWorker({
    folders,
    policy,
    takesAll,
    review,
    now,
    signal,
    onNote,
    onWait,
  });
  const isRenewed = report.taken.length > 0 || isStale(folders.waiting);
  if (report.status === "done" && isRenewed) await cleanUp(background, onNote);
  return report;
}

function logFailure(error: unknown, ...place: LogPlaceOf): void {
  const isExpected = error instanceof SkillprError;
  log(isExpected ? `${error.message}: ${error.hint}` : describeFailure(error), ...place);
}

type LogPlaceOf = [commonDir: string, folders: QueueFolders, env: NodeJS.ProcessEnv];

function log(message: string, ...[commonDir, folders, env]: LogPlaceOf): void {
  // A repository that was removed must not come back as a folder.
  const queueLog = existsSync(folders.queue) ? folders.log : null;
  const time = new Date().toISOString();
  const entry = { time, event: "work", message, repository: commonDir };
  writeLog({ queueLog, userLog: userLogFile(env) }, entry);
}

/** A session is reviewed where it worked: a linked work tree has files of its own. */
async function placeOf(
  { capture }: Pick<ReviewTask, "capture">,
  { repository, dir, env, home }: Background,
): Promise<ResolvedPlace> {
  const at = (folder: string) => {
    // Mostly the work tree that the worker was started in: git was asked about it then.
    const found = findRepository(folder);
    const isOpen = found?.root === repository.root && found.gitDir === repository.gitDir;
    const opened = isOpen ? { repository } : {};
    return resolvePlace({ dir: folder, flags: {}, env, home, ...opened });
  };
  if (realPath(capture.cwd) === null) return at(dir);
  const place = await at(capture.cwd).catch((error: unknown) => {
    // A folder that is no repository any more; a config that is wrong is told.
    if (error instanceof SkillprError && error.code === "input") return null;
    throw error;
  });
  return place?.repository.commonDir === repository.commonDir ? place : at(dir);
}

async function reviewTask(
  task: ReviewTask,
  background: Background,
  onProblem: (note: string) => void,
): Promise<ReviewAnswer> {
  let outcome: Outcome;
  let isFinal = false;
  try {
    const { repository, config, user, warnings } = await placeOf(task, background);
    const { env, home, signal, onStep, onNote } = background;
    const access = () => githubInBackground({ user: user.github, env, home });
    const pullRequests = await pullRequestsFor({
      ...{ repository, config, access, signal },
      onNote: onProblem,
    });
    const { model, ...found } = modelInBackground({ user: user.model, env, home });
    for (const warning of [...warnings, ...found.warnings]) onProblem(warning);
    outcome = await review(
      { kind: "file", path: task.transcript },
      {
        repository,
        config,
        reviewer: chooseReviewer(config.reviewer, { model }),
        credentials: [...credentialsOf(process.env), ...keyOf(model), ...tokenOf(user.github)],
        messageTemplate: readTemplate("commit-message.txt"),
        userSkills: readUserSkills(env, home),
        pullRequests,
        force: false,
        countsSince: "last-review",
        dryRun: false,
        outDir: null,
        signal,
        onStep,
        onNote,
      },
    );
    isFinal = config.publish === "none" || (await isSettled(outcome, background));
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    outcome = failed(error);
  }
  return {
    outcome: await toJobOutcome(outcome, background),
    isFinal: isFinal && outcome.status !== "failed",
    used: {
      reviews: outcome.usage !== undefined || outcome.error?.code === "model" ? 1 : 0,
      inputTokens: outcome.usage?.inputTokens ?? 0,
      outputTokens: outcome.usage?.outputTokens ?? 0,
    },
  };
}

/** A proposal that something stands in the way of has no entry in the ledger: it can be tried again. */
async function isSettled(outcome: Outcome, background: Background): Promise<boolean> {
  if (!outcome.proposals.some(({ operation }) => operation === "blocked")) return true;
  return (await recorded(outcome, background)) !== null;
}

function recorded({ session }: Outcome, { repository }: Background) {
  const ledger = openLedger(join(stateDir(repository), "reviewed"));
  return session === undefined ? null : ledger.find(session.digest);
}

/** What of an Outcome is kept. */
async function toJobOutcome(outcome: Outcome, background: Background): Promise<JobOutcome> {
  const { status, skippedReason, detail, error, proposals } = outcome;
  if (skippedReason === "already_reviewed") {
    // By hand, or by a worker that was killed before it recorded this: what came of it then counts.
    const entry = await recorded(outcome, background);
    const branches = entry?.skills.map((skill) => `auto-skill/${skill}`) ?? [];
    if (entry !== null) return { status: entry.status, detail, skills: entry.skills, branches };
  }
  const blocked = proposals.find(({ operation }) => operation === "blocked");
  const made = proposals.filter(({ operation }) => operation !== "blocked");
  return {
    status,
    skippedReason,
    detail: detail ?? (blocked && `${blocked.branch} is blocked: ${blocked.reason}`),
    ...(error && { error }),
    skills: made.map(({ skill }) => skill),
    branches: made.filter(({ commit }) => commit !== null).map(({ branch }) => branch),
  };
}

/** Every hook starts a worker, which mostly finds nothing to do: then the list needn't be quite fresh. */
function isStale(waiting: string): boolean {
  const info = statSync(waiting, { throwIfNoEntry: false });
  const age = Date.now() - (info?.mtimeMs ?? 0);
  return age < 0 || age > WAITING_MAX_AGE_MS;
}

/** What killed runs left of workspaces, and what the next session's start is told of. */
async function cleanUp(background: Background, onProblem: (note: string) => void): Promise<void> {
  const { repository, folders, dir, env, home } = background;
  try {
    await pruneWorkspaces(repository, { onNote: onProblem });
    const open = await listProposals(await resolvePlace({ dir, flags: {}, env, home }));
    const proposals = open.map(({ skill, tip }) => ({ skill, commit: tip }));
    await writeFileAtomically(folders.waiting, `${JSON.stringify({ proposals })}\n`);
  } catch (error) {
    // No commit yet, a config that is wrong, a repository that was removed: the jobs have told it.
    const failure = error instanceof SkillprError ? error : systemFailure(error);
    if (failure === null) throw error;
    onProblem(`the list of waiting proposals was not renewed: ${failure.message}`);
  }
}
