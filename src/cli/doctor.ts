/** `skillpr doctor`: what this machine has, what is missing, and what to do about it. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import manifest from "../../package.json" with { type: "json" };
import { readUserFile } from "../core/config-file.ts";
import { type ErrorCode, exitCodeFor, SkillprError } from "../core/errors.ts";
import { GIT_MINIMUM_VERSION } from "../core/limits.ts";
import { safeLine, shortCommit } from "../core/text.ts";
import { userConfigPath } from "../core/user-config-path.ts";
import { findSession } from "../find-session.ts";
import { resolveAcceptedBase } from "../git/accepted-base.ts";
import { Git } from "../git/git.ts";
import { gitVersion } from "../git/git-version.ts";
import { stateDir } from "../git/repository.ts";
import type { TargetPlace } from "../hook/install.ts";
import { listProposals } from "../proposals.ts";
import { modelByHand } from "../resolve-model.ts";
import { createModelClient } from "../review/model.ts";
import { requireModel } from "../review/model-settings.ts";
import { probeModel } from "../review/probe-model.ts";
import { hookCheck, isCalled } from "./hook-checks.ts";
import { interruption } from "./interruption.ts";
import { isJson, type OpenPlace, openPlace, text } from "./open-place.ts";
import { below, row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { backgroundCheck, queueCheck } from "./queue-checks.ts";
import type { Terminal } from "./terminal.ts";
import { githubCheck, tokenCheck } from "./token-check.ts";

/** What one look found. */
export interface Checked {
  readonly status: "ok" | "warning" | "error";
  readonly detail: string;
  readonly hint?: string;
  /** What failed, when it is an error; `config` unless it is said. */
  readonly code?: ErrorCode;
}

interface Check extends Checked {
  readonly name: string;
}

export async function runDoctor(call: Call, terminal: Terminal): Promise<number> {
  const checks: Check[] = [];
  const check = async (name: string, look: () => Promise<Checked>) => {
    try {
      checks.push({ name, ...(await look()) });
    } catch (error) {
      if (!(error instanceof SkillprError)) throw error;
      const { message: detail, hint, code } = error;
      checks.push({ name, status: "error", detail, hint, code });
    }
  };
  await check("node", nodeCheck);
  await check("git", async () => ({
    status: "ok",
    detail: `${await gitVersion(new Git({ gitDir: null, cwd: process.cwd() }))} (at least ${GIT_MINIMUM_VERSION} is needed)`,
  }));
  // What every command starts with; when that fails, the rest would say the same again.
  let place: OpenPlace | null = null;
  await check("config", async () => {
    place = await openPlace(call, terminal);
    return configCheck(place);
  });
  if (place !== null) await checkPlace(place, check);
  await check("hook", () => hookCheck(targetPlace(place)));
  await check("model", () => modelCheck(call, terminal));
  await check("token", tokenCheck);
  if (place !== null && call.flags["online"] === true) await checkGithub(place, check);
  if (isJson(call)) terminal.json({ checks });
  else print(checks, terminal);
  const errors = checks.filter(({ status }) => status === "error");
  return Math.max(0, ...errors.map(({ code = "config" }) => exitCodeFor(code)));
}

type RunCheck = (name: string, look: () => Promise<Checked>) => Promise<void>;

async function checkPlace(place: OpenPlace, check: RunCheck): Promise<void> {
  await check("repository", () => repositoryCheck(place));
  await check("proposals", async () => {
    const open = await listProposals(place);
    return { status: "ok", detail: `${open.length} open` };
  });
  await check("sessions", () => sessionsCheck(place));
  await check("queue", async () => queueCheck(place));
  if (await isCalled(targetPlace(place))) await check("background", () => backgroundCheck(place));
}

function checkGithub(place: OpenPlace, check: RunCheck): Promise<void> {
  return check("github", () => githubCheck(place));
}

/** Outside of a repository the user's own settings are looked at all the same. */
function targetPlace(place: OpenPlace | null): TargetPlace {
  const repository = place?.repository;
  return {
    projectRoot: repository?.root ?? null,
    stateDir: repository === undefined ? null : stateDir(repository),
    env: process.env,
    home: homedir(),
  };
}

async function nodeCheck(): Promise<Checked> {
  const detail = `${process.version} (${manifest.engines.node} is needed)`;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isEnough = major > 20 || (major === 20 && minor >= 19);
  return isEnough
    ? { status: "ok", detail }
    : { status: "error", detail, hint: "install a newer Node.js" };
}

async function repositoryCheck({ repository, config }: OpenPlace): Promise<Checked> {
  const base = await resolveAcceptedBase(repository, config.base, config.skillsRoot);
  const kind = [
    repository.isBare ? "bare" : (repository.root ?? ""),
    repository.objectFormat,
    repository.isShallow ? "shallow" : "complete",
  ].join(", ");
  return {
    status: "ok",
    detail: `${kind}; base ${base.ref ?? "a plain commit"} at ${shortCommit(base.commit)}`,
  };
}

async function configCheck({ config }: OpenPlace): Promise<Checked> {
  const file = userConfigPath(process.env, homedir());
  const { reviewer, publish, threshold, skillsRoot } = config;
  const detail = `reviewer ${reviewer}, publish ${publish}, threshold ${threshold}, skills in ${skillsRoot} (yours: ${file}${existsSync(file) ? "" : ", not there"})`;
  if (!config.enabled) {
    const hint = `a flag (--enabled) or "enabled: true" in ${file} overrules an agent's switch`;
    return { status: "warning", detail: `reviews are off: ${config.disabledBy}`, hint };
  }
  return { status: "ok", detail };
}

/** Whether `review --latest` would find something. */
async function sessionsCheck({ repository }: OpenPlace): Promise<Checked> {
  try {
    await findSession(repository, undefined);
    return { status: "ok", detail: "`skillpr review --latest` finds one of this repository" };
  } catch (error) {
    if (!(error instanceof SkillprError)) throw error;
    const detail = "none of this repository in the agents' own stores";
    return { status: "warning", detail, hint: "name a transcript file to `skillpr review`" };
  }
}

/** One tiny request when a model is set up; without one skillpr still works offline. */
async function modelCheck(call: Call, terminal: Terminal): Promise<Checked> {
  const flags = { model: text(call, "model"), baseUrl: text(call, "baseUrl") };
  const home = homedir();
  const { model: user } = readUserFile(process.env, home);
  const settings = modelByHand({ flags, user, env: process.env, home });
  const isUntouched = settings.apiKey() === null && settings.model === null;
  if (isUntouched && settings.baseUrl === null) {
    const hint =
      "the reviewer auto-skill needs OPENAI_API_KEY and OPENAI_MODEL (and OPENAI_BASE_URL for anything but OpenAI); --reviewer offline needs none";
    return { status: "warning", detail: "no model is set up", hint };
  }
  const client = await createModelClient({ ...requireModel(settings), log: null });
  const { signal } = interruption(terminal);
  const probe = await probeModel(client, signal);
  const at = settings.baseUrl === null ? "" : ` at ${settings.baseUrl}`;
  return probe.ok
    ? {
        status: "ok",
        detail: `${probe.model}${at} answers and calls tools (${probe.durationMs} ms)`,
      }
    : { status: "error", detail: probe.message, hint: probe.hint, code: "model" };
}

function print(checks: readonly Check[], terminal: Terminal): void {
  const { paint } = terminal;
  const marks = {
    ok: paint.green("ok"),
    warning: paint.yellow("warning"),
    error: paint.red("error"),
  };
  for (const { name, status, detail, hint } of checks) {
    row(terminal, name, `${marks[status]}: ${safeLine(detail)}`);
    if (hint !== undefined) below(terminal, safeLine(hint));
  }
}
