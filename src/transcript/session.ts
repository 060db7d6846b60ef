/**
 * Session: one agent conversation in normal form, whatever agent wrote it.
 *
 * A Session as an adapter gives it is raw: it holds what the transcript held, secrets too.
 * Counting, path detection and the gate work on it. Before a word of it goes to a model, a
 * proposal, a log or a pull request it becomes a RedactedSession (see redact-session.ts).
 */

import type { SpooledText } from "./text-spool.ts";

/** The agents whose transcripts are read. `unknown`: a plain message list that names no agent. */
export type AgentName = "qwen-code" | "claude-code" | "openai-messages" | (string & {});

/**
 * How a call ended. `success` and `failure` are completed calls. `cancelled`: the user declined it
 * or it was never run. `unknown`: the transcript records no result for it.
 */
export type ToolOutcome = "success" | "failure" | "cancelled" | "unknown";

/** What a tool does, decided from its name: what the gate and the reviewers need to know of it. */
export type ToolKind = "shell" | "write" | "edit" | "read" | "search" | "agent" | "other";

/** An argument that was cut, as it lies in the spool. */
export interface FullArgument {
  /** Which of the outermost arguments it is or lies in; null for all arguments as JSON, of which values were dropped. */
  readonly argument: number | null;
  readonly text: SpooledText;
}

/** One call of a tool, with how it ended. */
export interface ToolCall {
  /** The transcript's own id; null when it has none or only a placeholder. */
  readonly id: string | null;
  /** The name as the agent spells it (`run_shell_command`, `Bash`). */
  readonly name: string;
  readonly kind: ToolKind;
  /** Arguments; strings longer than TOOL_ARGUMENT_MAX_CHARS are cut. Not JSON: `{ "_raw": "…" }`. */
  readonly args: Readonly<Record<string, unknown>>;
  /** For kind `shell`: the command line. */
  readonly command: string | null;
  /** Result text, cut to TOOL_RESULT_MAX_CHARS (head and tail); null when there is no result. */
  readonly result: string | null;
  readonly outcome: ToolOutcome;
  /** The exit code of a shell command where the transcript tells it. */
  readonly exitCode: number | null;
  /**
   * Paths that the call would write, as spelled by the agent (not resolved); for a shell command
   * those that it plainly writes. Present whatever the outcome.
   */
  readonly writePaths: readonly string[];
  /** Working directory of the call, else the session's. */
  readonly cwd: string | null;
  /** ISO 8601, or null. */
  readonly at: string | null;
  /** Where the whole of what was cut lies; they are there only when something was, and when it was read with a spool. */
  readonly fullResult?: SpooledText;
  readonly fullArgs?: readonly FullArgument[];
}

/** One message of the conversation, with the calls that it made. */
export interface Turn {
  /** Stable within one transcript: `t1`, `t2`, … in file order. Prompts, evidence and PR text cite it. */
  readonly id: string;
  readonly role: "user" | "agent";
  /** What was said, without thoughts and without text that the agent's own harness injected. */
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** A user message that arrived while the agent worked (steering). */
  readonly midTurn: boolean;
  /** The user went back before this turn: it happened, but it isn't part of the live conversation. */
  readonly rewound: boolean;
  /** Name or id of the sub-agent whose turn this is; null for the main thread. */
  readonly subagent: string | null;
  /** ISO 8601, or null. */
  readonly at: string | null;
  /** The whole text, piece by piece, when it was cut and read with a spool. */
  readonly fullTexts?: readonly SpooledText[];
}

/** One conversation in normal form. As read it is raw: it holds what the transcript held, secrets too. */
export interface Session {
  readonly id: string;
  readonly agent: AgentName;
  /** The transcript format, e.g. `qwen-chat`, `qwen-headless`, `claude-code`, `openai-messages`. */
  readonly format: string;
  readonly agentVersion: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  /** ISO 8601, or null where the format has no times. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly turns: readonly Turn[];
  /** Completed calls of the main thread: failed ones too, cancelled and never-run ones not; every call where the format records no results. */
  readonly toolCallCount: number;
  /** Calls counted once by id, with or without a result, side chains in the same file included. */
  readonly issuedToolCallCount: number;
  /** Completed calls of sub-agents, wherever the file records them. */
  readonly subagentToolCallCount: number;
  readonly failedToolCallCount: number;
  /** Of the transcript's bytes. */
  readonly digest: `sha256:${string}`;
  /** Bytes of the transcript, where it was read from some. */
  readonly rawBytes?: number;
  /** What the reader had to skip, one sentence each (`3 lines are not JSON and were skipped`). */
  readonly notes: readonly string[];
}

declare const redacted: unique symbol;
/** A Session whose every string passed redaction. Only redactSession() makes one. */
export type RedactedSession = Session & { readonly [redacted]: true };

/** All calls of a session in order, with the turn each belongs to. */
export function* callsOf(session: Session): Generator<{ turn: Turn; call: ToolCall }> {
  for (const turn of session.turns) for (const call of turn.toolCalls) yield { turn, call };
}

/** Whether the transcript records no results at all, as its format may: then every call counts as completed. */
export function countsWithoutResults(session: Session): boolean {
  if (session.toolCallCount + session.subagentToolCallCount === 0) return false;
  for (const { call } of callsOf(session)) if (call.outcome !== "unknown") return false;
  return true;
}

/** True for a call of a tool that writes or edits a file. */
export function isFileChange({ kind }: ToolCall): boolean {
  return kind === "write" || kind === "edit";
}
