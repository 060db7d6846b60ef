import { systemFailure } from "../core/errors.ts";

/**
 * What failed, for the log. A bug is told by its place alone: its message may quote what stood in
 * a payload or a file.
 */
export function describeFailure(error: unknown): string {
  const refused = systemFailure(error);
  if (refused !== null) return refused.message;
  if (!(error instanceof Error)) return `a bug in skillpr: ${typeof error} was thrown`;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return `a bug in skillpr: ${error.name} ${frames.map((line) => line.trim()).join(" ")}`;
}
