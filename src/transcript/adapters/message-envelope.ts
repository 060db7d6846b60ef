/**
 * Where the messages of a conversation stand when one object holds them all: a bare
 * `{"messages": […]}`, the body of a request, or the dump of a request with its response.
 */
import { asId, asRecord, asRecords, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";

export interface Conversation {
  /** Messages, or items of the Responses API. */
  readonly messages: readonly JsonRecord[];
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly cwd: string | null;
  readonly at: unknown;
}

/** The conversation that an object holds, or null when it holds none. */
export function conversationOf(record: JsonRecord): Conversation | null {
  const request = asRecord(record["request"]);
  for (const body of [record, asRecord(record["body"]), request, asRecord(request?.["body"])]) {
    const messages = body === null ? null : listIn(body);
    if (body === null || messages === null) continue;
    return {
      messages: [...messages, ...answerIn(record["response"])],
      sessionId: asId(record["session_id"]) ?? asId(record["sessionId"]) ?? asId(record["id"]),
      model: asId(body["model"]) ?? asId(record["model"]),
      cwd: asId(record["cwd"]),
      at: record["timestamp"],
    };
  }
  return null;
}

/** What the object says of the session beside its messages. */
export function readConversationFacts(
  builder: SessionBuilder,
  { sessionId, model, cwd, at }: Conversation,
): void {
  const { facts } = builder;
  facts.id = sessionId;
  facts.model = model;
  facts.cwd = cwd;
  builder.sawTime(at);
}

/** The messages among all records of a file, whichever way it holds them. */
export function messagesOf(
  records: readonly JsonRecord[],
  isWhole: boolean,
): readonly JsonRecord[] {
  const [only] = records;
  if (!isWhole || records.length !== 1 || only === undefined) return records;
  return conversationOf(only)?.messages ?? records;
}

function listIn(body: JsonRecord): JsonRecord[] | null {
  for (const key of ["messages", "input"]) {
    if (Array.isArray(body[key]) && asRecords(body[key]).length > 0) return asRecords(body[key]);
  }
  return null;
}

/** What the model answered to a dumped request: it is the conversation's last message. */
function answerIn(response: unknown): JsonRecord[] {
  const answer = asRecord(asRecord(response)?.["body"]) ?? asRecord(response);
  if (answer === null) return [];
  const choice = asRecord(asRecords(answer["choices"])[0]?.["message"]);
  if (choice !== null) return [{ role: "assistant", ...choice }];
  if (Array.isArray(answer["output"])) return asRecords(answer["output"]);
  return answer["role"] === "assistant" && Array.isArray(answer["content"]) ? [answer] : [];
}
