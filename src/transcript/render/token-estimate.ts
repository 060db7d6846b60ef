/**
 * How many tokens a text is at most. No tokenizer is loaded for it: the model is not known, and any
 * one would cost more time than the whole rendering. What counts is bytes of UTF-8; digits count
 * as a token each (some models' tokenizers split numbers into them, and they are what makes ids and hashes
 * dear), and so do characters beyond the basic plane, three times. Over real sessions and their renderings
 * no tokenizer that was tried needed more.
 */
import { ASTRAL_MAX_TOKENS, TOKEN_MIN_BYTES } from "../../core/limits.ts";

const [ZERO, NINE] = [0x30, 0x39];

/** The same, not rounded: those of the parts of a text add up to that of the text. */
export function tokenWeight(text: string): number {
  let digits = 0;
  let astral = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= NINE) {
      if (code >= ZERO) digits += 1;
    } else if (code >= 0xd800 && code <= 0xdbff) astral += 1;
  }
  const bytes = Buffer.byteLength(text) - digits - 4 * astral;
  return bytes / TOKEN_MIN_BYTES + digits + astral * ASTRAL_MAX_TOKENS;
}

export function tokensAtMost(text: string): number {
  return Math.ceil(tokenWeight(text));
}
