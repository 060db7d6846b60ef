/** What a session shows of the files it reads and writes, so that a file written whole can be compared. */
import { TOOL_ARGUMENT_MAX_CHARS, TOOL_RESULT_MAX_CHARS } from "../../core/limits.ts";
import { callsOf, isFileChange, type Session, type ToolCall } from "../../transcript/session.ts";
import type { Hunk, PathChange } from "./net-change.ts";
import { projectPath } from "./project-path.ts";

export interface FileMemory {
  /** Notes what a read shows. */
  see(call: ToolCall): void;
  /**
   * The change of a successful write or edit.
   * A string instead: the change can't be followed (`outside-project`; `no-text`: the call shows no text).
   */
  change(call: ToolCall, turn: string): PathChange | "outside-project" | "no-text";
}

function stringOf(args: Readonly<Record<string, unknown>>, ...keys: string[]): string | null {
  for (const key of keys) {
    const value = args[key];
    if (typeof value === "string") return value;
  }
  return null;
}

function hunkOf(args: Readonly<Record<string, unknown>>): Hunk | null {
  const before = stringOf(args, "old_string", "old_str", "oldText", "oldString");
  const after = stringOf(args, "new_string", "new_str", "newText", "newString");
  return before === null || after === null ? null : { before, after };
}

/** The content that a call writes; null when the call doesn't show all of it. */
function wholeOf(args: Readonly<Record<string, unknown>>): string | null {
  const text = stringOf(args, "content", "file_text", "contents");
  return text !== null && text.length < TOOL_ARGUMENT_MAX_CHARS ? text : null;
}

/** The hunks of an edit; null when the call doesn't show them. */
function hunksOf(args: Readonly<Record<string, unknown>>): Hunk[] | null {
  const list = args["edits"];
  if (!Array.isArray(list)) {
    const one = hunkOf(args);
    return one === null ? null : [one];
  }
  const hunks = list.map((each: unknown) =>
    typeof each === "object" && each !== null ? hunkOf(each as Record<string, unknown>) : null,
  );
  return hunks.every((hunk) => hunk !== null) ? hunks : null;
}

/** The whole content that a read shows; null when it is a part, cut, or not plainly content. */
function contentOf(call: ToolCall): string | null {
  const text = call.result;
  if (call.outcome !== "success" || text === null || text.length >= TOOL_RESULT_MAX_CHARS - 1)
    return null;
  if (call.args["offset"] !== undefined || call.args["limit"] !== undefined) return null;
  if (/^(?:Read|Showing|IMPORTANT|\[).*lines?\b/.test(text)) return null;
  const lines = text.split("\n").filter((line) => !/^<\/?system-reminder/.test(line));
  const numbered = lines.filter((line) => /^\s*\d+[→\t]/.test(line));
  if (numbered.length === 0) return text;
  return numbered.map((line) => line.replace(/^\s*\d+[→\t]/, "")).join("\n");
}

/** A file written whole is new unless the session saw it before or the tool says that it was there. */
function createsFile(call: ToolCall, wasSeen: boolean): boolean {
  return !wasSeen && !/overw|updated/i.test(call.result ?? "");
}

/** The file that a call reads, writes or edits; null when it lies outside of the project. */
function pathOf(call: ToolCall, cwd: string | null): string | null {
  const given =
    call.writePaths[0] ??
    stringOf(call.args, "file_path", "absolute_path", "path", "filePath", "target_file");
  return given === null ? null : projectPath(given, cwd, call.cwd);
}

/** What is known of a file's text. One map holds it all: a session may write a million files. */
type Known = string | typeof UNSEEN | typeof UNKNOWN;
const UNSEEN = 0;
/** The file was read or written, and how it looks now isn't known. */
const UNKNOWN = 1;

/** The files that the session changes: the others needn't be remembered, and it may read a million. */
function changedFiles(session: Session): Map<string, Known> {
  const changed = new Map<string, Known>();
  for (const { call } of callsOf(session)) {
    const path = isFileChange(call) ? pathOf(call, session.cwd) : null;
    if (path !== null) changed.set(path, UNSEEN);
  }
  return changed;
}

/** @param session whose calls it is going to be shown */
export function createFileMemory(session: Session): FileMemory {
  const { cwd } = session;
  const files = changedFiles(session);
  const textOf = (path: string) => {
    const known = files.get(path);
    return typeof known === "string" ? known : null;
  };
  const edited = (path: string, hunks: readonly Hunk[]): Known => {
    let text = textOf(path);
    for (const { before, after } of hunks) {
      const at = before === null || text === null ? -1 : text.indexOf(before);
      text =
        at < 0 || text === null
          ? null
          : text.slice(0, at) + after + text.slice(at + (before ?? "").length);
    }
    return text ?? UNKNOWN;
  };
  return {
    see(call) {
      const path = pathOf(call, cwd);
      if (path === null || !files.has(path) || call.outcome !== "success") return;
      files.set(path, contentOf(call) ?? textOf(path) ?? UNKNOWN);
    },
    change(call, turn) {
      const path = pathOf(call, cwd);
      if (path === null) return "outside-project";
      const whole = call.kind === "write" ? wholeOf(call.args) : null;
      const hunks = whole === null ? hunksOf(call.args) : [{ before: textOf(path), after: whole }];
      if (hunks === null) return "no-text";
      const wasSeen = (files.get(path) ?? UNSEEN) !== UNSEEN;
      const creates = whole === null ? hunks[0]?.before === "" : createsFile(call, wasSeen);
      files.set(path, whole ?? edited(path, hunks));
      return { path, turn, hunks, creates, restores: false };
    },
  };
}
