import type { SessionText } from "../../src/transcript/session-text.ts";

/** A session's text of one part, or of those given. */
export function asSessionText(...texts: readonly string[]): () => Promise<SessionText> {
  let firstLine = 0;
  const parts = texts.map((text) => {
    const lines = text.split("\n").length - 1;
    const part = {
      firstLine,
      lines,
      bytes: Buffer.byteLength(text),
      read: () => Buffer.from(text),
    };
    firstLine += lines;
    return part;
  });
  return async () => ({ parts });
}
