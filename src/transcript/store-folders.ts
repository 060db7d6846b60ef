import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hasCode, SkillprError } from "../core/errors.ts";
import { parseJsonWithComments } from "../core/json-with-comments.ts";
import { asRecord, asText } from "./json-values.ts";

/**
 * The folders in which Qwen Code and Claude Code keep their sessions, a folder a project in each:
 * `QWEN_RUNTIME_DIR`, else `runtimeOutputDir` of the user's settings, else `QWEN_HOME`, else
 * `~/.qwen`; `CLAUDE_CONFIG_DIR`, else `~/.claude`. Relative ones start at the current folder, as
 * the agents read them. Qwen Code's home is searched too when its sessions go elsewhere now.
 */
export async function storeFolders(home: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const qwenHome = folder(env["QWEN_HOME"], home) ?? join(home, ".qwen");
  const runtime = folder(env["QWEN_RUNTIME_DIR"], home) ?? (await runtimeSetting(qwenHome, home));
  const claudeHome = folder(env["CLAUDE_CONFIG_DIR"], home) ?? join(home, ".claude");
  const bases = [runtime ?? qwenHome, qwenHome, claudeHome];
  return [...new Set(bases.map((base) => join(base, "projects")))];
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
