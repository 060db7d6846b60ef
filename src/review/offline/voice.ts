/** How a skill speaks of a session: quoted, without the author's machine, each statement with its turn. */
import type { Session } from "../../transcript/session.ts";
import type { Hunk } from "./net-change.ts";
import { withoutMachinePaths } from "./project-path.ts";
import { code, fenced, plain, quotedLine } from "./quote.ts";
import type { Remark } from "./remark.ts";
import { smallDiff } from "./small-diff.ts";
import type { CheckRun } from "./step.ts";

export interface Voice {
  readonly session: Session;
  /**
   * Name of the session beside its turns, for a skill that holds turns of others; null in a skill
   * of this session alone.
   */
  readonly of: string | null;
  /** Remarks that are quoted already. */
  readonly said: Set<string>;
}

/** Cites turns, e.g. `t7, t9`; names the session with the first of one entry only. */
export type Cite = (...turns: readonly string[]) => string;

export function citing({ of }: Voice): Cite {
  let isFirst = true;
  return (...turns) => {
    const session = isFirst && of !== null ? ` of session ${of}` : "";
    isFirst = false;
    return [...new Set(turns)].join(", ") + session;
  };
}

/** A code span. */
export function codeOf({ session }: Voice, text: string): string {
  return code(withoutMachinePaths(text, session.cwd));
}

/** Plain text for a description: one line, no markup of HTML. */
export function lineOf({ session }: Voice, text: string): string {
  const line = quotedLine(withoutMachinePaths(text, session.cwd));
  return line
    .replaceAll(" > ", " › ")
    .replace(/ ?[<>]+ ?/g, " ")
    .trim();
}

/** The command of a check, and the folder it ran in. */
export function commandOf(voice: Voice, run: CheckRun): string {
  const folder = run.command.folder === null ? "" : ` in ${code(run.command.folder)}`;
  return codeOf(voice, run.command.text) + folder;
}

/** ` “…”`, or nothing when all of it is said already. */
export function quoted({ session, said }: Voice, ...remarks: readonly (Remark | null)[]): string {
  const fresh = remarks.flatMap((remark) =>
    remark === null || said.has(remark.text) ? [] : [remark.text],
  );
  if (fresh.length === 0) return "";
  for (const text of fresh) said.add(text);
  return ` “${fresh.map((text) => plain(withoutMachinePaths(text, session.cwd))).join(" ")}”`;
}

/** A fenced diff. */
export function diffOf({ session }: Voice, hunk: Hunk): string[] {
  const lines = smallDiff(hunk).map((line) => withoutMachinePaths(line, session.cwd));
  return fenced(lines, "diff", "");
}
