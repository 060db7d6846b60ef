// One config makes dist: a small CommonJS door (CommonJS starts faster than an ES module on Node
// 20), which loads the ES modules behind it only when a command needs them.
import { writeFileSync } from "node:fs";
import { defineConfig } from "rolldown";

// Node 20 is the oldest that runs it: `await using` is rewritten.
const shared = { platform: "node", external: [/^node:/], transform: { target: "node20" } };

/** The door's dynamic imports point at the sibling ES modules of the second build. */
const doorImports = {
  name: "door-imports",
  resolveId(source, importer, { kind }) {
    if (kind !== "dynamic-import" || !importer?.endsWith("/src/cli.ts")) return null;
    return { id: `./${source.replace(/^.*\//, "").replace(/\.ts$/, ".mjs")}`, external: true };
  },
};

/** dist is CommonJS by default although the package is `"type": "module"`: the door keeps `.js`. */
const commonjsFolder = {
  name: "commonjs-folder",
  writeBundle({ dir }) {
    writeFileSync(`${dir}/package.json`, '{ "type": "commonjs" }\n');
  },
};

export default defineConfig([
  {
    ...shared,
    // Its default build finds its own files at run time, which no bundle has.
    resolve: { alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" } },
    input: {
      index: "src/index.ts",
      commands: "src/commands.ts",
      // The thread of the reviewer's shell: it is started by its file's name.
      "shell-worker": "src/review/shell-worker.mjs",
    },
    output: {
      dir: "dist",
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name]-[hash].mjs",
      cleanDir: true,
    },
  },
  {
    ...shared,
    input: { cli: "src/cli.ts" },
    plugins: [doorImports, commonjsFolder],
    output: {
      dir: "dist",
      format: "cjs",
      entryFileNames: "[name].js",
      banner: "#!/usr/bin/env node",
    },
  },
]);
