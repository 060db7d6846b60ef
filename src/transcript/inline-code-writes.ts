/** Calls that change files, in the languages that agents run inline (Python, JavaScript, Perl, Ruby, PHP, .NET). */
const WRITING_CALL =
  /\bopen\s*\([^)\n]*,\s*(?:mode\s*=\s*)?['"][^'"]*[wax+]|\bopen\s*\([^\n]*['"]\s*>|\.open\(\s*['"][^'"]*[wax+]|write_(?:text|bytes)|write(?:_?)File|append_?File|createWriteStream|file_put_contents|\bmk_?dirs?|makedirs|unlink|rm(?:Sync|tree|dir)|\brm\(|\bremove\(|rename|\breplace\(|\bcopy\w*\(|cpSync|\bmove\(|symlink|\btouch\(|File\.write|IO\.write|FileUtils|(?:Write|Append)All|truncate/i;

const LITERAL = /(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g;

/** What stands between two parts of one path: `join("a", "b")`, `"a" / "b"`, `"a" + "b"`. */
const JOINT = /^\s*[,/+]\s*$/;

/**
 * Paths that a piece of inline code (`python - <<EOF`, `node -e`) plainly may write: every string
 * in it that looks like a path, provided that the code calls something that changes files.
 * Which string goes with which call isn't told apart.
 */
export function inlineCodeWrites(code: string): string[] {
  if (!WRITING_CALL.test(code)) return [];
  const paths = new Set<string>();
  let joined: string[] = [];
  let lastEnd = 0;
  const close = () => {
    const [first = ""] = joined;
    // `open("a/b.md", "w")`: a path and a mode. `join(".qwen", "skills")`: the parts of a path.
    if (joined.length > 1 && !isPath(first)) paths.add(joined.join("/"));
    joined = [];
  };
  for (const match of code.matchAll(LITERAL)) {
    const literal = match[2] ?? "";
    if (!JOINT.test(code.slice(lastEnd, match.index))) close();
    lastEnd = match.index + match[0].length;
    if (isPathPart(literal)) joined.push(literal);
    if (isPath(literal)) paths.add(literal);
  }
  close();
  return [...paths];
}

function isPath(literal: string): boolean {
  return isPathPart(literal) && (/[/\\]/.test(literal) || /[\w-]\.[A-Za-z]\w{0,9}$/.test(literal));
}

/** Path-like: no blanks but inside names, nothing that only code or prose holds. */
function isPathPart(literal: string): boolean {
  return (
    literal.length > 0 && literal.length <= 1024 && !/[\n<>|"*,;=]|:\/\/|\\n|^\s|\s$/.test(literal)
  );
}
