/** The parts of a Session while it is being read. Only session-builder.ts makes them. */
import type { FullArgument, ToolKind, ToolOutcome } from "./session.ts";
import type { SpooledText } from "./text-spool.ts";

export interface CallDraft {
  readonly id: string | null;
  readonly name: string;
  readonly kind: ToolKind;
  readonly args: Readonly<Record<string, unknown>>;
  /** What each string of the arguments was cut to: when the call is written down again, so are they. */
  readonly argsMax: number;
  readonly command: string | null;
  readonly writePaths: readonly string[];
  readonly cwd: string | null;
  readonly at: string | null;
  /** Known from a log about the call only: not counted as issued. */
  readonly isLoggedOnly: boolean;
  result: string | null;
  outcome: ToolOutcome;
  exitCode: number | null;
  fullResult?: SpooledText;
  fullArgs?: readonly FullArgument[];
}

export interface TurnDraft {
  readonly role: "user" | "agent";
  readonly subagent: string | null;
  readonly at: string | null;
  /** Empty ones are shared: replaced, not added to. */
  texts: readonly string[];
  calls: readonly CallDraft[];
  textChars: number;
  midTurn: boolean;
  rewound: boolean;
  /** Since its text has no room any more: all pieces of it, and what they are recognised by. */
  full?: { readonly texts: SpooledText[]; readonly known: Set<string>; isWhole: boolean };
}

/** What a transcript says about a session as a whole; an adapter fills in what its format has. */
export interface SessionFacts {
  id: string | null;
  agentVersion: string | null;
  cwd: string | null;
  branch: string | null;
  model: string | null;
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
  readonly isLoggedOnly?: boolean;
  /** Paths that the call writes beside those that its arguments name. */
  readonly writes?: readonly string[];
}

export interface ResultFacts {
  readonly text: string | null;
  readonly outcome: ToolOutcome;
  readonly exitCode: number | null;
}
