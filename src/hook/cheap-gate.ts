/**
 * The gate's cheapest part: what is never captured, decided without YAML, without git and without
 * reading the transcript. In doubt a session is captured, and the worker decides.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { saysOff } from "../core/agent-switch.ts";
import { parseJsonWithComments } from "../core/json-with-comments.ts";
import { CONFIG_MAX_BYTES, GIT_SMALL_FILE_MAX_BYTES } from "../core/limits.ts";
import { userConfigPath } from "../core/user-config-path.ts";
import { isWorkspacePath } from "../gate/own-session.ts";
import { parseOwner } from "../git/process-owner.ts";
import type { FoundRepository } from "./find-repository.ts";
import { homeFolder } from "./home-folder.ts";
import type { Payload } from "./payload.ts";
import { readSmallFile } from "./small-file.ts";
import { isInsideWorker } from "./worker-environment.ts";

/** True for sub-agents and for everything that skillpr itself set off: no loop may observe itself. */
export function isNoUserSession(payload: Payload, env: NodeJS.ProcessEnv): boolean {
  return payload.isSubagent || isInsideWorker(env) || isWorkspacePath(payload.cwd);
}

/** True for a work tree that skillpr locked for a review, wherever temporary folders are. */
export function isOwnWorkspace({ gitDir, commonDir }: FoundRepository): boolean {
  if (gitDir === commonDir) return false; // only linked work trees can be locked
  const reason = readSmallFile(join(gitDir, "locked"), GIT_SMALL_FILE_MAX_BYTES);
  return reason !== null && parseOwner(reason.trim()) !== null;
}

/**
 * True when Qwen Code's settings, the project's or the user's, say `memory.enableAutoSkill: false`
 * and nothing can say otherwise: with a config file of skillpr's the worker has to read that.
 */
export function isSwitchedOff(root: string | null, env: NodeJS.ProcessEnv): boolean {
  const home = homeFolder();
  const folders = [env["QWEN_HOME"] || join(home, ".qwen")];
  if (root !== null) folders.push(join(root, ".qwen"));
  return folders.some(isOffIn) && !existsSync(userConfigPath(env, home));
}

function isOffIn(folder: string): boolean {
  const text = readSmallFile(join(folder, "settings.json"), CONFIG_MAX_BYTES);
  if (text === null) return false;
  try {
    return saysOff(parseJsonWithComments(text));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
