import type { Tool, ToolOutput } from "../../src/review/tool.ts";

/** A tool that keeps what it was called with and answers as told; it wants the argument `path`. */
export interface ScriptedTool extends Tool {
  readonly received: readonly Readonly<Record<string, unknown>>[];
}

export function scriptedTool(
  name: string,
  answer: (
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => string | ToolOutput | Promise<ToolOutput> = (args) => `${name} ${String(args["path"])}`,
): ScriptedTool {
  const received: Readonly<Record<string, unknown>>[] = [];
  return {
    name,
    description: `Does what ${name} does.`,
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    received,
    prepare(args) {
      const fields = args as Readonly<Record<string, unknown>>;
      if (typeof fields["path"] === "string") return { ok: true, args: fields };
      return { ok: false, reason: `${name} needs "path", a text` };
    },
    async execute(args, signal) {
      received.push(args);
      const output = await answer(args, signal);
      return typeof output === "string" ? { text: output, isError: false } : output;
    },
  };
}
