// One config makes dist: a small CommonJS door (CommonJS starts faster than an ES module on Node
// 20), which loads the ES modules behind it only when a command needs them.
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { defineConfig } from "rolldown";
import { patternTexts } from "./scripts/pattern-texts.mjs";

const packages = createRequire(import.meta.url);
const shared = {
  platform: "node",
  external: (source, importer) => source.startsWith("node:") && !isForCommander(source, importer),
  // Node 20 is the oldest that runs it: `await using` is rewritten.
  transform: { target: "node20" },
  resolve: {
    alias: {
      // Its default build finds its own files at run time, which no bundle has.
      "jsonc-parser": "jsonc-parser/lib/esm/main.js",
      // The same code as ES modules: what nobody uses is left out, and loading takes half the time.
      yaml: packages
        .resolve("yaml/package.json")
        .replace(/package\.json$/, "browser/dist/index.js"),
    },
  },
};

/** Read once for all files of dist. */
const patterns = patternTexts(shared);

/** Dynamic imports of the doors point at the siblings that the other builds make. */
const doorImports = {
  name: "door-imports",
  resolveId(source, importer, { kind }) {
    if (kind !== "dynamic-import") return null;
    const name = source.replace(/^.*\//, "").replace(/\.ts$/, "");
    if (importer?.endsWith("/src/action.ts")) return { id: `./${name}.mjs`, external: true };
    return null;
  },
};

/** dist is CommonJS by default although the package is `"type": "module"`: the doors keep `.js`. */
const commonjsFolder = {
  name: "commonjs-folder",
  writeBundle({ dir }) {
    writeFileSync(`${dir}/package.json`, '{ "type": "commonjs" }\n');
  },
};

/**
 * SQLite's WebAssembly is found beside the script that loads it: both are copied as they are, with their license, and
 * loaded when a database is opened.
 */
const sqliteBeside = {
  name: "sqlite-beside",
  resolveId(source) {
    return source === "node-sqlite3-wasm" ? { id: "./node-sqlite3-wasm.js", external: true } : null;
  },
  writeBundle({ dir }) {
    const script = packages.resolve("node-sqlite3-wasm");
    copyFileSync(script, `${dir}/node-sqlite3-wasm.js`);
    copyFileSync(script.replace(/js$/, "wasm"), `${dir}/node-sqlite3-wasm.wasm`);
    copyFileSync(join(dirname(script), "../LICENSE"), `${dir}/node-sqlite3-wasm.LICENSE`);
  },
};

/**
 * Commander can start programs as commands, and loads `node:child_process` for it, with all of the network behind it:
 * a third of what `--help` takes beside Node's own start. Nobody here asks it to.
 */
const NO_PROGRAMS = "\0no-programs";
const isForCommander = (source, importer) =>
  source === "node:child_process" && /[\\/]commander[\\/]/.test(importer ?? "");
const noPrograms = {
  name: "no-programs",
  resolveId(source, importer) {
    return isForCommander(source, importer) ? NO_PROGRAMS : null;
  },
  load(id) {
    return id === NO_PROGRAMS
      ? "export const spawn = () => { throw new Error('no command is a program'); };"
      : null;
  },
};

/** A thread of the verifier starts no programs: what does is loaded when somebody does. */
const LATER = "node:child_process";
const later = {
  name: "later",
  resolveId: (source) => (source === LATER ? `\0${LATER}` : null),
  load: (id) =>
    id === `\0${LATER}`
      ? `export const spawn = (...args) => process.getBuiltinModule("${LATER}").spawn(...args);`
      : null,
};

/** A door finds byte code by what the files behind it are: those were built before. */
const digestsOf = (...files) => ({
  name: "digests",
  renderChunk(code, { fileName }) {
    return files.reduce((text, file) => {
      const place = `__${file.replace(/\.js$/, "").replaceAll("-", "_").toUpperCase()}_DIGEST__`;
      if (!text.includes(place))
        throw new Error(`${fileName} has no place for the digest of ${file}`);
      const digest = createHash("sha256")
        .update(readFileSync(`dist/${file}`))
        .digest("hex");
      return text.replace(place, digest.slice(0, 12));
    }, code);
  },
});

/** A smaller file loads faster; names and code stay, so that a stack can be read. */
const small = { minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } } };

const commonjs = (name, file, output = {}, plugins = []) => ({
  ...shared,
  input: { [name]: file },
  plugins: [doorImports, commonjsFolder, patterns, ...plugins],
  output: { dir: "dist", format: "cjs", entryFileNames: "[name].js", ...output },
});

export default defineConfig([
  {
    ...shared,
    input: {
      index: "src/index.ts",
      // Behind the door of the GitHub Action.
      "run-action": "src/action/run-action.ts",
      // The thread of the reviewer's shell: it is started by its file's name.
      "shell-worker": "src/review/shell-worker.mjs",
    },
    plugins: [sqliteBeside, patterns],
    output: {
      dir: "dist",
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name]-[hash].mjs",
      cleanDir: true,
    },
  },
  commonjs("hook", "src/hook/hook.ts", small),
  {
    ...commonjs("verify-program", "src/verify-program.ts", { ...small, codeSplitting: false }, [
      later,
    ]),
    external: (source) => source.startsWith("node:") && source !== LATER,
  },
  // The threads of the verifier: each loads this file, and the program by it.
  commonjs("verify-thread", "src/verify-thread.ts", small, [digestsOf("verify-program.js")]),
  // Parts that few commands need are files of their own, beside it. Their names follow from what is in them, so that its
  // digest is theirs, too.
  commonjs(
    "commands",
    "src/commands.ts",
    { ...small, dynamicImportInCjs: false, chunkFileNames: "[name]-[hash].js" },
    [sqliteBeside],
  ),
  commonjs("command-line", "src/cli/command-line.ts", small, [
    noPrograms,
    digestsOf("verify-program.js", "commands.js"),
  ]),
  commonjs("cli", "src/cli.ts", { ...small, postBanner: "#!/usr/bin/env node" }, [
    digestsOf("hook.js", "command-line.js"),
  ]),
  commonjs("action", "src/action.ts"),
]);
