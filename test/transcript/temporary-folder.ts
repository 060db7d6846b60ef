import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SpoolFolder } from "../../src/transcript/text-spool.ts";

/** A folder for copies and spools, and a count of those that are still there. */
export function makeFolders(): { readonly make: () => SpoolFolder; readonly open: Set<string> } {
  const open = new Set<string>();
  const make = () => {
    const path = mkdtempSync(join(tmpdir(), "store-copy-"));
    open.add(path);
    return {
      path,
      remove() {
        rmSync(path, { recursive: true, force: true });
        open.delete(path);
      },
    };
  };
  return { make, open };
}
