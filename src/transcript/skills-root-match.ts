/**
 * Compares a path from the project's root with the skills root. Parts may be shell patterns; a
 * path that ends in `/**` stands for a whole folder and matches when the skills root lies in it.
 * @returns the path as the project spells it, or null when it has nothing to do with the skills root
 */
export function matchSkillsRoot(path: string, skillsRoot: string): string | null {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const root = skillsRoot.split("/");
  const isWhole = parts.at(-1) === "**";
  if (isWhole) parts.pop();
  const shared = Math.min(parts.length, root.length);
  // The project's own folder as a whole is no plain write of skills.
  if (shared === 0 || (shared < root.length && !isWhole)) return null;
  for (let at = 0; at < shared; at += 1) {
    if (!partMatches(parts[at] ?? "", root[at] ?? "")) return null;
  }
  return [...root, ...parts.slice(root.length)].join("/");
}

function partMatches(part: string, name: string): boolean {
  if (!/[*?[{]/.test(part)) return part.toLowerCase() === name.toLowerCase();
  // A leading `*` doesn't match a leading dot.
  if (name.startsWith(".") && /^[*?[]/.test(part)) return false;
  const pattern = part
    .replace(/[.+^$()|\\]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".")
    .replace(/\{[^}]*\}?|\[[^\]]*\]?/g, ".*");
  return new RegExp(`^${pattern}$`, "i").test(name);
}
