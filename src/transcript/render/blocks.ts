/**
 * Turns and calls as text. Only what skillpr writes stands at the start of a line (`t3 user`,
 * `t4 call success: …`); what was said, called or answered is indented. So no text of the session
 * can pass for a turn of its own, least of all for one of the user.
 */
import { RENDER_NAME_MAX_CHARS } from "../../core/limits.ts";
import { cut, safeBlock, safeLine } from "../../core/text.ts";
import { keepText } from "../bounded-text.ts";
import type { ToolCall, Turn } from "../session.ts";

/** UTF-16 units kept of each kind of text. */
export interface Detail {
  readonly user: number;
  readonly agent: number;
  readonly args: number;
  readonly failure: number;
  readonly success: number;
}

export const EVERYTHING: Detail = {
  user: Infinity,
  agent: Infinity,
  args: Infinity,
  failure: Infinity,
  success: Infinity,
};

/** The turn's first line; empty for a plain turn of the agent that says nothing, whose calls bear its id. */
export function turnHead(turn: Turn): string {
  const isPlain = turn.role === "agent" && turn.subagent === null && !turn.rewound;
  if (isPlain && turn.text.trim() === "" && turn.toolCalls.length > 0) return "";
  return `${turn.id} ${speaker(turn)}\n`;
}

function speaker({ role, subagent, midTurn, rewound }: Turn): string {
  const name = cut(safeLine(subagent ?? ""), RENDER_NAME_MAX_CHARS);
  const who = subagent === null ? role : `sub-agent ${name} (${role})`;
  const when = midTurn ? ", while the agent worked" : "";
  return `${who}${when}${rewound ? ", taken back later" : ""}`;
}

/** The turn's first line and what was said in it. */
export function wordsBlock(turn: Turn, text: string, detail: Detail): string {
  const max = turn.role === "user" ? detail.user : detail.agent;
  const said = text.trim() === "" || max === 0 ? "" : indented(keepText(text, max));
  return turnHead(turn) + said;
}

/** The line of a call: its outcome first, since nothing that the model wrote may pass for it. */
export function callLine(turn: string, call: ToolCall, max: number): string {
  const name = cut(safeLine(call.name), RENDER_NAME_MAX_CHARS);
  const hasExit = call.exitCode !== null && call.exitCode !== 0;
  const exit = hasExit ? `, exit code ${call.exitCode}` : "";
  return `${turn} call ${call.outcome}${exit}: ${name} ${argumentsLine(call, max)}\n`;
}

/** A call's line and what came back. @param result the text to show in its result's place */
export function callBlock(turn: string, call: ToolCall, result: string, detail: Detail): string {
  const max = call.outcome === "success" ? detail.success : detail.failure;
  const line = callLine(turn, call, detail.args);
  const shown = max === 0 ? "" : result.trimEnd();
  return shown === "" ? line : line + indented(keepText(shown, max));
}

/** The arguments as JSON on one line; bounded, each text is cut first, so that every argument is seen. */
function argumentsLine({ args }: ToolCall, max: number): string {
  if (max === Infinity) return safeLine(JSON.stringify(args));
  const each = Math.ceil(max / 2);
  const short = JSON.stringify(args, (_, value: unknown) =>
    typeof value === "string" && value.length > each
      ? `${cut(value, each)} [${value.length} characters]`
      : value,
  );
  return safeLine(cut(short, max));
}

/** Every line moved in by two blanks. */
export function indented(text: string): string {
  return `${safeBlock(text).replace(/^/gm, "  ")}\n`;
}
