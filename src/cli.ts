/**
 * The door of the command line. Built as CommonJS, because that starts faster. An agent waits for
 * `skillpr hook`, so that word leads to a small file of its own; everything else is parsed, and
 * loaded when it is needed.
 */
import { join } from "node:path";
import type * as commandLine from "./cli/command-line.ts";
import { loadWithByteCode } from "./core/byte-code.ts";
import type { runHook } from "./hook/hook.ts";

/** The build puts digests of the files in their place. */
const HOOK_DIGEST = "__HOOK_DIGEST__";
const COMMAND_LINE_DIGEST = "__COMMAND_LINE_DIGEST__";

const [, cli = "", command, ...words] = process.argv;

if (command === "hook" && !words.some((word) => word === "--help" || word === "-h")) {
  callHook();
} else {
  openCommandLine().run();
}

/** To print help runs other code than to find a command. */
function openCommandLine() {
  const isHelp = command === undefined || command.startsWith("-");
  const use = isHelp ? "help" : "call";
  const file = join(__dirname, "command-line.js");
  const loaded = loadWithByteCode(file, { digest: COMMAND_LINE_DIGEST, use });
  const { runCommandLine, logHookFailure } = loaded.exports as typeof commandLine;
  return { run: () => runCommandLine({ [use]: loaded.keepByteCode }), logHookFailure };
}

/** Silent and 0, whatever happens: an agent would show anything else to its user. */
function callHook(): void {
  try {
    const hook = loadWithByteCode(join(__dirname, "hook.js"), { digest: HOOK_DIGEST });
    (hook.exports as { runHook: typeof runHook }).runHook({ words, cli, env: process.env });
    hook.keepByteCode();
    // In the next tick: there a worker that can't be started says so.
    process.nextTick(leave);
  } catch (error) {
    // hook.js is missing or damaged, and with it its log.
    try {
      openCommandLine().logHookFailure(error);
    } finally {
      leave();
    }
  }
}

/**
 * Ends the process. All was written synchronously, so that nothing is left to flush, and what is left
 * to tear down is the system's. `process.exit` runs handlers and closes stdin before it calls this,
 * for a tenth of the time that the hook has. It is old, but not documented: it may be gone one day.
 */
function leave(): void {
  const { reallyExit } = process as { reallyExit?: (code: number) => never };
  if (typeof reallyExit === "function") reallyExit.call(process, 0);
  process.exit(0);
}
