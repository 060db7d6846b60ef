import { homedir } from "node:os";
import { hasCode } from "../core/errors.ts";

/** The user's home; the root, where nothing of the user's is, for a user whom the system doesn't know. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch (error) {
    if (hasCode(error, "ERR_SYSTEM_ERROR")) return "/";
    throw error;
  }
}
