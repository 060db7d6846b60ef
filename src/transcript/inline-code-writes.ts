/**
 * Calls that change files, in the languages that agents run inline (Python, JavaScript, Perl, Ruby, PHP,
 * .NET). `open` is looked at by itself: it mostly reads.
 */
const WRITING_CALL =
  /write_(?:text|bytes)|write(?:_?)File|append_?File|createWriteStream|file_put_contents|\bmk_?dirs?|makedirs|unlink|rm(?:Sync|tree|dir)|\brm\(|\bremove\(|rename|\breplace\(|\bcopy\w*\(|cpSync|\bmove\(|symlink|\btouch\(|File\.write|IO\.write|FileUtils|(?:Write|Append)All|truncate|(?:create|edit|append)_file|insert_content/i;

const OPEN = /(\.?)\bf?open(?:Sync)?[ \t]*\(/gi;
/** A mode that writes, or Perl's `'>'`, as a later argument; as the first one of a path's own `open`. */
const WRITES_LATER = /,\s*(?:mode\s*=\s*)?["'][rbtU]{0,3}[wax+]|["']\s*>/;
const WRITES_FIRST = /^\s*(?:mode\s*=\s*)?["'][rbtU]{0,3}[wax+]/;

/** What stands between two parts of one path: `join("a", "b")`, `"a" / "b"`, `"a" + "b"`. */
const JOINT = /^\s*[,/+]\s*$/;

/**
 * Paths that a piece of inline code (`python - <<EOF`, `node -e`) plainly may write: every string
 * in it that looks like a path, provided that the code calls something that changes files.
 * Which string goes with which call isn't told apart. The cost grows with the code, not faster.
 */
export function inlineCodeWrites(code: string): string[] {
  if (!WRITING_CALL.test(code) && !opensForWriting(code)) return [];
  const paths = new Set<string>();
  let joined: string[] = [];
  let lastEnd = 0;
  const close = () => {
    const [first = ""] = joined;
    // `open("a/b.md", "w")`: a path and a mode. `join(".qwen", "skills")`: the parts of a path.
    if (joined.length > 1 && !isPath(first)) paths.add(joined.join("/"));
    joined = [];
  };
  for (const { content, start, end } of literals(code)) {
    if (!JOINT.test(code.slice(lastEnd, start))) close();
    lastEnd = end;
    if (isPathPart(content)) joined.push(content);
    if (isPath(content)) paths.add(content);
  }
  close();
  return [...paths];
}

/** Each call's arguments are looked at up to the end of its line or the next call, so no text is read twice. */
function opensForWriting(code: string): boolean {
  const calls = [...code.matchAll(OPEN)];
  return calls.some((call, index) => {
    const start = call.index + call[0].length;
    const [args = ""] = code.slice(start, calls[index + 1]?.index ?? code.length).split("\n", 1);
    return WRITES_LATER.test(args) || (call[1] === "." && WRITES_FIRST.test(args));
  });
}

interface Literal {
  readonly content: string;
  readonly start: number;
  /** Behind the closing quote. */
  readonly end: number;
}

/** The quoted strings that end in the line they begin in. */
function* literals(code: string): Generator<Literal> {
  /** Up to where a quote of this kind is known to have no end. */
  const openUntil: Record<string, number> = {};
  for (let at = 0; at < code.length; at += 1) {
    const quote = code.charAt(at);
    if (!"\"'`".includes(quote) || at < (openUntil[quote] ?? 0)) continue;
    let end = at + 1;
    while (end < code.length && code.charAt(end) !== quote && code.charAt(end) !== "\n") {
      end += code.charAt(end) === "\\" ? 2 : 1;
    }
    if (code.charAt(end) === quote) {
      yield { content: code.slice(at + 1, end), start: at, end: end + 1 };
      at = end;
    } else openUntil[quote] = end;
  }
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
