// What the verifier's patterns can't match without, read out of them when dist is built: reading takes a program longer
// than checking a hundred files.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/** The module that the build fills in. */
const FILLED = /[\\/]src[\\/]verify[\\/]content[\\/]known-texts\.ts$/;

/** A plugin of the bundler. `options` are those that the sources need. */
export function patternTexts(options) {
  let texts = null;
  return {
    name: "pattern-texts",
    async load(id) {
      if (!FILLED.test(id)) return null;
      texts ??= readPatterns(options);
      return `export const KNOWN_TEXTS = ${JSON.stringify(JSON.stringify(await texts))};`;
    },
  };
}

async function readPatterns(options) {
  const folder = mkdtempSync(join(tmpdir(), "pattern-texts-"));
  try {
    const file = join(folder, "read-patterns.mjs");
    const bundle = await rolldown({ ...options, input: "src/verify/read-patterns.ts" });
    await bundle.write({ file, format: "esm" });
    await bundle.close();
    const { readPatterns: read } = await import(pathToFileURL(file).href);
    return read();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
