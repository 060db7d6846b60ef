/** Putting the hook into an agent's settings, and taking it out: planned first, so that an error changes nothing. */
import { join } from "node:path";
import { readIfThere } from "../core/config-file.ts";
import { lineDiff } from "../core/line-diff.ts";
import { HOOK_AGENTS, type HookAgent, type Scope, SETTINGS_FILE, userFolder } from "./agents.ts";
import { HOOK_NAME, type HookProgram, hookCommand, isOwnHook } from "./hook-command.ts";
import {
  type Backup,
  backupFile,
  dropBackup,
  findBackup,
  keepBackup,
  userBackupDir,
} from "./settings-backup.ts";
import {
  bytesOf,
  readSettingsFile,
  type SettingsFile,
  textOf,
  writeSettingsFile,
} from "./settings-file.ts";
import { ownEntries, type SettingsText, withHooks, withoutHooks } from "./settings-text.ts";

/** One settings file that may hold the hook. */
export interface HookTarget {
  readonly agent: HookAgent;
  readonly scope: Scope;
  /** Absolute path of the settings file. */
  readonly path: string;
  /** Where its backup goes; never in a work tree. */
  readonly backupDir: string;
}

export type HookOperation =
  /** The hook is there now, and was not. */
  | "installed"
  /** It was there with another path, twice, or for other events. */
  | "updated"
  | "unchanged"
  /** The file is what it was before skillpr changed it. */
  | "restored"
  /** skillpr's entries are out; other changes since then stay. */
  | "removed"
  /** There was nothing to take out. */
  | "absent";

export interface HookChange {
  readonly target: HookTarget;
  readonly operation: HookOperation;
  readonly file: SettingsFile;
  /** Null: no file. */
  readonly next: Buffer | null;
  /** What the file will be restored to, and whether its folder was made for it. */
  readonly backup: Backup;
  /** Unified; empty when nothing changes. The file's own words: redact and escape before printing. */
  readonly diff: string;
}

/** What the files of targets are found by. */
export interface TargetPlace {
  /** Top of the project's work tree; null: only the user's files. */
  readonly projectRoot: string | null;
  /** skillpr's folder in the git folder; null without a project. */
  readonly stateDir: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

/** @throws Error for a project's target where there is no project */
export function hookTarget(agent: HookAgent, scope: Scope, place: TargetPlace): HookTarget {
  const { projectRoot, stateDir, env, home } = place;
  if (scope === "user") {
    const path = join(userFolder(agent, env, home), SETTINGS_FILE);
    return { agent, scope, path, backupDir: userBackupDir(env, home) };
  }
  if (projectRoot === null || stateDir === null) throw new Error("no project to look in");
  const path = join(projectRoot, agent.folder, SETTINGS_FILE);
  return { agent, scope, path, backupDir: join(stateDir, "backups") };
}

/** Every file that may hold the hook. */
export function allTargets(place: TargetPlace): HookTarget[] {
  const scopes: Scope[] = place.projectRoot === null ? ["user"] : ["project", "user"];
  const agents = Object.values(HOOK_AGENTS);
  return agents.flatMap((agent) => scopes.map((scope) => hookTarget(agent, scope, place)));
}

/** @throws SkillprError `config` when the file can't be read or edited; nothing is changed then */
export async function planInstall(target: HookTarget, program: HookProgram): Promise<HookChange> {
  const { agent, path } = target;
  const file = await readTarget(target);
  const text = textOf(file);
  const hook = {
    type: "command",
    command: hookCommand(program),
    ...(agent.hasNames && { name: HOOK_NAME }),
    timeout: agent.timeout,
  };
  // An empty file says as much as one with an empty object.
  const old = { file: path, text: text.trim() === "" ? "{}\n" : text };
  const had = ownEntries(old, isOwnHook).length > 0;
  const edited = withHooks(old, { events: agent.events, hook }, isOwnHook);
  if (file.bytes !== null && edited === text)
    return change(target, file, "unchanged", file.bytes, NO_BACKUP);
  const known = file.bytes === null ? null : await findBackup(target.backupDir, path, file.bytes);
  const backup = known ?? {
    before: file.bytes === null ? null : bytesOf(file, without(path, text)),
    hasMadeFolder: !file.hasFolder,
  };
  return change(target, file, had ? "updated" : "installed", bytesOf(file, edited), backup);
}

/** @throws SkillprError `config` when the file can't be read or edited; nothing is changed then */
export async function planUninstall(target: HookTarget): Promise<HookChange> {
  const { path, backupDir } = target;
  const file = await readTarget(target);
  const { bytes } = file;
  if (bytes === null) return change(target, file, "absent", null, NO_BACKUP);
  const text = textOf(file);
  const rest = without(path, text);
  if (rest === text) return change(target, file, "absent", bytes, NO_BACKUP);
  const backup = await findBackup(backupDir, path, bytes);
  if (backup !== null) return change(target, file, "restored", backup.before, backup);
  return change(target, file, "removed", bytesOf(file, rest), NO_BACKUP);
}

export async function applyChange({ target, operation, file, next, backup }: HookChange) {
  const { path, backupDir } = target;
  if (operation === "unchanged" || operation === "absent") return;
  if (next !== null && (operation === "installed" || operation === "updated"))
    await keepBackup(backupDir, path, backup, next);
  await writeSettingsFile(file, next, operation === "restored" && backup.hasMadeFolder);
  if (operation === "restored") await dropBackup(backupDir, path);
}

/** The copy of the file as it was; null when there was none, or none was made. */
export function backupOf({ target, operation, backup }: HookChange): string | null {
  const isKept = operation === "installed" || operation === "updated";
  return isKept && backup.before !== null ? backupFile(target.backupDir, target.path) : null;
}

/** A settings file that is only looked at; null when there is none, or nothing in it. */
export function lookAt({ path, scope }: HookTarget): SettingsText | null {
  const text = readIfThere(path, scope === "user")?.replace(/^\ufeff/, "") ?? "";
  return text.trim() === "" ? null : { file: path, text };
}

/** What the hook's entries in a file run. @throws SkillprError `config` when it can't be read */
export async function installedCommands(target: HookTarget): Promise<string[]> {
  const settings = lookAt(target);
  if (settings === null) return [];
  return ownEntries(settings, isOwnHook).map(({ command }) => command);
}

const NO_BACKUP: Backup = { before: null, hasMadeFolder: false };

function readTarget({ path, scope }: HookTarget): Promise<SettingsFile> {
  return readSettingsFile(path, scope === "user");
}

function without(file: string, text: string): string {
  return text.trim() === "" ? text : withoutHooks({ file, text }, isOwnHook);
}

function change(
  target: HookTarget,
  file: SettingsFile,
  operation: HookOperation,
  next: Buffer | null,
  backup: Backup,
): HookChange {
  const textOrNull = (bytes: Buffer | null) => bytes?.toString("utf8") ?? null;
  const name = `${target.agent.folder}/${SETTINGS_FILE}`;
  const diff = lineDiff(textOrNull(file.bytes), textOrNull(next), name);
  return { target, operation, file, next, backup, diff };
}
