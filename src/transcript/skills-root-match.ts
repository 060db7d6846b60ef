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
  return wildcardMatches(wildcardOf(part.toLowerCase()), name.toLowerCase());
}

/** The pattern with `*` for each run of `*`, `{…}` and `[…]`: what these may stand for isn't told apart. */
function wildcardOf(part: string): string {
  return part
    .replace(/\{[^{}]*\}?|\[[^[\]]*\]?/g, "*")
    .replace(/[}\]]+/g, "*")
    .replace(/\*+/g, "*");
}

/**
 * Whether a pattern of literals, `?` and `*` matches the whole name. Greedy with two marks: only the
 * last `*` is ever tried again, so the cost is at most one length times the other.
 */
function wildcardMatches(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let starredTo = 0;
  for (let seen = 0; seen < name.length; ) {
    const wanted = pattern[at];
    if (wanted === "*") {
      star = at;
      starredTo = seen;
      at += 1;
    } else if (wanted === "?" || wanted === name[seen]) {
      at += 1;
      seen += 1;
    } else if (star !== -1) {
      at = star + 1;
      starredTo += 1;
      seen = starredTo;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
