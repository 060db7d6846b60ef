import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** Mounts a small file system; unmounted when it is disposed of. @returns null where this user may not mount. */
export function mountTmpfs(folder: string, options: string): Disposable | null {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "none", folder], { stdio: "ignore" });
  } catch {
    return null; // any refusal: the test is skipped
  }
  return { [Symbol.dispose]: () => void execFileSync("umount", ["--lazy", folder]) };
}
