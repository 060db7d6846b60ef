/**
 * YAML as skillpr reads and writes it: the core schema of YAML 1.2 and none of the features that
 * make two readers disagree (anchors, tags, merge keys, several documents, repeated keys).
 */
import {
  CST,
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "yaml";
import { YAML_DEPTH_MAX, YAML_PROBLEMS_MAX } from "./limits.ts";
import { FORBIDDEN_KEYS, parseSimpleYaml } from "./simple-yaml.ts";

type YamlProblemKind =
  | "syntax"
  | "duplicate-key"
  | "anchor"
  | "alias"
  | "tag"
  | "merge-key"
  | "multiple-documents"
  | "directive"
  | "tab"
  | "forbidden-key";

interface YamlProblem {
  readonly kind: YamlProblemKind;
  /** 1-based. */
  readonly line: number;
  /** One sentence without a full stop; may quote the source unescaped. */
  readonly message: string;
}

export type YamlResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

/** Tokens that are refused wherever they stand. */
const REFUSED_TOKENS: Readonly<Record<string, readonly [YamlProblemKind, string]>> = {
  anchor: ["anchor", "an anchor (&) is not allowed"],
  alias: ["alias", "an alias (*) is not allowed"],
  tag: ["tag", "a tag (!) is not allowed"],
  "directive-line": ["directive", "a directive (%) is not allowed"],
  "doc-end": ["multiple-documents", "a document end (...) is not allowed"],
};

const PARSER_CODES: Readonly<Record<string, YamlProblemKind>> = {
  TAB_AS_INDENT: "tab",
  BAD_ALIAS: "alias",
  BAD_DIRECTIVE: "directive",
  MULTIPLE_DOCS: "multiple-documents",
  MULTIPLE_ANCHORS: "anchor",
  MULTIPLE_TAGS: "tag",
  TAG_RESOLVE_FAILED: "tag",
};

/**
 * Parses one YAML 1.2 document strictly.
 *
 * @param source the text without a byte order mark; its size is the caller's to bound
 * @returns the value (maps have no prototype), or what is wrong, sorted by line, at most
 *   YAML_PROBLEMS_MAX. An empty document is `null`. Never throws on any text.
 */
export function parseStrictYaml(source: string): YamlResult {
  const simple = parseSimpleYaml(source);
  return simple === null ? parseAnyYaml(source) : { ok: true, value: simple };
}

/** The same by the parser alone, whatever the shape. */
export function parseAnyYaml(source: string): YamlResult {
  const scan = scanTokens(source);
  if (scan.isTooDeep) return { ok: false, problems: scan.problems };
  const lines = new LineCounter();
  const document = parseDocument(source, {
    version: "1.2",
    schema: "core",
    strict: true,
    // Checked below instead: the parser compares every key with every other.
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
    lineCounter: lines,
  });
  const problems = [...scan.problems];
  for (const error of [...document.errors, ...document.warnings]) {
    const kind = PARSER_CODES[error.code] ?? "syntax";
    problems.push({ kind, line: lines.linePos(error.pos[0]).line || 1, message: error.message });
  }
  problems.push(...checkKeys(document, lines));
  if (problems.length > 0) return { ok: false, problems: firstPerLineAndKind(problems) };
  return { ok: true, value: toValue(document.contents) };
}

/**
 * Writes a value as YAML: keys in the order given, long strings on one line, quotes only where some
 * reader (YAML 1.1 too) would read something else than the string.
 *
 * @returns the text with one trailing newline
 */
export function stringifyYaml(value: unknown): string {
  const document = new Document(value, { version: "1.2", schema: "core", compat: "yaml-1.1" });
  visit(document, {
    Scalar(_key, node) {
      // A quoted line break would otherwise be written as a real one, and a reader of raw lines
      // would take what follows for a key.
      if (typeof node.value === "string" && node.value.includes("\n")) node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({
    singleQuote: true,
    lineWidth: 0,
    blockQuote: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
}

interface TokenScan {
  readonly problems: YamlProblem[];
  readonly isTooDeep: boolean;
}

/**
 * Looks at the tokens before anything is parsed: the lexer is a loop, the parser recurses, so the
 * depth is bounded here, and the refused tokens are seen even where the parser would drop them.
 */
function scanTokens(source: string): TokenScan {
  const problems: YamlProblem[] = [];
  const depth = new DepthCounter();
  for (const { type, token, line, column } of tokensOf(source)) {
    const refused = REFUSED_TOKENS[type];
    if (refused) problems.push({ kind: refused[0], line, message: refused[1] });
    if (type === "space" && token.includes("\t")) {
      problems.push({ kind: "tab", line, message: "a tab between tokens is not allowed" });
    }
    if (depth.add(type, column) > YAML_DEPTH_MAX) {
      const message = `nested deeper than ${YAML_DEPTH_MAX} levels`;
      return { problems: [...problems, { kind: "syntax", line, message }], isTooDeep: true };
    }
  }
  return { problems, isTooDeep: false };
}

interface PlacedToken {
  readonly type: string;
  readonly token: string;
  /** 1-based. */
  readonly line: number;
  /** 0-based. */
  readonly column: number;
}

function* tokensOf(source: string): Generator<PlacedToken> {
  let line = 1;
  let column = 0;
  let isScalarText = false;
  for (const token of new Lexer().lex(source)) {
    // The lexer announces a plain or block scalar by a token of its own, and then gives its text.
    const type: string = isScalarText ? "scalar-text" : (CST.tokenType(token) ?? "scalar-text");
    isScalarText = type === "scalar";
    if (type === "doc-mode" || type === "scalar" || type === "flow-error-end") continue;
    yield { type, token, line, column };
    const lastBreak = token.lastIndexOf("\n");
    if (lastBreak >= 0) line += token.split("\n").length - 1;
    column = lastBreak < 0 ? column + token.length : token.length - lastBreak - 1;
  }
}

/** An upper bound of the nesting at each token: open brackets, and indentations that grow. */
class DepthCounter {
  #flow = 0;
  /** In a flow collection: `?` and `:` that may each open a level. */
  #flowIndicators = 0;
  /** The columns at which the open block collections start. */
  readonly #columns: number[] = [];
  /** True where a block collection may start: only indentation and indicators before, on this line. */
  #canOpen = true;

  add(type: string, column: number): number {
    if (type === "newline") this.#canOpen = true;
    else if (type !== "space" && type !== "comment") this.#addToken(type, column);
    return this.#columns.length + this.#flow + this.#flowIndicators;
  }

  #addToken(type: string, column: number): void {
    const isIndicator =
      type === "seq-item-ind" || type === "explicit-key-ind" || type === "map-value-ind";
    if (type === "flow-seq-start" || type === "flow-map-start") this.#flow += 1;
    else if (type === "flow-seq-end" || type === "flow-map-end") {
      this.#flow = Math.max(0, this.#flow - 1);
    }
    if (this.#flow > 0) {
      this.#flowIndicators = isIndicator ? this.#flowIndicators + 1 : 0;
    } else if (this.#canOpen) {
      while ((this.#columns.at(-1) ?? -1) >= column) this.#columns.pop();
      this.#columns.push(column);
    }
    this.#canOpen &&= isIndicator || type === "anchor" || type === "tag";
  }
}

function checkKeys(document: Document.Parsed, lines: LineCounter): YamlProblem[] {
  const problems: YamlProblem[] = [];
  visit(document, {
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key, value } of map.items) {
        const found = keyProblem(key, seen);
        const line = lines.linePos(startOf(key) ?? startOf(value) ?? 0).line || 1;
        if (found) problems.push({ ...found, line });
      }
    },
  });
  return problems;
}

function keyProblem(key: unknown, seen: Set<string>): Omit<YamlProblem, "line"> | undefined {
  if (!isScalar(key) || typeof key.value !== "string") {
    return { kind: "syntax", message: "a key must be a plain string" };
  }
  const name = key.value;
  if (seen.has(name)) return { kind: "duplicate-key", message: `the key "${name}" stands twice` };
  seen.add(name);
  if (name === "<<") return { kind: "merge-key", message: "a merge key (<<) is not allowed" };
  if (FORBIDDEN_KEYS.has(name)) {
    return { kind: "forbidden-key", message: `the key "${name}" is not allowed` };
  }
  return undefined;
}

function startOf(node: unknown): number | undefined {
  if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return undefined;
  return node.range?.[0];
}

/** Recursion is safe here: the depth was bounded before the document was parsed. */
function toValue(node: Node | null | undefined): unknown {
  if (isMap(node)) {
    const object: Record<string, unknown> = Object.create(null);
    for (const pair of node.items) {
      if (isScalar(pair.key)) object[String(pair.key.value)] = toValue(pair.value as Node | null);
    }
    return object;
  }
  if (isSeq(node)) return node.items.map((item) => toValue(item as Node | null));
  return isScalar(node) ? node.value : null;
}

function firstPerLineAndKind(problems: readonly YamlProblem[]): readonly YamlProblem[] {
  const first = new Map<string, YamlProblem>();
  for (const problem of problems) {
    const key = `${problem.line} ${problem.kind}`;
    if (!first.has(key)) first.set(key, problem);
  }
  return [...first.values()].sort((a, b) => a.line - b.line).slice(0, YAML_PROBLEMS_MAX);
}
