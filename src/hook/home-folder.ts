import { hasCode } from "../core/errors.ts";

/** The user's home, as os.homedir says it; the root, where nothing of the user's is, for a user whom the system doesn't know. */
export function homeFolder(): string {
  // The usual case without loading a module.
  const home = process.platform === "win32" ? undefined : process.env["HOME"];
  try {
    return home || process.getBuiltinModule("node:os").homedir();
  } catch (error) {
    if (hasCode(error, "ERR_SYSTEM_ERROR")) return "/";
    throw error;
  }
}
