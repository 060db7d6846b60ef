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

const codex: Writer = (steps) =>
  lines([
    {
      timestamp: at(0),
      type: "session_meta",
      payload: { id: "s", cwd: "/home/user/parcels", cli_version: "0.140.0" },
    },
    ...steps.map((step, n) => {
      const wrapped = (payload: object) => ({
        timestamp: at(n + 1),
        type: "response_item",
        payload,
      });
      if ("say" in step) {
        const content = [{ type: "input_text", text: step.say }];
        return wrapped({ type: "message", role: "user", content });
      }
      if ("call" in step) {
        const called = {
          name: "exec_command",
          arguments: JSON.stringify({ cmd: commandOf(step) }),
        };
        return wrapped({ type: "function_call", ...called, call_id: step.call });
      }
      return wrapped({ type: "function_call_output", call_id: step.result, output: textOf(step) });
    }),
  ]);

const pi: Writer = (steps) =>
  lines([
    { type: "session", version: 3, id: "s", timestamp: at(0), cwd: "/home/user/parcels" },
    ...steps.map((step, n) => {
      const base = { type: "message", id: `p${n}`, parentId: n === 0 ? null : `p${n - 1}` };
      const wrapped = (message: object) => ({ ...base, timestamp: at(n + 1), message });
      const words = (text: string) => [{ type: "text", text }];
      if ("say" in step) return wrapped({ role: "user", content: words(step.say) });
      if ("call" in step) {
        const called = { name: "bash", arguments: { command: commandOf(step) } };
        const content = [{ type: "toolCall", id: step.call, ...called }];
        return wrapped({ role: "assistant", content, model: "model-one" });
      }
      const isError = step.isError === true;
      const result = { toolCallId: step.result, toolName: "bash", isError };
      return wrapped({ role: "toolResult", ...result, content: words(textOf(step)) });
    }),
  ]);

/** A call stands in the message that asks for it, and in the event of its start. */
const copilot: Writer = (steps) => {
  const place = { context: { cwd: "/home/user/parcels" }, copilotVersion: "1.0.64" };
  const written = steps.flatMap((step): (readonly [type: string, data: object])[] => {
    if ("say" in step) return [["user.message", { content: step.say }]];
    if ("call" in step) {
      const args = { command: commandOf(step) };
      const toolRequests = [{ toolCallId: step.call, name: "bash", arguments: args }];
      const started = { toolCallId: step.call, toolName: "bash", arguments: args };
      return [
        ["assistant.message", { content: "", toolRequests }],
        ["tool.execution_start", started],
      ];
    }
    const failed = { success: false, error: { message: textOf(step) } };
    const ended =
      step.isError === true ? failed : { success: true, result: { content: textOf(step) } };
    return [["tool.execution_complete", { toolCallId: step.result, ...ended }]];
  });
  const events = [["session.start", { sessionId: "s", ...place }] as const, ...written];
  return lines(
    events.map(([type, data], n) => ({
      type,
      data,
      id: `e${n}`,
      timestamp: at(n),
      parentId: n === 0 ? null : `e${n - 1}`,
    })),
  );
};

const anthropic: Writer = (steps) => JSON.stringify(steps.map((step) => blocks(step).message));

const cline: Writer = (steps) => {
  const place =
    "<environment_details>\n# Current Working Directory (/home/user/parcels) Files\n</environment_details>";
  const written = steps.map((step) => {
    const text = (words: string) => [{ type: "text", text: words }];
    if ("say" in step) {
      return { role: "user", content: [...text(`<task>${step.say}</task>`), ...text(place)] };
    }
    if ("call" in step) {
      const called = { name: "execute_command", input: { command: commandOf(step) } };
      return { role: "assistant", content: [{ type: "tool_use", id: step.call, ...called }] };
    }
    const result = { type: "tool_result", tool_use_id: step.result, content: textOf(step) };
    return { role: "user", content: [result] };
  });
  return JSON.stringify(written);
};

interface WholeStep {
  readonly n: number;
  readonly say?: string;
  readonly id?: string | undefined;
  readonly command?: string;
  readonly result?: Extract<Step, { result: unknown }> | undefined;
}

/** Each call with its result: the next one under its id that no earlier call has. */
function withResults(steps: readonly Step[]): WholeStep[] {
  const left = steps.filter((step) => "result" in step);
  return steps.flatMap((step, n): WholeStep[] => {
    if ("result" in step) return [];
    if ("say" in step) return [{ n, say: step.say }];
    const place = left.findIndex(({ result }) => result === step.call);
    const result = place === -1 ? undefined : left.splice(place, 1)[0];
    return [{ n, id: step.call, command: commandOf(step), result }];
  });
}

const gemini: Writer = (steps) =>
  JSON.stringify({
    sessionId: "s",
    projectHash: "0".repeat(64),
    startTime: at(0),
    lastUpdated: at(1),
    messages: withResults(steps).map(({ n, say, id, command, result }) => {
      const base = { id: `m${n}`, timestamp: at(n) };
      if (say !== undefined) return { ...base, type: "user", content: say };
      const name = "run_shell_command";
      const ended = result?.isError === true ? "cancelled" : "success";
      const status = result === undefined ? "executing" : ended;
      const response = {
        functionResponse: { id, name, response: { output: result && textOf(result) } },
      };
      const toolCalls = [
        { id, name, args: { command }, status, timestamp: at(n), result: result && [response] },
      ];
      return { ...base, type: "gemini", content: "", toolCalls };
    }),
  });

const opencode: Writer = (steps) =>
  JSON.stringify({
    info: { id: "ses_1", directory: "/home/user/parcels", version: "1.2.24" },
    messages: withResults(steps).map(({ n, say, id, command, result }) => {
      const info = { id: `msg_${n}`, role: say === undefined ? "assistant" : "user" };
      if (say !== undefined) return { info, parts: [{ type: "text", text: say }] };
      const isError = result?.isError === true;
      const ended = isError ? "error" : "completed";
      const status = result === undefined ? "running" : ended;
      const text = result && { [isError ? "error" : "output"]: textOf(result) };
      const state = { status, input: { command }, ...text };
      return { info, parts: [{ type: "tool", id: `prt_${n}`, callID: id, tool: "bash", state }] };
    }),
  });

/** Formats in which a call and its result are one record: none can be without the other. */
export const WRITERS_OF_WHOLE_CALLS: Readonly<Record<string, Writer>> = { gemini, opencode };

export const WRITERS: Readonly<Record<string, Writer>> = {
  "qwen-chat": qwenChat,
  "qwen-headless": headless({ qwen_code_version: "0.24.4" }),
  "claude-code": claudeCode,
  "claude-headless": headless({}),
  "openai-messages": (steps) => JSON.stringify(messages(steps, {})),
  hermes: (steps) =>
    lines([{ role: "session_meta" }, ...messages(steps, { response_item_id: "r" })]),
  atif,
  codex,
  pi,
  copilot,
  "anthropic-messages": anthropic,
  cline,
};
