// What the verifier's patterns can't match without, for `src/verify/content/known-texts.ts`: worked out by the sources
// themselves, once for all processes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const VERIFY = resolve(import.meta.dirname, "../src/verify");

/** @returns {Promise<Record<string, string[][]>>} what `KNOWN_TEXTS` is in a build */
export async function patternTexts() {
  const dir = mkdtempSync(join(tmpdir(), "skillpr-pattern-texts-"));
  try {
    const entry = join(dir, "entry.ts");
    // The rules say what they expect while they are loaded.
    const files = ["rules.ts", "content/content-document.ts", "content/required-texts.ts"];
    const exported = files.map((file) => `export * from ${JSON.stringify(join(VERIFY, file))};\n`);
    writeFileSync(entry, exported.join(""));
    const bundle = await rolldown({ input: entry, platform: "node" });
    await bundle.write({ dir, format: "esm", entryFileNames: "[name].mjs" });
    await bundle.close();
    const { expectedPatterns, keyOf, requiredTexts } = await import(
      pathToFileURL(join(dir, "entry.mjs")).href
    );
    return Object.fromEntries(
      expectedPatterns().map((pattern) => [keyOf(pattern), requiredTexts(pattern)]),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
