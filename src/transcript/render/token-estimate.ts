/**
 * How many tokens a text is at most. No tokenizer is loaded for it: the model is not known, and any
 * one would cost more time than the whole rendering. The bound is by bytes of UTF-8: over real
 * sessions and their renderings no tokenizer needed more tokens than this.
 */
import { TOKEN_MIN_BYTES } from "../../core/limits.ts";

export function tokensAtMost(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / TOKEN_MIN_BYTES);
}

/** Bytes of UTF-8 that are at most so many tokens. */
export function bytesWithin(tokens: number): number {
  return Math.floor(tokens * TOKEN_MIN_BYTES);
}
