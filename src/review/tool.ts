/**
 * The seam between the agent loop and the tools of a review: what a tool is, and what a policy is.
 * Whatever a model can cause comes back as text that it can act on; nothing of it throws.
 */

/** What a tool answers: bounded text for the model. */
export interface ToolOutput {
  readonly text: string;
  readonly isError: boolean;
}

/** Arguments that were checked, or one sentence that the model can act on. */
export type PreparedArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: string };

export interface Tool {
  readonly name: string;
  /** Sent to the model. */
  readonly description: string;
  /** JSON schema of the arguments, sent to the model. */
  readonly parameters: Readonly<Record<string, unknown>>;
  prepare(args: unknown): PreparedArguments;
  /**
   * Runs with arguments that `prepare` gave. Never throws for anything that a model can cause.
   *
   * @param signal the review's deadline and Ctrl-C
   */
  execute(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutput>;
}

/** One call that a policy is asked about. */
export interface PolicyCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Asked after `prepare`, before `execute`: null allows, a sentence refuses and goes to the model. */
export type Policy = (call: PolicyCall) => Promise<string | null>;
