import type { Change } from "../change.ts";
import type { VerifyContext } from "../context.ts";
import { type Detail, defineRule, EVERY_PROFILE } from "../rule.ts";

interface Defect {
  readonly pattern: RegExp;
  readonly message: string;
  readonly hint: string;
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
/** The first place of each is reported. Tabs stay: a Makefile in a code block needs them. */
const DEFECTS: readonly Defect[] = [
  {
    pattern: /^\ufeff/,
    message: "The file starts with a byte order mark.",
    hint: "Save it as UTF-8 without a byte order mark.",
  },
  {
    pattern: /\0/,
    message: "The line holds a NUL character.",
    hint: "Write text; a binary file is no skill.",
  },
  {
    pattern: /\r/,
    message: "The line holds a carriage return.",
    hint: "End lines with LF alone.",
  },
  {
    pattern: /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/,
    message: "The line holds a control character.",
    hint: "Remove it, or write it as an escape such as `\\x1b`.",
  },
];
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose

export const textRule = defineRule({
  id: "structure.text",
  level: "error",
  why: "What a person reads in a diff must be what an agent reads: plain UTF-8 with LF and no control characters.",
  example: "a carriage return that hides the start of a line in a terminal",
  profiles: EVERY_PROFILE,
  *check(context): Iterable<Detail> {
    for (const change of context.written) yield* checkText(context, change);
  },
});

function* checkText({ text, input }: VerifyContext, { path, id }: Change): Iterable<Detail> {
  const blob = text(id);
  if (blob.kind === "not-utf8") {
    yield {
      path,
      line: lineOfBadByte(input.blob(id) ?? new Uint8Array()),
      message: "The line is not valid UTF-8.",
      hint: "Save the file as UTF-8.",
    };
  }
  if (blob.kind !== "text") return;
  for (const { pattern, message, hint } of DEFECTS) {
    const index = blob.text.search(pattern);
    if (index < 0) continue;
    const before = blob.text.slice(0, index).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    yield { path, line: before.length, column, message, hint };
  }
}

/** 0x0a is never part of a longer UTF-8 sequence, so lines can be decoded one by one. */
function lineOfBadByte(bytes: Uint8Array): number | null {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for (let start = 0; start <= bytes.length; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch (error) {
      if (error instanceof TypeError) return line;
      throw error;
    }
    start = end + 1;
  }
  return null;
}
