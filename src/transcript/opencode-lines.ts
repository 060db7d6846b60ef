/** A session out of one of OpenCode's stores as lines: its info first, then a message each, with its parts. */
import { STORE_LINE_BYTES } from "../core/limits.ts";
import { asText, type JsonRecord } from "./json-values.ts";
import { lineOf } from "./store-files.ts";

/** What to do instead when a store can't be read. */
export const EXPORT_HINT =
  "Export the session: `opencode export <id> > session.json`, and name that file.";

/** A session as its store has it. */
export interface StoredMessages {
  /** As `opencode export` writes it. */
  readonly info: JsonRecord;
  /** In order, each with its `id`. */
  readonly messages: readonly JsonRecord[];
  /** Of one message, in order, each with its `id`. */
  readonly partsOf: (
    messageId: string,
  ) => Iterable<JsonRecord> | AsyncIterable<JsonRecord> | Promise<Iterable<JsonRecord>>;
}

/** Memory follows one message, not the session; one that is very long makes several lines. */
export async function* opencodeLines(session: StoredMessages): AsyncGenerator<Uint8Array> {
  const agent = session.messages.flatMap(
    (each) => asText(each["agent"]) ?? asText(each["mode"]) ?? [],
  );
  yield lineOf({ info: { agent: agent[0], ...session.info }, messages: [] });
  for (const info of session.messages) {
    let parts: JsonRecord[] = [];
    let bytes = 0;
    for await (const part of await session.partsOf(String(info["id"]))) {
      const length = JSON.stringify(part).length;
      if (parts.length > 0 && bytes + length > STORE_LINE_BYTES) {
        yield lineOf({ info, parts });
        parts = [];
        bytes = 0;
      }
      parts.push(part);
      bytes += length;
    }
    yield lineOf({ info, parts });
  }
}
