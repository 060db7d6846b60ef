import type { Git } from "./git.ts";

/**
 * The unified diff between two trees, for people to read. Foreign text: escape it before printing.
 * Neither the user's diff programs nor their colours have a say in it.
 */
export async function diffText(git: Git, a: string, b: string): Promise<string> {
  const options = ["-r", "--patch", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];
  return git.text(["diff-tree", ...options, "--no-relative", a, b]);
}
