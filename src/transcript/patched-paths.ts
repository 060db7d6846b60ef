/** Headers of the `apply_patch` envelope, and of a unified diff as `git diff` and `diff -u` write it. */
const ENVELOPE = /^[ \t]*\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;
const UNIFIED = /^(?:---|\+\+\+) (?!\/dev\/null)(?:[ab]\/)?([^\t\n]+)/gm;

/** The paths that a patch changes, as it spells them; none when the text is no patch. */
export function patchedPaths(text: string): string[] {
  const pattern = text.includes("*** Begin Patch") ? ENVELOPE : UNIFIED;
  const paths = new Set<string>();
  for (const match of text.matchAll(pattern)) paths.add((match[1] ?? "").trim());
  return [...paths];
}
