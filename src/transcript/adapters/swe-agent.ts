/**
 * SWE-agent's trajectories (`*.traj`): one object with `trajectory`, `history`, or both.
 *
 * A step of `trajectory` is an action, one line of the agent's own shell, and its observation;
 * `history` repeats them for the model and is read where there are no steps. Only the text of an
 * observation tells of a failure.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { parseObject } from "../json-objects.ts";
import { asRecord, asRecords, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, CallFacts, ResultFacts, TurnDraft } from "../session-drafts.ts";
import { textOfBlocks } from "./content-blocks.ts";
import { plainResult } from "./plain-result.ts";
import { sweAction } from "./swe-action.ts";

export const sweAgent: TranscriptFormat = {
  name: "swe-agent",
  agent: "swe-agent",
  label: "SWE-agent trajectories (*.traj)",
  matches: ({ records, isWhole }) =>
    isWhole && records.length === 1 && records.some((r) => hasSteps(r) || hasHistory(r)),
  open: (builder) => new SweAgentAdapter(builder),
};

function hasSteps(record: JsonRecord): boolean {
  return asRecords(record["trajectory"]).some((step) => typeof step["action"] === "string");
}

/** Other agents' documents have a `history` too: this one's items are messages that name an agent. */
function hasHistory(record: JsonRecord): boolean {
  const [first] = asRecords(record["history"]);
  return asText(first?.["role"]) !== null && first?.["agent"] !== undefined;
}

class SweAgentAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  /** The calls of the last message of the history: what follows it is their observation. */
  #waiting: CallDraft[] = [];

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    // Demonstrations are another session's.
    const history = asRecords(record["history"]).filter((entry) => entry["is_demo"] !== true);
    if (!hasSteps(record)) {
      for (const entry of history) this.#entry(entry);
      return;
    }
    const firstAnswer = history.findIndex((entry) => entry["role"] === "assistant");
    const task = history.slice(0, firstAnswer === -1 ? history.length : firstAnswer);
    for (const entry of task) if (entry["role"] === "user") this.#userMessage(entry);
    for (const step of asRecords(record["trajectory"])) this.#step(step);
  }

  end(): void {}

  #step(step: JsonRecord): void {
    const turn = this.#builder.turn(null, { role: "agent" });
    this.#builder.say(turn, asText(step["thought"]) ?? asText(step["response"]) ?? "");
    const observation = textOfBlocks(step["observation"]);
    for (const call of this.#calls(turn, step)) this.#observe(call, observation);
  }

  #entry(entry: JsonRecord): void {
    const role = entry["role"];
    if (role === "assistant") {
      const turn = this.#builder.turn(null, { role: "agent" });
      this.#builder.say(turn, asText(entry["thought"]) ?? textOfBlocks(entry["content"]) ?? "");
      this.#waiting = this.#calls(turn, entry);
    } else if (this.#waiting.length > 0 && (role === "tool" || role === "user")) {
      // One step at a time: an observation belongs to the step before it, whatever its ids say.
      for (const call of this.#waiting) this.#observe(call, textOfBlocks(entry["content"]));
      this.#waiting = [];
    } else if (role === "user") this.#userMessage(entry);
  }

  #userMessage(entry: JsonRecord): void {
    this.#builder.say(
      this.#builder.turn(null, { role: "user" }),
      textOfBlocks(entry["content"]) ?? "",
    );
  }

  /** Newer versions record the model's own calls beside the action that they became. */
  #calls(turn: TurnDraft, step: JsonRecord): CallDraft[] {
    const state = asRecord(step["state"]) ?? parseObject(asText(step["state"]) ?? "");
    const cwd = asText(state?.["working_dir"]);
    const openFile = asText(state?.["open_file"]);
    const called = asRecords(step["tool_calls"]).map((call) => callFacts(call, cwd));
    if (called.length > 0) return called.map((facts) => this.#builder.call(turn, facts));
    const action = asText(step["action"])?.trim() ?? "";
    if (action === "") return [];
    return [this.#builder.call(turn, { id: null, cwd, ...sweAction(action, openFile) })];
  }

  #observe(call: CallDraft, text: string | null): void {
    if (text !== null) this.#builder.settle(call, observed(text, call));
  }
}

function callFacts(call: JsonRecord, cwd: string | null): CallFacts {
  const called = asRecord(call["function"]);
  return { id: call["id"], name: called?.["name"], args: called?.["arguments"], cwd };
}

/** An edit that would break the file is refused in these words. */
const REFUSED_EDIT =
  /^(?:Your proposed edit has introduced new syntax error|Your edit was not applied)/;
/** What a shell or an interpreter says of a command that failed. */
const FAILED_COMMAND =
  /^(?:Traceback \(most recent call last\)|(?:\w+: )?[^\n:]{1,200}: command not found)/;

function observed(text: string, call: CallDraft): ResultFacts {
  const facts = plainResult({}, text, call);
  const failure = call.kind === "shell" ? FAILED_COMMAND : REFUSED_EDIT;
  return failure.test(text.trimStart()) ? { ...facts, outcome: "failure" } : facts;
}
