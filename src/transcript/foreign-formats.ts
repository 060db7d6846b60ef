/** Files that are recognised and not read: so that the error can say what was given. */
import type { TranscriptSample } from "./adapter.ts";
import { isManagedHeader } from "./adapters/qwen-chat.ts";
import { asRecord, asText, type JsonRecord } from "./json-values.ts";

interface ForeignFormat {
  /** Continues "looks like …". */
  readonly label: string;
  /** True when one of the sampled records can only come from this format. */
  readonly test: (record: JsonRecord) => boolean;
}

const has = (record: JsonRecord, ...keys: string[]) =>
  keys.every((key) => record[key] !== undefined);
const isList = (record: JsonRecord, key: string) => Array.isArray(record[key]);
const typeIs = (record: JsonRecord, pattern: RegExp) => pattern.test(asText(record["type"]) ?? "");
const inner = (record: JsonRecord, key: string): JsonRecord => asRecord(record[key]) ?? {};
const first = (record: JsonRecord, key: string): JsonRecord => {
  const list = record[key];
  return asRecord(Array.isArray(list) ? list[0] : null) ?? {};
};
const holdsBlock = (message: JsonRecord) =>
  isList(message, "content") &&
  (message["content"] as unknown[]).some((block) =>
    typeIs(asRecord(block) ?? {}, /^tool_(?:use|result)$/),
  );

const CODEX = /^(?:session_meta|turn_context|response_item|event_msg|compacted)$/;
const COPILOT = /^(?:session\.start|tool\.execution_\w+|assistant\.message|user\.message)$/;
const SETTINGS = ["hooks", "permissions", "mcpServers", "security", "tools", "model"];

/** Neighbours of transcripts first: some share keys with the transcripts themselves. */
const FOREIGN: readonly ForeignFormat[] = [
  { label: "a session of Qwen Code's managed engine", test: isManagedHeader },
  {
    label: "a prompt history, not a session",
    test: (r) => has(r, "display", "pastedContents") || has(r, "session_id", "ts", "text"),
  },
  {
    label: "a log of hooks, not a session",
    test: (r) => has(r, "hook", "tool") && !has(r, "message"),
  },
  {
    label: "Qwen Code's or Gemini CLI's log of prompts (logs.json), not a session",
    test: (r) => has(r, "sessionId", "messageId") && typeof r["message"] === "string",
  },
  { label: "an agent's state about a running session", test: (r) => has(r, "pid", "hostname") },
  { label: "a Codex CLI session", test: (r) => has(r, "payload") && typeIs(r, CODEX) },
  {
    label: "an old Codex CLI session",
    test: (r) => has(r, "record_type") || has(r, "id", "timestamp", "instructions"),
  },
  {
    label: "a Codex CLI stream",
    test: (r) =>
      typeIs(r, /^(?:thread\.started|(?:turn|item)\.(?:started|updated|completed|failed))$/),
  },
  {
    label: "a Gemini CLI session",
    test: (r) => has(r, "sessionId", "projectHash") || has(r, "$set") || has(r, "$rewindTo"),
  },
  {
    label: "an OpenCode session",
    test: (r) => has(r, "info", "messages") && has(first(r, "messages"), "parts"),
  },
  { label: "an OpenCode stream", test: (r) => has(r, "sessionID", "part") },
  { label: "a VS Code Copilot chat", test: (r) => has(r, "requests", "responderUsername") },
  { label: "a GitHub Copilot CLI session", test: (r) => has(r, "data") && typeIs(r, COPILOT) },
  { label: "a Kiro conversation", test: (r) => has(r, "conversation_id", "history") },
  {
    label: "a dump of one model request, not a session",
    test: (r) => has(inner(r, "request"), "body"),
  },
  {
    label: "a data set of conversations, not one session",
    test: (r) => isList(r, "conversations"),
  },
  {
    label: "a DeepSeek harness session",
    test: (r) => typeIs(r, /^session$/) && has(r, "createdAt"),
  },
  { label: "a pi or OpenClaw session", test: (r) => typeIs(r, /^session$/) && has(r, "cwd") },
  {
    label: "a Factory Droid session",
    test: (r) => typeIs(r, /^session_?[sS]tart$/) && has(r, "cwd"),
  },
  { label: "a Kimi session", test: (r) => typeIs(r, /^metadata$/) && has(r, "protocol_version") },
  {
    label: "a Cursor session",
    test: (r) => has(r, "role") && isList(inner(r, "message"), "content") && !has(r, "uuid"),
  },
  {
    label: "a Cursor stream",
    test: (r) =>
      typeIs(r, /^tool_call$/) && typeIs({ type: r["subtype"] }, /^(?:started|completed)$/),
  },
  {
    label: "a Grok session",
    test: (r) =>
      typeIs(r, /^(?:system|user|assistant|tool_result)$/) &&
      has(r, "content") &&
      !has(r, "message"),
  },
  {
    label: "a list of Anthropic messages, without what names the agent",
    test: (r) => (has(r, "role") && holdsBlock(r)) || holdsBlock(first(r, "messages")),
  },
  {
    label: "an agent's settings file",
    test: (r) =>
      !has(r, "messages") && SETTINGS.some((key) => asRecord(r[key]) !== null && !has(r, "type")),
  },
];

/** What a file that isn't read looks like, or null when it isn't known either. */
export function foreignFormat(sample: TranscriptSample): string | null {
  const known = FOREIGN.find(({ test }) => sample.records.some(test));
  if (known !== undefined) return known.label;
  const conversations = sample.records.filter((record) => isList(record, "messages"));
  return conversations.length > 1 ? "a data set of conversations, not one session" : null;
}

const FOREIGN_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:7z\ufffd|BZh\d|\ufffd7zXZ|\(\ufffd\/\ufffd|Rar!)/u, "an archive (unpack it first)"],
  [/^[^\0]{1,100}\0[\s\S]{100,400}ustar/, "a tar archive (unpack it first)"],
];

/**
 * The same for a file without a JSON record.
 * @param head how it begins, read as UTF-8
 */
export function foreignText(head: string): string | null {
  return FOREIGN_TEXTS.find(([pattern]) => pattern.test(head))?.[1] ?? null;
}
