/**
 * The door of the command line. Built as CommonJS, because that starts faster. An agent waits for
 * `skillpr hook`, so that word leads to a small file of its own; everything else is parsed, and
 * loaded when it is needed.
 */
import { join } from "node:path";
import { loadWithByteCode } from "./hook/code-cache.ts";
import type { runHook } from "./hook/hook.ts";

const [, cli = "", command, ...words] = process.argv;

if (command === "hook" && !words.some((word) => word === "--help" || word === "-h")) {
  const hook = loadWithByteCode(join(__dirname, "hook.js"));
  (hook.exports as { runHook: typeof runHook }).runHook({ words, cli, env: process.env });
  hook.keepByteCode();
  // What is left to tear down is the system's. In the next tick: there a worker that can't be started says so.
  process.nextTick(() => process.exit(0));
} else {
  import("./cli/command-line.ts").then(({ runCommandLine }) => runCommandLine());
}
