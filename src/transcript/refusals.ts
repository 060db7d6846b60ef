/**
 * Results that tell of a call which never ran: the user declined it, the agent was interrupted, or
 * a call beside it failed. The agents mark them as errors; they are neither successes nor failures.
 */
const NEVER_RUN: readonly RegExp[] = [
  /^\[Operation Cancelled\]/,
  /^(?:<tool_use_error>)?(?:Cancelled: parallel tool call|Sibling tool call errored)/,
  /^The user doesn't want to (?:proceed|take this action)/,
  /^(?:\[Request interrupted by user|Request interrupted by user|Interrupted by user)/,
  /^(?:The )?[Uu]ser (?:did not allow|declined|denied|rejected|cancelled|canceled)\b/,
  /^Qwen Code requires permission to use\b/,
  /^Permission to use \S+ (?:with .{0,200} )?has been (?:denied|auto-denied)/,
  /^(?:Error: )?The user has specified a rule which prevents you\b/,
  /^(?:exec command|patch) rejected by user\b/,
  /^Tool execution aborted\b/,
  /^Permission denied and could not request permission from user\b/,
  /^Tool (?:call|use|execution) (?:was )?(?:rejected|denied|declined|cancelled)\b/i,
];

/** True when a result's text says that the call was never run. */
export function saysNeverRun(text: string): boolean {
  const start = text.slice(0, 300).trimStart();
  return NEVER_RUN.some((pattern) => pattern.test(start));
}
