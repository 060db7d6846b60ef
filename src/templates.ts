/**
 * Finds `templates/`, which stands beside `src/` and beside `dist/`. Only a file at the top of
 * either may compute this, so that it holds in both.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const TEMPLATES = new URL("../templates/", import.meta.url);

/**
 * A text of the package's `templates/`, as it is there.
 * @param name its path below that folder (`commit-message.txt`)
 * @throws Error `ENOENT` when there is none of that name
 */
export function readTemplate(name: string): string {
  return readFileSync(new URL(name, TEMPLATES), "utf8");
}

/** Absolute path of a folder in `templates/`. */
export function templateFolder(name: string): string {
  return fileURLToPath(new URL(name, TEMPLATES));
}
