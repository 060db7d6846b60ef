import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import { parseJsonWithComments } from "../core/json-with-comments.ts";
import { asRecord, asText } from "./json-values.ts";

/** What decides where an agent keeps its sessions. */
export interface StorePlace {
  /** Absolute path of the user's home. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute paths of the project: its checkout and its linked worktrees. */
  readonly projectRoots: readonly string[];
  /** What the project's remotes are called, `owner/name` in lower case, where that is known. */
  readonly repositories?: readonly string[];
}

/** The folder that a variable names, else the one below the home. Relative ones start at the current folder, as the agents read them. */
export function homeFolder(place: StorePlace, variable: string, ...below: string[]): string {
  return folder(place.env[variable], place.home) ?? join(place.home, ...below);
}

/** Where programs keep their data: OpenCode asks for the same folder on every system. */
export function dataFolder(place: StorePlace): string {
  return homeFolder(place, "XDG_DATA_HOME", ".local", "share");
}

/**
 * The folders in which Qwen Code keeps a folder a project: `QWEN_RUNTIME_DIR`, else
 * `runtimeOutputDir` of the user's settings, else `QWEN_HOME`, else `~/.qwen`. Its home is searched
 * too when its sessions go elsewhere now.
 */
export async function qwenFolders(place: StorePlace): Promise<string[]> {
  const qwenHome = homeFolder(place, "QWEN_HOME", ".qwen");
  const runtime =
    folder(place.env["QWEN_RUNTIME_DIR"], place.home) ??
    (await runtimeSetting(qwenHome, place.home));
  return [...new Set([runtime ?? qwenHome, qwenHome])].map((base) => join(base, "projects"));
}

/** Editors of the VS Code family, by the name of their data folder. */
const EDITORS = ["Code", "Code - Insiders", "Cursor", "VSCodium", "Windsurf"];
const EXTENSIONS = ["saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline"];

/** The folders in which editors keep a folder for each task of Cline and Roo Code, on any system; Cline's own below the home. */
export async function clineFolders({ home, env }: StorePlace): Promise<string[]> {
  const bases = [
    folder(env["XDG_CONFIG_HOME"], home) ?? join(home, ".config"),
    join(home, "Library", "Application Support"),
    folder(env["APPDATA"], home) ?? join(home, "AppData", "Roaming"),
  ];
  const users = bases.flatMap((base) => EDITORS.map((editor) => join(base, editor, "User")));
  users.push(join(home, ".vscode-server", "data", "User"));
  const storages = users.flatMap((user) =>
    EXTENSIONS.map((extension) => join(user, "globalStorage", extension, "tasks")),
  );
  return [...storages, join(home, ".cline", "data", "tasks")];
}

function folder(value: unknown, home: string): string | null {
  const text = asText(value);
  return text === null ? null : resolve(text.replace(/^~(?=[/\\]|$)/, home));
}

async function runtimeSetting(qwenHome: string, home: string): Promise<string | null> {
  const path = join(qwenHome, "settings.json");
  try {
    const settings = asRecord(parseJsonWithComments(await readFile(path, "utf8")));
    const value = asRecord(settings?.["advanced"])?.["runtimeOutputDir"];
    return folder(settings?.["runtimeOutputDir"] ?? value, home);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return null;
    const hint = "Repair the file, or name the transcript file itself.";
    throw new SkillprError("input", `${path} can't be read`, hint, { cause: error });
  }
}
