/** Writes small sessions in each format that records calls and results by id. */

export type Step =
  | { readonly say: string }
  | { readonly call: string | undefined; readonly command?: string }
  | { readonly result: string | undefined; readonly text?: string; readonly isError?: true };

type Writer = (steps: readonly Step[]) => string;

const HOUR = "2026-03-02T10:00:";
const at = (n: number) => `${HOUR}${String(n % 60).padStart(2, "0")}.000Z`;
const lines = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");
const commandOf = (step: Step) => ("command" in step ? (step.command ?? "ls") : "ls");
const textOf = (step: Step) => ("text" in step ? (step.text ?? "fine") : "fine");

const qwenChat: Writer = (steps) =>
  lines(
    steps.map((step, n) => {
      const base = {
        uuid: `r${n}`,
        parentUuid: n === 0 ? null : `r${n - 1}`,
        sessionId: "s",
        timestamp: at(n),
        cwd: "/home/user/parcels",
        version: "0.24.4",
      };
      if ("say" in step) {
        return { ...base, type: "user", message: { role: "user", parts: [{ text: step.say }] } };
      }
      const name = "run_shell_command";
      if ("call" in step) {
        const functionCall = { id: step.call, name, args: { command: commandOf(step) } };
        return {
          ...base,
          type: "assistant",
          message: { role: "model", parts: [{ functionCall }] },
        };
      }
      const functionResponse = { id: step.result, name, response: { output: textOf(step) } };
      const toolCallResult = { callId: step.result, status: "success" };
      const message = { role: "user", parts: [{ functionResponse }] };
      return { ...base, type: "tool_result", message, toolCallResult };
    }),
  );

/** A step as a message of content blocks. */
function blocks(step: Step): { type: "user" | "assistant"; message: object } {
  if ("say" in step) return { type: "user", message: { role: "user", content: step.say } };
  if ("call" in step) {
    const input = { command: commandOf(step) };
    const content = [{ type: "tool_use", id: step.call, name: "Bash", input }];
    return { type: "assistant", message: { role: "assistant", content } };
  }
  const error = step.isError === true ? { is_error: true } : {};
  const content = [
    { type: "tool_result", tool_use_id: step.result, content: textOf(step), ...error },
  ];
  return { type: "user", message: { role: "user", content } };
}

const claudeCode: Writer = (steps) =>
  lines(
    steps.map((step, n) => ({
      uuid: `r${n}`,
      parentUuid: n === 0 ? null : `r${n - 1}`,
      sessionId: "s",
      timestamp: at(n),
      version: "2.1.7",
      isSidechain: false,
      ...blocks(step),
    })),
  );

const headless =
  (version: object): Writer =>
  (steps) =>
    lines([
      { type: "system", subtype: "init", session_id: "s", cwd: "/home/user/parcels", ...version },
      ...steps.map((step, n) => ({
        ...blocks(step),
        uuid: `r${n}`,
        session_id: "s",
        parent_tool_use_id: null,
      })),
    ]);

const messages = (steps: readonly Step[], extra: object) =>
  steps.map((step) => {
    if ("say" in step) return { role: "user", content: step.say };
    if ("result" in step) {
      return { role: "tool", tool_call_id: step.result, content: textOf(step) };
    }
    const called = { name: "terminal", arguments: JSON.stringify({ command: commandOf(step) }) };
    const call = { id: step.call, type: "function", function: called, ...extra };
    return { role: "assistant", content: "", tool_calls: [call] };
  });

const atif: Writer = (steps) => {
  const written = steps.map((step, n) => {
    const base = { step_id: n + 1, timestamp: at(n) };
    if ("say" in step) return { ...base, source: "user", message: step.say };
    if ("call" in step) {
      const called = { function_name: "bash", arguments: { command: commandOf(step) } };
      const call = { tool_call_id: step.call, ...called };
      return { ...base, source: "agent", message: "", tool_calls: [call] };
    }
    const results = [{ source_call_id: step.result, content: textOf(step) }];
    return { ...base, source: "system", message: "", observation: { results } };
  });
  return JSON.stringify({ schema_version: "ATIF-v1.7", session_id: "s", steps: written });
};

export const WRITERS: Readonly<Record<string, Writer>> = {
  "qwen-chat": qwenChat,
  "qwen-headless": headless({ qwen_code_version: "0.24.4" }),
  "claude-code": claudeCode,
  "claude-headless": headless({}),
  "openai-messages": (steps) => JSON.stringify(messages(steps, {})),
  hermes: (steps) =>
    lines([{ role: "session_meta" }, ...messages(steps, { response_item_id: "r" })]),
  atif,
};
