/**
 * `skillpr verify` as one CommonJS file. A team's check runs it on every pull request, and in a process of half a second
 * loading and compiling modules takes longer than anything else: of one file, V8 keeps the byte code. Its threads
 * load the same file.
 */
import type { Call } from "./cli/program.ts";
import { runWith } from "./cli/run-command.ts";
import { runVerify } from "./cli/verify.ts";
import "./proposal/verify-worker.ts";

/** @returns the exit code */
export function runVerifyCommand(call: Call): Promise<number> {
  return runWith(async () => runVerify, call);
}
