/** Files that are recognised and not read: so that the error can say what was given. */
import type { TranscriptSample } from "./adapter.ts";
import { conversationOf } from "./adapters/message-envelope.ts";
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
  {
    label: "a record of a search's or benchmark's iterations, not a session",
    test: (r) => isList(r, "iterations") && !isList(r, "messages") && !isList(r, "steps"),
  },
  { label: "an agent's state about a running session", test: (r) => has(r, "pid", "hostname") },
  {
    label: "a Codex CLI stream (codex exec --json; its rollout is read)",
    test: (r) =>
      typeIs(r, /^(?:thread\.started|(?:turn|item)\.(?:started|updated|completed|failed))$/),
  },
  { label: "a VS Code Copilot chat", test: (r) => has(r, "requests", "responderUsername") },
  { label: "a Kiro conversation", test: (r) => has(r, "conversation_id", "history") },
  {
    label: "a dump of one model request that holds no messages",
    test: (r) => has(inner(r, "request"), "body") && conversationOf(r) === null,
  },
  {
    label: "a data set of conversations, not one session",
    test: (r) => isList(r, "conversations"),
  },
  {
    label: "a DeepSeek harness session",
    test: (r) => typeIs(r, /^session$/) && has(r, "createdAt"),
  },
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
