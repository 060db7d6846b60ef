/**
 * A session as text for a reviewer: the same session gives the same bytes.
 *
 * Only what skillpr writes stands at the start of a line (`t3 user`, `t4 call …`, `t4 result …`); what
 * was said, called or answered is indented. So no text of the session can pass for a turn of its
 * own, least of all for one of the user.
 */
import { PROMPT_SESSION_MAX_BYTES, RENDER_LEVELS } from "../core/limits.ts";
import { count, cut, safeBlock, safeLine } from "../core/text.ts";
import { keepText } from "./bounded-text.ts";
import type { RedactedSession, ToolCall, Turn } from "./session.ts";

/** UTF-16 units kept of each kind of text. */
interface Bounds {
  readonly user: number;
  readonly agent: number;
  readonly args: number;
  readonly failure: number;
  readonly success: number;
}

const UNBOUNDED: Bounds = {
  user: Infinity,
  agent: Infinity,
  args: Infinity,
  failure: Infinity,
  success: Infinity,
};

export interface RenderedSession {
  readonly text: string;
  /** False when something was left out; the whole is what renderWhole() gives. */
  readonly isWhole: boolean;
}

/** Everything that the session holds. */
export function renderWhole(session: RedactedSession): string {
  return blocksOf(session, UNBOUNDED).join("");
}

/**
 * The whole session when it fits, else the most of it that does: first long texts lose their middle, at
 * last whole turns in the middle go.
 * @param maxBytes bytes of UTF-8
 */
export function renderWithin(
  session: RedactedSession,
  maxBytes: number = PROMPT_SESSION_MAX_BYTES,
): RenderedSession {
  const whole = renderWhole(session);
  if (Buffer.byteLength(whole) <= maxBytes) return { text: whole, isWhole: true };
  let blocks: string[] = [];
  for (const bounds of RENDER_LEVELS) {
    blocks = blocksOf(session, bounds);
    const text = blocks.join("");
    if (Buffer.byteLength(text) <= maxBytes) return { text, isWhole: false };
  }
  return { text: withoutMiddle(blocks, maxBytes), isWhole: false };
}

/** The turns that are shown: a last message of the user that nobody answered would be answered by the reviewer. */
function shownTurns({ turns }: RedactedSession): readonly Turn[] {
  let end = turns.length;
  while (end > 0 && turns[end - 1]?.role === "user") end -= 1;
  return turns.slice(0, end);
}

function blocksOf(session: RedactedSession, bounds: Bounds): string[] {
  return shownTurns(session).map((turn) => turnBlock(turn, bounds));
}

function turnBlock(turn: Turn, bounds: Bounds): string {
  const max = turn.role === "user" ? bounds.user : bounds.agent;
  const said = turn.text.trim() === "" ? "" : indented(keepText(turn.text, max));
  const calls = turn.toolCalls.map((call) => callBlock(turn.id, call, bounds));
  return `${turn.id} ${speaker(turn)}\n${said}${calls.join("")}`;
}

function speaker({ role, subagent, midTurn, rewound }: Turn): string {
  const who = subagent === null ? role : `sub-agent ${cut(safeLine(subagent), 80)} (${role})`;
  const when = midTurn ? ", while the agent worked" : "";
  return `${who}${when}${rewound ? ", taken back later" : ""}`;
}

function callBlock(turn: string, call: ToolCall, bounds: Bounds): string {
  const args = argumentsLine(call, bounds.args);
  const name = cut(safeLine(call.name), 80);
  const exit = call.exitCode === null ? "" : `, exit code ${call.exitCode}`;
  const head = `${turn} call ${name} ${args}\n${turn} result ${call.outcome}${exit}\n`;
  const max = call.outcome === "success" ? bounds.success : bounds.failure;
  const result = call.result === null || max === 0 ? "" : call.result.trimEnd();
  return result === "" ? head : head + indented(keepText(result, max));
}

/** The arguments as JSON on one line; bounded, each text is cut first, so that every argument is seen. */
function argumentsLine({ args }: ToolCall, max: number): string {
  if (max === Infinity) return safeLine(JSON.stringify(args));
  const short = JSON.stringify(args, (_, value: unknown) =>
    typeof value === "string" ? cut(value, Math.ceil(max / 2)) : value,
  );
  return safeLine(cut(short, max));
}

function indented(text: string): string {
  return `${safeBlock(text).replace(/^/gm, "  ")}\n`;
}

/** A third of the room for the beginning (the task), the rest for the end (how it came out). */
function withoutMiddle(blocks: readonly string[], maxBytes: number): string {
  const note = (left: number) =>
    `[${count(left, "turn was", "turns were")} left out here; the whole transcript has all of them]\n`;
  const room = maxBytes - Buffer.byteLength(note(blocks.length));
  const howMany = (from: readonly string[], bytes: number) => {
    let used = 0;
    return from.findIndex((block) => {
      used += Buffer.byteLength(block);
      return used > bytes;
    });
  };
  const head = Math.max(0, howMany(blocks, room / 3));
  const headBytes = Buffer.byteLength(blocks.slice(0, head).join(""));
  const tail = Math.max(0, howMany(blocks.slice(head).reverse(), room - headBytes));
  const left = blocks.length - head - tail;
  return blocks.slice(0, head).join("") + note(left) + blocks.slice(blocks.length - tail).join("");
}
