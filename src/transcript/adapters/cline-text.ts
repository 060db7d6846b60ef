/** What the texts of a Cline or Roo Code conversation hold: results of calls, the user's words, the editor's notes. */
import { asText, type JsonRecord } from "../json-values.ts";
import type { CallDraft, ResultFacts } from "../session-drafts.ts";
import { plainResult } from "./plain-result.ts";

/** `[write_to_file for 'src/a.ts'] Result:`; what follows is the result. */
const RESULT = /^\s*\[([a-z_]{3,60})(?: for [^\n]{0,500}?)?\] Result:[ \t]*\n?/;
const ENVIRONMENT = /<environment_details>[\s\S]*?(?:<\/environment_details>|$)/g;
const FOLDER = /^# Current (?:Working|Workspace) Directory \((.+?)\)/m;
/** Elements of a user message that hold what the user typed. */
const TYPED = /<(task|feedback|answer|user_message)>([\s\S]*?)(?:<\/\1>|$)/g;
/** What the program says in the user's name. */
const PROGRAM = /^\s*\[(?:ERROR|TASK RESUMPTION|NOTE|SYSTEM)\]/i;

/** The tool whose result a text begins, and the result; null when it begins none. */
export function resultIn(text: string): { readonly tool: string; readonly text: string } | null {
  const match = RESULT.exec(text);
  return match === null ? null : { tool: match[1] ?? "", text: text.slice(match[0].length) };
}

/** The text without what the editor shows of its environment. */
export function withoutEnvironment(text: string): string {
  return text.replace(ENVIRONMENT, "").trim();
}

/** True for a text that only this program writes. */
export function isClineText(text: string): boolean {
  return text.includes("<environment_details>") || resultIn(text) !== null;
}

/** The folder that the environment names, or null. */
export function folderIn(text: string): string | null {
  return asText(FOLDER.exec(text)?.[1]);
}

/** What the user typed into the elements of a text: also as an answer to a call. */
export function typedIn(text: string): string[] {
  return [...text.matchAll(TYPED)].map((match) => (match[2] ?? "").trim());
}

/** What the user said of a text that is no result. */
export function saidIn(text: string): string {
  const typed = typedIn(text);
  if (typed.length > 0) return typed.join("\n");
  return PROGRAM.test(text) ? "" : text;
}

/** What a result's text says of its call; there is a flag in newer versions only. */
export function clineResult(block: JsonRecord, text: string, call: CallDraft): ResultFacts {
  const body = withoutEnvironment(text);
  const result = plainResult({}, body, call);
  if (result.outcome !== "success" || result.exitCode !== null) return result;
  const failed =
    block["is_error"] === true ||
    /^\s*(?:The tool execution failed|Command execution was not successful|\[ERROR\])/.test(body);
  return failed ? { ...result, outcome: "failure" } : result;
}
