import { asId, asRecord, asText, type JsonRecord } from "../json-values.ts";
import type { ToolOutcome } from "../session.ts";
import type { SessionBuilder } from "../session-builder.ts";

/** `<session>#<agent>-<random>#<round>`; the main thread's is `<session>########<n>`. */
const SUBAGENT_PROMPT = /^[^#]+#([^#]+)#\d+$/;

/**
 * Takes the calls of sub-agents from Qwen Code's telemetry records. Up to 0.14 they stand nowhere
 * else: sessions exist in which 97 files were written by sub-agents and no other record tells.
 * @param recordedAgents sub-agents with records of their own, whose telemetry would count twice
 */
export function readToolTelemetry(
  builder: SessionBuilder,
  record: JsonRecord,
  recordedAgents: ReadonlySet<string>,
): void {
  if (record["subtype"] !== "ui_telemetry") return;
  const event = asRecord(asRecord(record["systemPayload"])?.["uiEvent"]);
  if (event === null || event["event.name"] !== "qwen-code.tool_call") return;
  const prompt = asText(event["prompt_id"]) ?? "";
  const agent = SUBAGENT_PROMPT.exec(prompt)?.[1];
  if (agent === undefined || builder.hasCall(event["call_id"])) return;
  const name = agent.replace(/-[a-z0-9]{4,12}$/, "");
  if (recordedAgents.has(name) || recordedAgents.has(agent)) return;
  const at = event["event.timestamp"] ?? record["timestamp"];
  const turn = builder.turn(`telemetry ${prompt}`, { role: "agent", subagent: name, at });
  const call = builder.call(turn, {
    id: event["call_id"],
    name: event["function_name"],
    args: event["function_args"],
    cwd: asId(record["cwd"]),
    at,
    isLoggedOnly: true,
  });
  call.outcome = telemetryOutcome(event);
}

function telemetryOutcome(event: JsonRecord): ToolOutcome {
  if (event["status"] === "cancelled" || event["decision"] === "reject") return "cancelled";
  if (event["success"] === true || event["status"] === "success") return "success";
  return event["success"] === false || event["status"] === "error" ? "failure" : "unknown";
}
