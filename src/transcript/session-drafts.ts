/**
 * The parts of a Session while it is being read. Only session-builder.ts makes them. They become the
 * parts of the Session themselves: of a giant one there is no room for copies.
 */
import type { FullArgument, ToolKind, ToolOutcome } from "./session.ts";
import type { SpooledText } from "./text-spool.ts";

export interface CallDraft {
  readonly id: string | null;
  readonly name: string;
  readonly kind: ToolKind;
  readonly args: Readonly<Record<string, unknown>>;
  readonly command: string | null;
  result: string | null;
  outcome: ToolOutcome;
  exitCode: number | null;
  readonly writePaths: readonly string[];
  cwd: string | null;
  readonly at: string | null;
  fullResult?: SpooledText;
  fullArgs?: readonly FullArgument[];
}

export interface TurnDraft {
  /** Empty until all turns are known. */
  id: string;
  readonly role: "user" | "agent";
  /** The first piece of it, until all are known (turn-words.ts). */
  text: string;
  /** An empty one is shared: replaced, not added to. */
  toolCalls: readonly CallDraft[];
  midTurn: boolean;
  rewound: boolean;
  readonly subagent: string | null;
  readonly at: string | null;
  fullTexts?: readonly SpooledText[];
}

/** What a transcript says about a session as a whole; an adapter fills in what its format has. */
export interface SessionFacts {
  id: string | null;
  agentVersion: string | null;
  cwd: string | null;
  branch: string | null;
  model: string | null;
}

/** Before anything of it was read. */
export function noFacts(): SessionFacts {
  return { id: null, agentVersion: null, cwd: null, branch: null, model: null };
}

export interface TurnFacts {
  readonly role: "user" | "agent";
  readonly subagent?: string | null;
  readonly at?: unknown;
  readonly midTurn?: boolean;
}

export interface CallFacts {
  readonly id: unknown;
  readonly name: unknown;
  readonly args: unknown;
  /** The folder of the record that holds the call. */
  readonly cwd?: unknown;
  readonly at?: unknown;
  /** Known from a log about the call only: not counted as issued. */
  readonly isLoggedOnly?: boolean;
  /** Paths that the call writes beside those that its arguments name. */
  readonly writes?: readonly string[];
}

export interface ResultFacts {
  readonly text: string | null;
  readonly outcome: ToolOutcome;
  readonly exitCode: number | null;
}
