/** Sessions in the few words that matter to a test. */
import { findArcs } from "../../../src/review/offline/find-arcs.ts";
import type { RedactedSession, Session, ToolCall, Turn } from "../../../src/transcript/session.ts";

const CWD = "/home/user/shop";

type CallPart = Pick<ToolCall, "name" | "kind"> & Partial<ToolCall>;

function call(part: CallPart): ToolCall {
  return {
    id: null,
    args: {},
    command: null,
    result: "",
    outcome: "success",
    exitCode: null,
    writePaths: [],
    cwd: null,
    at: null,
    ...part,
  };
}

/** A shell command that succeeded. */
export function ok(command: string, result = "ok"): ToolCall {
  return call({
    name: "run_shell_command",
    kind: "shell",
    command,
    args: { command },
    result,
    exitCode: 0,
  });
}

/** A shell command that failed. */
export function fail(command: string, result: string): ToolCall {
  return { ...ok(command, result), outcome: "failure", exitCode: 1 };
}

export function edit(path: string, before: string, after: string): ToolCall {
  const args = { file_path: `${CWD}/${path}`, old_string: before, new_string: after };
  return call({ name: "edit", kind: "edit", args, writePaths: [args.file_path] });
}

export function write(path: string, content: string): ToolCall {
  const args = { file_path: `${CWD}/${path}`, content };
  return call({ name: "write_file", kind: "write", args, writePaths: [args.file_path] });
}

export function read(path: string, content: string): ToolCall {
  return call({
    name: "read_file",
    kind: "read",
    args: { file_path: `${CWD}/${path}` },
    result: content,
  });
}

export function search(pattern: string): ToolCall {
  return call({ name: "grep_search", kind: "search", args: { pattern }, result: "Found 1 match" });
}

export type TurnPart = ToolCall | string | (Partial<Turn> & { toolCalls: ToolCall[] });

/** One turn per part, `t1`, `t2`, …; a string is what the agent says. */
export function sessionOf(
  parts: readonly TurnPart[],
  over: Partial<Session> = {},
): RedactedSession {
  const turns = parts.map((part, i): Turn => {
    const base = {
      id: `t${i + 1}`,
      role: "agent" as const,
      text: "",
      toolCalls: [],
      midTurn: false,
      rewound: false,
      subagent: null,
      at: null,
    };
    if (typeof part === "string") return { ...base, text: part };
    return "toolCalls" in part ? { ...base, ...part } : { ...base, toolCalls: [part] };
  });
  const session: Session = {
    id: "5d3f0c9a-0000-4000-8000-000000000001",
    agent: "qwen-code",
    format: "qwen-chat",
    agentVersion: null,
    cwd: CWD,
    branch: "main",
    model: null,
    startedAt: null,
    endedAt: null,
    turns,
    toolCallCount: turns.length,
    issuedToolCallCount: turns.length,
    subagentToolCallCount: 0,
    failedToolCallCount: 0,
    digest: "sha256:00",
    notes: [],
    ...over,
  };
  return session as RedactedSession;
}

export const CARTS_FAIL = "not ok 3 - adds up a cart\n  error: \"'10.1' == '10.10'\"\n# fail 1";
export const PASS = "# pass 3\n# fail 0";
export const FIX = edit("src/cart.js", "String(sum)", "sum.toFixed(2)");
/** The shortest arc that counts: an attempt that failed, then the fix. */
export const SHORT: readonly TurnPart[] = [
  fail("npm test", CARTS_FAIL),
  edit("src/cart.js", "String(sum)", "sum.toString()"),
  fail("npm test", CARTS_FAIL),
  edit("src/cart.js", "sum.toString()", "sum.toFixed(2)"),
  ok("npm test", PASS),
];

export function arcsIn(parts: readonly TurnPart[]) {
  return findArcs(sessionOf(parts));
}

const WRONG = ["'10.10'", "'10.1'"] as const;

/** A test fails, a wrong fix is taken back, the right one is checked in two ways. */
export const ARC: readonly TurnPart[] = [
  fail("npm test", CARTS_FAIL),
  read("src/cart.js", "export const total = (sum) => String(sum);\n"),
  edit("test/cart.test.js", ...WRONG),
  {
    toolCalls: [fail("CURRENCY=EUR npm test", CARTS_FAIL)],
    text: "The expectation was right all along.",
  },
  edit("test/cart.test.js", WRONG[1], WRONG[0]),
  {
    toolCalls: [edit("src/cart.js", "String(sum)", "sum.toFixed(2)")],
    text: "Amounts need two digits.",
  },
  ok("npm test", "# fail 0"),
  ok("CURRENCY=EUR npm test", "# fail 0"),
];
