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
