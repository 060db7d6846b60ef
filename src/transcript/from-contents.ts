/** A conversation that a host has in memory, as a transcript: Gemini-style contents, which Qwen Code uses. */
import type { TranscriptSource } from "./read-transcript.ts";

/** One message: `user` (also for results of tools) or `model`. */
export interface Content {
  readonly role?: string | undefined;
  readonly parts?: readonly ContentPart[] | undefined;
}

/** What is read of a part; others (inline data, executable code) are passed over. */
export interface ContentPart {
  readonly text?: string | undefined;
  /** The text is a thought and not part of what was said. */
  readonly thought?: boolean | undefined;
  readonly functionCall?:
    | {
        readonly id?: string | undefined;
        readonly name?: string | undefined;
        readonly args?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
  readonly functionResponse?:
    | {
        readonly id?: string | undefined;
        readonly name?: string | undefined;
        /** `{ output }` of a success, `{ error }` of a failure. */
        readonly response?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
}

/**
 * The history as Qwen Code's own chat records, so that it is read by the same code as a file.
 * @param history in order; it is read at once, so that the host may go on changing it
 */
export function transcriptOf(
  history: readonly Content[],
  session: { readonly sessionId: string; readonly cwd: string },
): TranscriptSource {
  const { sessionId, cwd } = session;
  const lines: string[] = [];
  const add = (type: string, role: string, parts: readonly ContentPart[]) => {
    if (parts.length === 0) return;
    const uuid = `m${lines.length + 1}`;
    const parentUuid = lines.length === 0 ? null : `m${lines.length}`;
    const record = { uuid, parentUuid, sessionId, cwd, type, message: { role, parts } };
    lines.push(`${JSON.stringify(record)}\n`);
  };
  for (const { role, parts = [] } of history) {
    if (role === "model") add("assistant", "model", parts);
    else {
      const isResult = (part: ContentPart) => part.functionResponse !== undefined;
      add("tool_result", "user", parts.filter(isResult));
      add(
        "user",
        "user",
        parts.filter((part) => !isResult(part)),
      );
    }
  }
  const bytes = Buffer.from(lines.join(""), "utf8");
  return { kind: "bytes", name: `the history of session ${sessionId}`, bytes };
}
