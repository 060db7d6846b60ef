/**
 * HTML that can only be made of escaped text: what is put into a template is text unless it was
 * made by a template itself. Nothing else in this room writes a `<`.
 */
import { safeBlock } from "../core/text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Finished HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = string | number | Html | null | readonly Piece[];

/** Foreign text for an element or a quoted attribute; controls and invisible characters become visible. */
export function escapeHtml(text: string): string {
  return safeBlock(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** `html\`<p>${foreign}</p>\``: strings are escaped, lists joined, null is nothing. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let text = parts[0] ?? "";
  for (const [at, piece] of pieces.entries()) text += rendered(piece) + (parts[at + 1] ?? "");
  return new Html(text);
}

function rendered(piece: Piece): string {
  if (piece === null) return "";
  if (piece instanceof Html) return piece.text;
  if (typeof piece === "string") return escapeHtml(piece);
  return typeof piece === "number" ? String(piece) : piece.map(rendered).join("");
}
