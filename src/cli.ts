/**
 * The door of the command line: parses, and loads the module behind a command only when it runs.
 * Built as CommonJS, because that starts faster; everything behind it is ES modules.
 */
import manifest from "../package.json" with { type: "json" };
import { createProgram, usageExit } from "./cli/program.ts";

createProgram(manifest.version, async (call) => {
  const { runCommand } = await import("./commands.ts");
  process.exitCode = await runCommand(call);
})
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    process.exitCode = usageExit(error, process.argv);
  });
