/**
 * Harbor's Agent Trajectory Interchange Format: one object with `schema_version` and `steps`.
 *
 * A step holds its calls and what they answered. The format has no flag for a failure. Converters
 * vary: `id` and `name` for `tool_call_id` and `function_name`, a message that is an object.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { userWords } from "../injected-text.ts";
import { asId, asRecord, asRecords, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, ResultFacts } from "../session-drafts.ts";
import { textOfBlocks } from "./content-blocks.ts";
import { plainResult } from "./plain-result.ts";

export const atif: TranscriptFormat = {
  name: "atif",
  agent: "atif",
  label: "Harbor trajectories (ATIF)",
  matches: ({ records }) => records.some(isTrajectory),
  open: (builder) => new AtifAdapter(builder),
};

function isTrajectory(record: JsonRecord): boolean {
  return record["schema_version"] !== undefined && Array.isArray(record["steps"]);
}

class AtifAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    if (!isTrajectory(record)) return;
    const facts = this.#builder.facts;
    const agent = asRecord(record["agent"]);
    facts.id ??= asId(record["session_id"]) ?? asId(record["trajectory_id"]);
    facts.agentVersion ??= asId(agent?.["version"]);
    facts.model ??= asId(agent?.["model_name"]);
    facts.cwd ??= asId(asRecord(agent?.["extra"])?.["cwd"]);
    for (const step of asRecords(record["steps"])) this.#step(step);
  }

  end(): void {}

  #step(step: JsonRecord): void {
    const message = asRecord(step["message"]);
    const at = step["timestamp"] ?? message?.["timestamp"];
    const source = asText(step["source"]) ?? asText(message?.["role"]);
    const text = textOfBlocks(message === null ? step["message"] : message["content"]) ?? "";
    if (source === "user") {
      this.#builder.say(this.#builder.turn(null, { role: "user", at }), userWords(text));
      return;
    }
    // Results may stand in a step of their own, also under `system`.
    const calls = source === "system" ? [] : this.#agentStep(step, text, at);
    this.#results(asRecords(asRecord(step["observation"])?.["results"]), calls);
  }

  #agentStep(step: JsonRecord, text: string, at: unknown): CallDraft[] {
    const model = asId(step["model_name"]);
    if (model !== null) this.#builder.facts.model = model;
    const turn = this.#builder.turn(null, { role: "agent", at });
    this.#builder.say(turn, text);
    return asRecords(step["tool_calls"]).map((call) =>
      this.#builder.call(turn, {
        id: call["tool_call_id"] ?? call["id"],
        name: call["function_name"] ?? call["name"],
        args: call["arguments"],
        at: call["timestamp"] ?? at,
      }),
    );
  }

  #results(results: readonly JsonRecord[], calls: readonly CallDraft[]): void {
    for (const result of results) {
      const id = asId(result["source_call_id"]);
      const text = textOfBlocks(result["content"]);
      const read = (call: CallDraft) => atifResult(result, text, call);
      const isShared = id === null && results.length === 1 && calls.length > 0;
      if (!isShared) this.#builder.answer(id, read);
      else this.#shareResult(calls, read);
    }
  }

  /** Keystrokes that were sent to a terminal one after the other are answered by one screen. */
  #shareResult(calls: readonly CallDraft[], read: (call: CallDraft) => ResultFacts): void {
    for (const call of calls) {
      const isLast = call === calls.at(-1);
      const shared: ResultFacts = { text: null, outcome: "success", exitCode: null };
      this.#builder.settle(call, isLast ? read(call) : shared);
    }
  }
}

function atifResult(result: JsonRecord, text: string | null, call: CallDraft): ResultFacts {
  const facts = plainResult(result, text, call);
  const status = asText(asRecord(result["extra"])?.["status"]);
  const isError = status === "error" || status === "failed" || result["is_error"] === true;
  return isError && facts.outcome === "success" ? { ...facts, outcome: "failure" } : facts;
}
