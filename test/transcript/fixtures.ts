import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { readTranscript } from "../../src/transcript/read-transcript.ts";
import type { Session, ToolCall, Turn } from "../../src/transcript/session.ts";

export const FIXTURES = fileURLToPath(new URL("../fixtures/transcripts/", import.meta.url));

/** The fixtures of every format, as paths in FIXTURES. */
export function allFixtures(): string[] {
  return readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(FIXTURES, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}

export function readFixture(name: string): Promise<Session> {
  return readTranscript({ kind: "file", path: FIXTURES + name });
}

export function readText(text: string, name = "given.jsonl"): Promise<Session> {
  return readTranscript({ kind: "bytes", name, bytes: Buffer.from(text) });
}

/** `role: text` of every turn, for a glance at a conversation. */
export function conversation(session: Session): string[] {
  return session.turns.map((turn) => `${turn.subagent ?? turn.role}: ${turn.text}`);
}

/** `id name outcome` of every call. */
export function callList(session: Session): string[] {
  return session.turns
    .flatMap((turn) => turn.toolCalls)
    .map((call) => `${call.id ?? "-"} ${call.name} ${call.outcome}`);
}

export function makeCall(call: Partial<ToolCall>): ToolCall {
  return {
    id: null,
    name: "write_file",
    kind: "write",
    args: {},
    command: null,
    result: "done",
    outcome: "success",
    exitCode: null,
    writePaths: [],
    cwd: null,
    at: null,
    ...call,
  };
}

export function makeTurn(turn: Partial<Turn>): Turn {
  return {
    id: "t1",
    role: "agent",
    text: "",
    toolCalls: [],
    midTurn: false,
    rewound: false,
    subagent: null,
    at: null,
    ...turn,
  };
}

export function makeSession(session: Partial<Session>): Session {
  return {
    id: "s1",
    agent: "qwen-code",
    format: "qwen-chat",
    agentVersion: null,
    cwd: "/home/user/parcels",
    branch: null,
    model: null,
    startedAt: null,
    endedAt: null,
    turns: [],
    toolCallCount: 0,
    issuedToolCallCount: 0,
    subagentToolCallCount: 0,
    failedToolCallCount: 0,
    digest: `sha256:${"0".repeat(64)}`,
    notes: [],
    ...session,
  };
}
