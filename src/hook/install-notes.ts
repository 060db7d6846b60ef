/** What keeps an installed hook from running, as far as the agents' own files say it. */
import { isAbsolute, join, relative, sep } from "node:path";
import { readIfThere } from "../core/config-file.ts";
import { SkillprError } from "../core/errors.ts";
import { parseJsonWithComments } from "../core/json-with-comments.ts";
import { asRecord } from "../transcript/json-values.ts";
import { type HookAgent, userFolder } from "./agents.ts";
import { HOOK_NAME, isOwnHook } from "./hook-command.ts";
import { type HookTarget, hookTarget, lookAt, type TargetPlace } from "./install.ts";
import { ownEntries, type SettingsText, settingsValue } from "./settings-text.ts";

/**
 * One sentence each, without a full stop; none is an error.
 * @param target where the hook is
 */
export async function whatKeepsFromRunning(
  target: HookTarget,
  place: TargetPlace,
): Promise<string[]> {
  const { agent, scope } = target;
  const notes: string[] = [];
  for (const file of filesOf(agent, place)) {
    const settings = await lookLeniently(file);
    if (settings === null) continue;
    for (const found of switches(agent, settingsValue(settings)))
      notes.push(`${found} in ${file.path}: no hook of ${agent.title} runs`);
  }
  for (const path of await alsoIn(target, place))
    notes.push(`the hook is in ${path} too: it runs twice for each session, and once is enough`);
  if (scope === "project") notes.push(...(await trustNotes(agent, place)));
  return notes;
}

/** Paths of the agent's other settings files, as far as the place has them, that hold the hook. */
export async function alsoIn(target: HookTarget, place: TargetPlace): Promise<string[]> {
  const paths: string[] = [];
  for (const file of filesOf(target.agent, place)) {
    const settings = file.path === target.path ? null : await lookLeniently(file);
    if (settings !== null && ownEntries(settings, isOwnHook).length > 0) paths.push(file.path);
  }
  return paths;
}

function filesOf(agent: HookAgent, place: TargetPlace): HookTarget[] {
  const user = hookTarget(agent, "user", place);
  return place.projectRoot === null ? [user] : [hookTarget(agent, "project", place), user];
}

type Values = Readonly<Record<string, unknown>>;

/** The file of another scope may be anything; what can't be understood says nothing. */
async function lookLeniently(target: HookTarget): Promise<SettingsText | null> {
  try {
    const settings = lookAt(target);
    if (settings !== null) ownEntries(settings, isOwnHook);
    return settings;
  } catch (error) {
    if (error instanceof SkillprError) return null;
    throw error;
  }
}

/** Settings that switch the hook off. */
function switches(agent: HookAgent, settings: Values): string[] {
  if (agent.name !== "gemini")
    return settings["disableAllHooks"] === true ? ["`disableAllHooks: true`"] : [];
  const found: string[] = [];
  // `hooksConfig` since hooks were taken out of the experiment, `hooks` before.
  for (const key of ["hooksConfig", "hooks"]) {
    const { enabled, disabled } = valuesIn(settings[key]);
    if (enabled === false) found.push(`\`${key}.enabled: false\``);
    if (Array.isArray(disabled) && disabled.includes(HOOK_NAME))
      found.push(`\`${key}.disabled\` with "${HOOK_NAME}"`);
  }
  return found;
}

/** What nobody's file says: an agent that asks for trust by itself when it starts in a folder. */
export function trustReminder({ agent, scope }: HookTarget): string[] {
  if (scope !== "project" || agent.trustFile !== null) return [];
  return [
    `${agent.title} runs a project's hooks once you trust the folder, which it asks when it starts there`,
  ];
}

/** A project's hooks run only in a folder that the user trusts. */
async function trustNotes(agent: HookAgent, place: TargetPlace): Promise<string[]> {
  const { projectRoot, env, home } = place;
  if (projectRoot === null) return [];
  const { trustFile, title } = agent;
  if (trustFile === null) return [];
  const settings = await lookLeniently(hookTarget(agent, "user", place));
  const user = settings === null ? {} : settingsValue(settings);
  if (valuesIn(valuesIn(user["security"])["folderTrust"])["enabled"] !== true) return [];
  const moved = env[trustFile.variable] ?? "";
  const file = isAbsolute(moved) ? moved : join(userFolder(agent, env, home), trustFile.name);
  const trusted = await isTrusted(file, projectRoot);
  if (trusted) return [];
  return [
    `${title} asks for trust (\`security.folderTrust.enabled\`), and ${projectRoot} is not trusted in ${file}: ` +
      `its hooks run only after you trust it there, or install with --scope user`,
  ];
}

async function isTrusted(file: string, projectRoot: string): Promise<boolean> {
  const rules = readRules(file);
  let trusted = false;
  for (const [path, level] of Object.entries(rules)) {
    const folder = level === "TRUST_PARENT" ? join(path, "..") : path;
    const isHere = isWithin(folder, projectRoot);
    if (level === "DO_NOT_TRUST" && path === projectRoot) return false;
    if (isHere && (level === "TRUST_FOLDER" || level === "TRUST_PARENT")) trusted = true;
  }
  return trusted;
}

function readRules(file: string): Values {
  try {
    return valuesIn(parseJsonWithComments(readIfThere(file) ?? "{}"));
  } catch (error) {
    if (error instanceof SkillprError || error instanceof SyntaxError) return {};
    throw error;
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

function valuesIn(value: unknown): Values {
  return asRecord(value) ?? {};
}
