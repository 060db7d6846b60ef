/**
 * Which commits of the Skillbook's branch a base holds as a squash. Its file tells where nobody edited it; where
 * somebody did, the trailers that a squash keeps.
 */
import { SKILLBOOK_HISTORY_MAX } from "../core/limits.ts";
import type { Repository } from "../git/repository.ts";
import { SKILLBOOK_FOLDER } from "../skills/skillbook-files.ts";

const TRAILER = /^\s*(Skillpr-(?:Session|Digest|Marks|Operation): .*\S)\s*$/;
const OPERATION = "Skillpr-Operation: ";

/** The messages of a history's commits that changed the Skillbook, each by its trailers. */
export async function squashedIn(
  { git }: Repository,
  range: { readonly after: string | null; readonly upTo: string; readonly skillsRoot: string },
): Promise<readonly ReadonlySet<string>[]> {
  const not = range.after === null ? [] : [`^${range.after}`];
  const messages = await git.text([
    "log",
    "--no-color",
    `--max-count=${SKILLBOOK_HISTORY_MAX}`,
    "--format=%B%x00",
    range.upTo,
    ...not,
    "--",
    `${range.skillsRoot}/${SKILLBOOK_FOLDER}`,
  ]);
  return messages.split("\0").map((message) => new Set(trailersOf(message)));
}

/** One of them says all that this commit says of its session, its operations and the marks that came with it. */
export function isSquashed(
  { message }: { readonly message: string },
  squashed: readonly ReadonlySet<string>[],
): boolean {
  const own = trailersOf(message);
  const isTelling = own.some((line) => line.startsWith(OPERATION));
  return isTelling && squashed.some((lines) => own.every((line) => lines.has(line)));
}

/** A squash may have indented them. */
function trailersOf(message: string): string[] {
  return message.split("\n").flatMap((line) => TRAILER.exec(line)?.[1] ?? []);
}
