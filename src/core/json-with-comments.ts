/**
 * Parses JSON that may hold comments and trailing commas, as agents' settings files do.
 * @throws SyntaxError as JSON.parse does
 */
export function parseJsonWithComments(text: string): unknown {
  // Strings are matched first, so that `//` inside one survives.
  const plain = text
    .replace(/^\ufeff/, "")
    .replace(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (match) =>
      match.startsWith('"') ? match : " ",
    )
    .replace(/"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g, (match) => (match === "," ? "" : match));
  return JSON.parse(plain);
}

/** What an object has under a key; undefined for what is no object. */
export function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
