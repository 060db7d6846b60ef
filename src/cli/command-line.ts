/** Parses the command line, and loads the module behind a command only when it runs. */
import manifest from "../../package.json" with { type: "json" };
import { describeFailure } from "../hook/describe-failure.ts";
import { HookLog } from "../hook/hook-log.ts";
import { createProgram, usageExit } from "./program.ts";

export async function runCommandLine(): Promise<void> {
  try {
    await createProgram(manifest.version, async (call) => {
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
