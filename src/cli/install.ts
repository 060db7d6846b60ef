/** `skillpr install` and `uninstall`: the hook in the agents' settings. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { isTracked } from "../git/in-place-folders.ts";
import { isIgnored, openRepository, type Repository, stateDir } from "../git/repository.ts";
import { AGENTS, type AgentName, HOOK_AGENTS, type Scope } from "../hook/agents.ts";
import {
  applyChange,
  backupOf,
  type HookChange,
  type HookOperation,
  hookTarget,
  planInstall,
  planUninstall,
  type TargetPlace,
} from "../hook/install.ts";
import { alsoIn, trustReminder, whatKeepsFromRunning } from "../hook/install-notes.ts";
import { programFile } from "../program-file.ts";
import { credentialsOf } from "../secrets/credentials.ts";
import { createRedactor } from "../secrets/redactor.ts";
import { isJson, text } from "./open-place.ts";
import { below, repositoryFlag, row } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import { paintDiff, type Terminal } from "./terminal.ts";

/** What became of one settings file, as `--json` gives it. */
export interface HookResult {
  readonly agent: AgentName;
  readonly scope: Scope;
  readonly file: string;
  readonly operation: HookOperation;
  /** Unified diff, secrets replaced; empty when nothing changed. */
  readonly diff: string;
  /** Copy of the file as it was; null when there was none, or nothing was changed. */
  readonly backup: string | null;
  /** What keeps the hook from running, and what else to know. */
  readonly notes: readonly string[];
}

export async function runInstall(call: Call, terminal: Terminal): Promise<number> {
  const isRemoval = call.command === "uninstall";
  const isDry = call.flags["dryRun"] === true;
  const { place, repository } = await placeOf(call);
  const wish = { agents: agentsOf(call), scope: scopeOf(call), place, repository, isDry };
  const results = isRemoval ? await removeHooks(wish) : await installHooks(wish);
  if (isJson(call)) terminal.json({ dryRun: isDry, results });
  else print(results, call, terminal);
  return 0;
}

export interface HookWish {
  readonly agents: readonly AgentName[];
  readonly scope: Scope;
  readonly place: TargetPlace;
  /** Null: the user's own settings, which need none. */
  readonly repository: Repository | null;
  readonly isDry: boolean;
}

/** Puts the hook into the settings of each agent. All are planned before the first is written: an error in one changes none. */
export async function installHooks({
  agents,
  scope,
  place,
  repository,
  isDry,
}: HookWish): Promise<HookResult[]> {
  const program = { node: process.execPath, cli: programFile() };
  const changes: HookChange[] = [];
  for (const agent of agents)
    changes.push(await planInstall(hookTarget(HOOK_AGENTS[agent], scope, place), program));
  return applied(changes, isDry, async (change) => [
    ...(await whatKeepsFromRunning(change.target, place)),
    ...trustReminder(change.target),
    ...(await gitNotes(change, repository)),
  ]);
}

async function removeHooks({ agents, scope, place, isDry }: HookWish): Promise<HookResult[]> {
  const changes: HookChange[] = [];
  for (const agent of agents)
    changes.push(await planUninstall(hookTarget(HOOK_AGENTS[agent], scope, place)));
  return applied(changes, isDry, async ({ target }) => (await alsoIn(target, place)).map(stillIn));
}

async function applied(
  changes: readonly HookChange[],
  isDry: boolean,
  notesOf: (change: HookChange) => Promise<string[]>,
): Promise<HookResult[]> {
  const results: HookResult[] = [];
  for (const change of changes) {
    if (!isDry) await applyChange(change);
    results.push(await resultOf(change, isDry, await notesOf(change)));
  }
  return results;
}

function stillIn(path: string): string {
  return `the hook is in ${path} too: --scope user takes it out there`;
}

/** Whose settings are meant: those that the flag names, else Qwen Code's. */
export function agentsOf(call: Call): AgentName[] {
  const named = call.flags["agent"];
  const wanted = Array.isArray(named) && named.length > 0 ? named : ["qwen"];
  return AGENTS.filter((agent) => wanted.includes(agent));
}

function scopeOf(call: Call): Scope {
  return text(call, "scope") === "user" ? "user" : "project";
}

/** The user's own settings need no repository. */
async function placeOf(call: Call): Promise<{ place: TargetPlace; repository: Repository | null }> {
  const common = { env: process.env, home: homedir() };
  if (scopeOf(call) === "user")
    return { place: { ...common, projectRoot: null, stateDir: null }, repository: null };
  const repository = await openRepository(resolve(text(call, "repo") ?? "."));
  const { root } = repository;
  if (root === null) {
    throw new SkillprError(
      "input",
      "a bare repository has no folder that an agent could work in",
      "name one of its work trees with --repo, or use --scope user",
    );
  }
  return { place: hookTargetPlace(repository, root), repository };
}

/** Where a project's settings are. @param root of its work tree */
export function hookTargetPlace(repository: Repository, root: string): TargetPlace {
  const common = { env: process.env, home: homedir() };
  return { ...common, projectRoot: root, stateDir: stateDir(repository) };
}

/** What a project's settings file means for others. */
async function gitNotes(
  { target: { path } }: HookChange,
  repository: Repository | null,
): Promise<string[]> {
  if (repository === null) return [];
  if (await isTracked(repository, path)) {
    return [
      "git tracks this file, and the entry names a path of this machine: elsewhere it does nothing, but it need not be committed (--scope user keeps it out of the project)",
    ];
  }
  if (await isIgnored(repository, path)) return [];
  return [
    "git does not track this file: it need not be committed, because the entry names a path of this machine",
  ];
}

async function resultOf(
  change: HookChange,
  isDry: boolean,
  notes: readonly string[],
): Promise<HookResult> {
  const { target, operation } = change;
  // The lines around a change are the user's own, and settings hold keys.
  const redactor = createRedactor({ credentials: credentialsOf(process.env) });
  const [diff = ""] = await redactor.redact([change.diff]);
  return {
    agent: target.agent.name,
    scope: target.scope,
    file: target.path,
    operation,
    diff,
    backup: isDry ? null : backupOf(change),
    notes: [...notes, ...programNotes(change)],
  };
}

/** npx keeps programs in a cache, which is emptied one day. */
function programNotes({ operation }: HookChange): string[] {
  const isInstall = operation === "installed" || operation === "updated";
  if (!isInstall || !/[\\/]_npx[\\/]/.test(programFile())) return [];
  return [
    "this skillpr lies in npx's cache, from where it can vanish: install it (npm install -g), then run this again",
  ];
}

const WORDS: Readonly<Record<HookOperation, string>> = {
  installed: "the hook is in it now",
  updated: "the hook in it is up to date now",
  unchanged: "the hook is in it already",
  restored: "it is what it was before",
  removed: "the hook is out, what else changed since stays",
  absent: "there is no hook of skillpr in it",
};

function print(results: readonly HookResult[], call: Call, terminal: Terminal): void {
  const { paint, line } = terminal;
  const isDry = call.flags["dryRun"] === true;
  for (const { agent, scope, file, operation, diff, backup, notes } of results) {
    row(terminal, "agent", `${paint.bold(HOOK_AGENTS[agent].title)} (${scope})`);
    row(terminal, "file", safeLine(file));
    row(
      terminal,
      "hook",
      isDry && diff !== "" ? `${operation}, if this were no dry run` : WORDS[operation],
    );
    if (diff !== "") line(`\n${paintDiff(diff, paint)}\n`);
    if (backup !== null) row(terminal, "backup", safeLine(backup));
    for (const note of notes) row(terminal, "note", paint.yellow(safeLine(note)));
  }
  if (isDry) row(terminal, "dry run", "nothing was written");
  else printNext(results, call, terminal);
}

function printNext(results: readonly HookResult[], call: Call, terminal: Terminal): void {
  const isChanged = results.some(({ diff }) => diff !== "");
  if (call.command === "uninstall") {
    if (isChanged)
      row(terminal, "next", "sessions that run already may still call it until they end");
    return;
  }
  const where = repositoryFlag(call);
  const flags = [`--scope ${scopeOf(call)}`, `--agent ${agentsOf(call).join(",")}`].join(" ");
  row(
    terminal,
    "next",
    "work as usual: sessions that start from now on are reviewed when they end",
  );
  below(terminal, `skillpr status${where}`);
  below(terminal, `skillpr uninstall ${flags}${where}`);
}
