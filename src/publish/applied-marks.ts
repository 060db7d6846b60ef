/** Which batches of marks a history has: the commits that brought them name them. */
import { RECALLED_COMMITS_MAX } from "../core/limits.ts";
import { requireId } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";
import { MARKS_PATTERN, marksIn } from "./skillbook-message.ts";

/**
 * @param tips commits in whose history they may be
 * @returns the batches' names without their time
 */
export async function appliedMarks(
  { git }: Repository,
  tips: readonly string[],
): Promise<ReadonlySet<string>> {
  for (const tip of tips) requireId(tip);
  // Not by date: a squash has the clock of another machine.
  const bound = `--max-count=${RECALLED_COMMITS_MAX}`;
  const grep = [bound, `--grep=${MARKS_PATTERN}`, "--format=%B"];
  const messages = await git.text(["log", "--no-color", ...grep, ...tips, "--"]);
  return new Set(marksIn(messages).map((name) => name.replace(/^\d+-/, "")));
}
