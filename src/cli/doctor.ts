/** `skillpr doctor`: what this machine has, what is missing, and what to do about it. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { findAgentSwitch, readUserConfig, userConfigPath } from "../core/config-file.ts";
import { SkillprError } from "../core/errors.ts";
import { GIT_MINIMUM_VERSION } from "../core/limits.ts";
import { safeLine } from "../core/text.ts";
import { Git } from "../git/git.ts";
import { gitVersion } from "../git/git-version.ts";
import { openRepository, resolveBase } from "../git/repository.ts";
import { listProposals } from "../proposals.ts";
import { createModelClient } from "../review/model.ts";
import { readModelSettings, requireModel } from "../review/model-settings.ts";
import { probeModel } from "../review/probe-model.ts";
import { interruption } from "./interruption.ts";
import { isJson, openPlace, text } from "./open-place.ts";
import { row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

interface Check {
  readonly name: string;
  readonly status: "ok" | "warning" | "error";
  readonly detail: string;
  readonly hint?: string;
}

export async function runDoctor(call: Call, terminal: Terminal): Promise<number> {
  const checks: Check[] = [];
  const check = async (name: string, look: () => Promise<Omit<Check, "name">>) => {
    try {
      checks.push({ name, ...(await look()) });
    } catch (error) {
      if (!(error instanceof SkillprError)) throw error;
      checks.push({ name, status: "error", detail: error.message, hint: error.hint });
    }
  };
  const dir = resolve(text(call, "repo") ?? ".");
  await check("node", nodeCheck);
  await check("git", async () => ({
    status: "ok",
    detail: `${await gitVersion(new Git({ gitDir: null, cwd: process.cwd() }))} (at least ${GIT_MINIMUM_VERSION} is needed)`,
  }));
  await check("repository", () => repositoryCheck(dir));
  await check("config", () => configCheck(dir));
  await check("proposals", async () => {
    const open = await listProposals(await openPlace(call, terminal));
    return { status: "ok", detail: `${open.length} open` };
  });
  await check("model", () => modelCheck(call, terminal));
  if (isJson(call)) terminal.line(JSON.stringify({ checks }));
  else print(checks, terminal);
  return checks.some(({ status }) => status === "error") ? 1 : 0;
}

async function nodeCheck(): Promise<Omit<Check, "name">> {
  const detail = `${process.version} (${manifest.engines.node} is needed)`;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isEnough = major > 20 || (major === 20 && minor >= 19);
  return isEnough
    ? { status: "ok", detail }
    : { status: "error", detail, hint: "install a newer Node.js" };
}

async function repositoryCheck(dir: string): Promise<Omit<Check, "name">> {
  const repository = await openRepository(dir);
  const base = await resolveBase(repository);
  const kind = [
    repository.isBare ? "bare" : (repository.root ?? ""),
    repository.objectFormat,
    repository.isShallow ? "shallow" : "complete",
  ].join(", ");
  return {
    status: "ok",
    detail: `${kind}; base ${base.ref ?? "detached HEAD"} at ${base.commit.slice(0, 12)}`,
  };
}

async function configCheck(dir: string): Promise<Omit<Check, "name">> {
  const home = homedir();
  const user = await readUserConfig(process.env, home);
  const { root } = await openRepository(dir);
  const agent = await findAgentSwitch({ projectRoot: root, env: process.env, home });
  const file = userConfigPath(process.env, home);
  const detail = Object.keys(user).length === 0 ? `defaults (${file} would change them)` : file;
  if (agent.disabledIn !== null && user.enabled !== true) {
    return {
      status: "warning",
      detail: `reviews are off: "memory.enableAutoSkill: false" in ${agent.disabledIn}`,
      hint: `to review all the same, write "enabled: true" into ${file}`,
    };
  }
  const [warning] = agent.warnings;
  return warning === undefined
    ? { status: "ok", detail }
    : { status: "warning", detail: warning, hint: "correct that file" };
}

/** One tiny request when a model is set up; without one skillpr still works offline. */
async function modelCheck(call: Call, terminal: Terminal): Promise<Omit<Check, "name">> {
  const flags = { model: text(call, "model"), baseUrl: text(call, "baseUrl") };
  const settings = readModelSettings(process.env, flags);
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
    : { status: "error", detail: probe.message, hint: probe.hint };
}

function print(checks: readonly Check[], terminal: Terminal): void {
  const { paint, line } = terminal;
  const marks = {
    ok: paint.green("ok"),
    warning: paint.yellow("warning"),
    error: paint.red("error"),
  };
  for (const { name, status, detail, hint } of checks) {
    row(terminal, name, `${marks[status]}: ${safeLine(detail)}`);
    if (hint !== undefined) line(`            ${safeLine(hint)}`);
  }
}
