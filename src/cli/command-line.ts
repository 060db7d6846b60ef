/** Parses the command line, and loads the program behind a command only when it runs. */
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type * as commands from "../commands.ts";
import { loadWithByteCode } from "../core/byte-code.ts";
import { BYTE_CODE_TIMES } from "../core/limits.ts";
import { describeFailure } from "../hook/describe-failure.ts";
import { HookLog } from "../hook/hook-log.ts";
import type * as verifyProgram from "../verify-program.ts";
import { helpOutput } from "./help-output.ts";
import { type Call, createProgram, usageExit } from "./program.ts";
import { optimizeLater } from "./tier-up.ts";

/** The build puts digests of the files in their place. */
const VERIFY_DIGEST = "__VERIFY_PROGRAM_DIGEST__";
const COMMANDS_DIGEST = "__COMMANDS_DIGEST__";

/** Keeps the byte code of this file, once it was found out that what it was loaded for is what it did. */
export interface KeepByteCode {
  readonly call?: () => void;
  readonly help?: () => void;
}

export async function runCommandLine(keepByteCode: KeepByteCode): Promise<void> {
  if (keepByteCode.help === undefined) openStdout();
  try {
    const program = createProgram(manifest.version, async (call) => {
      // Under the flags that it was loaded with.
      keepByteCode.call?.();
      optimizeLater(call.command);
      process.exitCode = call.command === "verify" ? await verify(call) : await run(call);
    });
    await program.configureOutput(helpOutput(openStdout)).parseAsync(process.argv);
  } catch (error) {
    const { exitCode, isHelp } = usageExit(error, process.argv);
    if (isHelp) keepByteCode.help?.();
    process.exitCode = exitCode;
  }
}

function openStdout(): NodeJS.WriteStream {
  if (process.stdout.listenerCount("error") > 0) return process.stdout;
  // A reader that goes away (`skillpr list | head -1`) is no error of ours.
  return process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") process.exit(0);
    process.stderr.write(`skillpr: stdout can't be written (${code})\n`);
    process.exit(1);
  });
}

/** One command runs little of what another one does: each has byte code of its own. */
async function run(call: Call): Promise<number> {
  const use = { digest: COMMANDS_DIGEST, use: call.command, times: BYTE_CODE_TIMES };
  const program = loadWithByteCode(join(__dirname, "commands.js"), use);
  const { runCommand } = program.exports as typeof commands;
  const exitCode = await runCommand(call);
  program.keepByteCode();
  // The process ends when its last git has: nobody finds one at work in a repository that a command is done with.
  return exitCode;
}

async function verify(call: Call): Promise<never> {
  const use = { digest: VERIFY_DIGEST };
  const program = loadWithByteCode(join(__dirname, "verify-program.js"), use);
  const { runVerifyCommand } = program.exports as typeof verifyProgram;
  const exitCode = await runVerifyCommand(call);
  program.keepByteCode();
  await Promise.all([process.stdout, process.stderr].map(flushed));
  // All is done, and tearing down the heaps of all threads would take as long as verifying fifty skills.
  process.exit(exitCode);
}

/** Pipes are written later on some systems. What can't be written any more was told where stdout failed. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

/** For a hook that can't be loaded: `status` shows the user's log in every repository. */
export function logHookFailure(error: unknown): void {
  new HookLog(process.env).add(describeFailure(error));
}
