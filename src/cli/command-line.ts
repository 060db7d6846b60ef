/** Parses the command line, and loads the module behind a command only when it runs. */
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { loadWithByteCode } from "../core/byte-code.ts";
import { describeFailure } from "../hook/describe-failure.ts";
import { HookLog } from "../hook/hook-log.ts";
import type * as verifyProgram from "../verify-program.ts";
import { type Call, createProgram, usageExit } from "./program.ts";
import { optimizeLater } from "./tier-up.ts";

/** The build puts a digest of verify-program.js in its place. */
const VERIFY_DIGEST = "__VERIFY_PROGRAM_DIGEST__";

export async function runCommandLine(): Promise<void> {
  // A reader that goes away (`skillpr list | head -1`) is no error of ours.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") process.exit(0);
    process.stderr.write(`skillpr: stdout can't be written (${code})\n`);
    process.exit(1);
  });
  try {
    await createProgram(manifest.version, async (call) => {
      optimizeLater(call.command);
      process.exitCode = call.command === "verify" ? await verify(call) : await run(call);
    }).parseAsync(process.argv);
  } catch (error) {
    process.exitCode = usageExit(error, process.argv);
  }
}

async function run(call: Call): Promise<number> {
  const { runCommand } = await import("../commands.ts");
  return await runCommand(call);
}

async function verify(call: Call): Promise<never> {
  const program = loadWithByteCode(join(__dirname, "verify-program.js"), VERIFY_DIGEST);
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
