/** What Claude Code and Qwen Code, which keep their records alike, say of the session in each of them. */
import { asId, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";

/** Later records know better, but for the folder: the session is of the one that it began in. */
export function readRecordFacts(builder: SessionBuilder, record: JsonRecord): void {
  const { facts } = builder;
  facts.id = asId(record["sessionId"]) ?? facts.id;
  facts.agentVersion = asId(record["version"]) ?? facts.agentVersion;
  facts.cwd ??= asId(record["cwd"]);
  facts.branch = asId(record["gitBranch"]) ?? facts.branch;
  builder.sawTime(record["timestamp"]);
}
