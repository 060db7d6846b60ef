/** What a tool answers, cut to what a model can use, with a word on how to get the rest. */
import { READ_LINE_MAX_CHARS, READ_LINES_MAX, TOOL_OUTPUT_MAX_CHARS } from "../core/limits.ts";
import { count, cut } from "../core/text.ts";
import type { ToolOutput } from "./tool.ts";

export function answer(text: string): ToolOutput {
  return { text, isError: false };
}

/** A refusal or failure, as a sentence that the model can act on. */
export function failure(reason: string): ToolOutput {
  return { text: reason, isError: true };
}

/** Beginning and end of a long output. @param hint how to get the rest */
export function boundedOutput(text: string, hint: string): string {
  if (text.length <= TOOL_OUTPUT_MAX_CHARS) return text;
  const tailChars = Math.floor(TOOL_OUTPUT_MAX_CHARS / 4);
  const head = wholeLines(text.slice(0, TOOL_OUTPUT_MAX_CHARS - tailChars)).replace(
    HALF_AT_END,
    "",
  );
  const tail = text.slice(text.length - tailChars).replace(HALF_AT_START, "");
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${count(left, "character")} left out of ${text.length}: ${hint}]\n${tail}`;
}

// Halves of a character that the cut went through.
const HALF_AT_END = /[\ud800-\udbff]$/;
const HALF_AT_START = /^[\udc00-\udfff]/;

function wholeLines(text: string): string {
  const end = text.lastIndexOf("\n");
  return end > text.length / 2 ? text.slice(0, end) : text;
}

/**
 * A window of a file's lines, under a first line that says so when it is not all.
 * @param offset lines left out at the beginning
 * @param limit lines wanted
 * @param isCut the text itself is only the beginning of the file
 */
export function lineWindow(
  text: string,
  offset: number,
  limit: number,
  isCut: boolean,
): ToolOutput {
  const lines = text.split("\n");
  const total = text.endsWith("\n") ? lines.length - 1 : lines.length;
  const wanted = lines.slice(offset, Math.min(total, offset + Math.min(limit, READ_LINES_MAX)));
  return pageWindow({ lines: wanted, total }, offset, isCut, text);
}

/**
 * The same for lines that were cut out of a file already.
 * @param page the lines from `offset` on, and how many the file has
 * @param whole what is answered when the lines are all of the file
 */
export function pageWindow(
  { lines, total }: { readonly lines: readonly string[]; readonly total: number },
  offset: number,
  isCut = false,
  whole: string = lines.map((line) => `${line}\n`).join(""),
): ToolOutput {
  if (offset > 0 && offset >= total)
    return failure(`the file has ${count(total, "line")}, so offset ${offset} is behind its end`);
  const { shown, hasCutLine } = fitting(lines);
  const end = offset + shown.length;
  const isWhole = offset === 0 && end === total && !isCut && !hasCutLine;
  if (isWhole) return answer(whole === "" ? "[The file is empty.]" : whole);
  const of = isCut ? `at least ${total} (the file is too large to be read whole)` : String(total);
  const notes = [
    `lines ${offset + 1} to ${end} of ${of}`,
    end < total ? `read on with offset ${end}` : "",
    hasCutLine ? `lines longer than ${READ_LINE_MAX_CHARS} characters are cut: use the shell` : "",
  ];
  return answer(`[${notes.filter((note) => note !== "").join("; ")}]\n${shown.join("\n")}`);
}

/** As many lines as an answer holds, at least one. */
function fitting(lines: readonly string[]): { shown: string[]; hasCutLine: boolean } {
  const shown: string[] = [];
  let chars = 0;
  let hasCutLine = false;
  for (const line of lines) {
    const short = cut(line, READ_LINE_MAX_CHARS);
    chars += short.length + 1;
    if (chars > TOOL_OUTPUT_MAX_CHARS && shown.length > 0) break;
    hasCutLine ||= short !== line;
    shown.push(short);
  }
  return { shown, hasCutLine };
}
