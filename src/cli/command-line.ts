/** Parses the command line, and loads the module behind a command only when it runs. */
import manifest from "../../package.json" with { type: "json" };
import { describeFailure } from "../hook/describe-failure.ts";
import { HookLog } from "../hook/hook-log.ts";
import { createProgram, usageExit } from "./program.ts";
import { optimizeLater } from "./tier-up.ts";

export async function runCommandLine(): Promise<void> {
  // A reader that goes away (`skillpr list | head -1`) is no error of ours.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") process.exit(0);
    process.stderr.write(`skillpr: stdout can't be written (${code})\n`);
    process.exit(1);
  });
  try {
    await createProgram(manifest.version, async (call) => {
      optimizeLater();
      const { runCommand } = await import("../commands.ts");
      process.exitCode = await runCommand(call);
    }).parseAsync(process.argv);
  } catch (error) {
    process.exitCode = usageExit(error, process.argv);
  }
}

/** For a hook that can't be loaded: `status` shows the user's log in every repository. */
export function logHookFailure(error: unknown): void {
  new HookLog(process.env).add(describeFailure(error));
}
