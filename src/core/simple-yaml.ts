/** The shape that nearly every frontmatter has, read without a parser. */

/** Of a key or value: how the core schema reads it as something else than a string. */
const NO_STRING = /^(?:null|true|false)$/i;
const KEY = "[A-Za-z][A-Za-z0-9_-]{0,63}";
/**
 * Printable ASCII on one line: a plain scalar that begins with a letter, holds no `: ` and no ` #` and
 * doesn't end in a colon or a space; a version; a quoted string without escapes.
 */
const VALUE = String.raw`[A-Za-z](?:[!-9;-~]| (?=[!"$-~])|:(?=[!-9;-~]))*|\d{1,9}\.\d{1,9}\.\d{1,9}|'[ -&(-~]*'|"[ !#-\[\]-~]*"`;
const LINE = new RegExp(`^(  )?(${KEY}):(?: (${VALUE}))?$`);
/** Keys that change an object's prototype where a reader copies them carelessly. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "prototype",
]);

interface SimpleMap {
  [key: string]: string | SimpleMap;
}

/**
 * Reads lines `key: value` with strings for values, and below a bare `key:` more of them, indented by
 * two spaces. What it gives is what the strict parser gives, which costs many times as much.
 *
 * @returns the map (it has no prototype), or null for a text in any other shape, right or wrong
 */
export function parseSimpleYaml(source: string): SimpleMap | null {
  const lines = source.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const maps: Maps = { top: newMap(), inner: null };
  const isSimple = lines.every((line, index) => readLine(maps, line, lines[index + 1] ?? ""));
  return isSimple && lines.length > 0 ? maps.top : null;
}

interface Maps {
  readonly top: SimpleMap;
  /** The one that indented lines belong to. */
  inner: SimpleMap | null;
}

/** Puts what a line says into its map; false when it is not of the shape. */
function readLine(maps: Maps, line: string, nextLine: string): boolean {
  const [, indent, key = "", text] = LINE.exec(line) ?? [];
  const isTop = indent === undefined;
  const map = isTop ? maps.top : maps.inner;
  if (map === null || !isFreeKey(key, map)) return false;
  if (isTop) maps.inner = null;
  if (text !== undefined) {
    map[key] = /^["']/.test(text) ? text.slice(1, -1) : text;
    return !NO_STRING.test(text);
  }
  maps.inner = newMap();
  map[key] = maps.inner;
  // Without more lines below it would be a null.
  return isTop && nextLine.startsWith("  ");
}

function isFreeKey(key: string, map: SimpleMap): boolean {
  return key !== "" && !NO_STRING.test(key) && !FORBIDDEN_KEYS.has(key) && !(key in map);
}

function newMap(): SimpleMap {
  return Object.create(null);
}
