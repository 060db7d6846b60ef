/** Runs one command, and turns what went wrong into words and an exit code. */
import { EXIT_BUG, SkillprError, systemFailure } from "../core/errors.ts";
import { safeBlock, safeLine } from "../core/text.ts";
import type { Call } from "./program.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** @returns the exit code */
export type Run = (call: Call, terminal: Terminal) => Promise<number>;

/**
 * @param load gives what the command does; a module that can't be loaded is a failure like any other
 * @returns the exit code
 */
export async function runWith(load: () => Promise<Run>, call: Call): Promise<number> {
  const terminal = openTerminal(process.env);
  try {
    const run = await load();
    return await run(call, terminal);
  } catch (error) {
    return report(error, call, terminal);
  } finally {
    terminal.finish();
  }
}

function report(thrown: unknown, call: Call, terminal: Terminal): number {
  const error = systemFailure(thrown) ?? thrown;
  if (error instanceof SkillprError) {
    const { code, message, hint } = error;
    if (call.flags["json"] === true)
      terminal.json({ status: "failed", error: { code, message, hint } });
    terminal.note(`skillpr ${call.command}: ${safeLine(message)}`);
    terminal.note(`  ${safeLine(hint)}`);
    return error.exitCode;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.note(safeBlock(stack));
  terminal.note(
    `This is a bug in skillpr (command: ${call.command}). Please report it to the project with the lines above.`,
  );
  return EXIT_BUG;
}
