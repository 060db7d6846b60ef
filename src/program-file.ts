/**
 * Where skillpr itself lies, for who calls it later. Like templates.ts, only a file at the top may
 * compute this: its bundle stands beside `cli.js`.
 */
import { fileURLToPath } from "node:url";

/** Absolute path of `dist/cli.js`. */
export function programFile(): string {
  return fileURLToPath(new URL("./cli.js", import.meta.url));
}
