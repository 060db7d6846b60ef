/** Why the offline reviewer wrote nothing, in one short sentence for people. Pure. */
import type { SilenceReason } from "./arc-bars.ts";
import type { LeftOut } from "./find-arcs.ts";
import { withoutMachinePaths } from "./project-path.ts";
import { quotedLine } from "./quote.ts";

const NO_ARC = "no check failed and then passed after a change";

const SENTENCES: Readonly<Record<SilenceReason, (command: string) => string>> = {
  "error-not-shown": (command) => `${command} failed without showing an error`,
  environment: (command) => `${command} failed because of the machine, not of the project`,
  flaky: (command) => `${command} failed and passed with nothing changed between`,
  "not-followed": (command) =>
    `files were changed before ${command} passed in ways that the session does not show`,
  "no-change": (command) => `${command} failed and passed, but no change of the code stayed`,
  "missing-file-created": (command) =>
    `${command} failed only until a file that was missing was written`,
  "only-the-check-changed": (command) => `${command} passed only because its tests were changed`,
  "check-silenced": (command) =>
    `${command} passed because it was told to skip or ignore something`,
  typo: (command) => `${command} failed because of a misspelled word`,
  "own-mistake": (command) => `${command} failed because of changes of the session itself`,
  "changed-after-success": (command) => `the fix was changed again after ${command} had passed`,
  "no-effort": (command) => `${command} was fixed at the first try`,
  "ends-red": (command) => `${command} passed, but a check was failing when the session ended`,
};

/** @param left checks that failed, passed later, and teach nothing; @param cwd of the session */
export function silenceOf(left: readonly LeftOut[], cwd: string | null): string {
  const first = left[0];
  if (first === undefined) return NO_ARC;
  const command = quotedLine(withoutMachinePaths(first.command, cwd));
  return SENTENCES[first.reason](`\`${command}\``);
}
