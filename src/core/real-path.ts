import { realpathSync } from "node:fs";
import { hasCode } from "./errors.ts";

/** Where a path really leads; null when it leads nowhere that can be looked at. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (
      hasCode(
        error,
        "ENOENT",
        "ENOTDIR",
        "EACCES",
        "ELOOP",
        "ENAMETOOLONG",
        "ERR_INVALID_ARG_VALUE",
      )
    )
      return null;
    throw error;
  }
}
