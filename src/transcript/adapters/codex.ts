/**
 * Codex CLI's rollouts: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, and the flat ones of old.
 *
 * A line wraps a `payload`; old files hold the payloads themselves. Items of the conversation are
 * `response_item`s. Events (`event_msg`) mirror them: they are read for what the items don't tell,
 * how a call ended and what the user typed, and never counted. `compacted` repeats old items.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { isFailingExit } from "../exit-codes.ts";
import { asId, asInteger, asRecord, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, ResultFacts, TurnDraft } from "../session-drafts.ts";
import { CodexUser, folderIn, itemTexts } from "./codex-user.ts";
import { type ItemFacts, ResponseItems } from "./response-items.ts";

const WRAPPED =
  /^(?:session_meta|turn_context|response_item|event_msg|compacted|world_state|inter_agent_communication_metadata)$/;

export const codex: TranscriptFormat = {
  name: "codex",
  agent: "codex",
  label: "Codex CLI rollouts (.codex/sessions/**/rollout-*.jsonl)",
  matches: ({ shape, records }) =>
    shape !== "list" && records.some((record) => isWrapped(record) || isOldHeader(record)),
  open: (builder) => new CodexAdapter(builder),
};

function isWrapped(record: JsonRecord): boolean {
  return WRAPPED.test(asText(record["type"]) ?? "") && asRecord(record["payload"]) !== null;
}

/** The first line of an old rollout, and the states between its items. */
function isOldHeader(record: JsonRecord): boolean {
  if (record["record_type"] === "state") return true;
  const isHeader = ["id", "timestamp", "instructions"].every((key) => record[key] !== undefined);
  return isHeader && record["type"] === undefined && record["role"] === undefined;
}

/** How an event says that a call ended. */
interface End {
  readonly exitCode: number | null;
  /** Null when only the exit code tells. */
  readonly outcome: "failure" | "cancelled" | null;
}

class CodexAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  readonly #items: ResponseItems;
  readonly #user = new CodexUser();
  /** Ends of calls whose output hasn't come yet, by the call's id. */
  readonly #ends = new Map<string, End>();
  /** The turns of the live conversation, in order. */
  readonly #turns: TurnDraft[] = [];
  #cwd: string | null = null;
  /** Set when the whole file is a sub-agent's. */
  #subagent: string | null = null;
  #sawMeta = false;
  /** Items of the agent when the running task began; null while none runs. */
  #taskStart: number | null = null;
  #wasInterrupted = false;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
    this.#items = new ResponseItems(builder, (id, result) => this.#amended(id, result));
  }

  record(record: JsonRecord): void {
    const at = record["timestamp"] ?? record["created_at"];
    this.#builder.sawTime(at);
    const type = asText(record["type"]) ?? "";
    if (!WRAPPED.test(type)) this.#flat(record, at);
    else {
      const payload = asRecord(record["payload"]) ?? {};
      if (type === "session_meta") this.#meta(payload);
      else if (type === "turn_context") this.#context(payload);
      else if (type === "response_item") this.#item(payload, at);
      else if (type === "event_msg") this.#event(payload, at);
    }
  }

  end(): void {}

  #flat(record: JsonRecord, at: unknown): void {
    if (isOldHeader(record) && record["record_type"] === undefined) this.#meta(record);
    else this.#item(record, at);
  }

  /** A forked session's file holds the older session's head too: the first one is its own. */
  #meta(payload: JsonRecord): void {
    if (this.#sawMeta) return;
    this.#sawMeta = true;
    const facts = this.#builder.facts;
    facts.id = asId(payload["id"]) ?? asId(payload["session_id"]);
    facts.agentVersion = asId(payload["cli_version"]);
    facts.cwd = asId(payload["cwd"]);
    facts.branch = asId(asRecord(payload["git"])?.["branch"]);
    this.#cwd = facts.cwd;
    this.#subagent = subagentOf(payload);
  }

  #context(payload: JsonRecord): void {
    const facts = this.#builder.facts;
    this.#cwd = asId(payload["cwd"]) ?? this.#cwd;
    facts.cwd ??= this.#cwd;
    facts.model = asId(payload["model"]) ?? facts.model;
  }

  #item(item: JsonRecord, at: unknown): void {
    if (item["role"] === "user") {
      const content = item["content"] ?? item["message"];
      for (const text of itemTexts(content)) this.#builder.facts.cwd ??= folderIn(text);
      this.#say(this.#user.fromItem(content), at);
      return;
    }
    const facts: ItemFacts = { at, cwd: this.#cwd, subagent: this.#subagent };
    this.#note(this.#items.add(item, facts));
  }

  /** @param text what the user said that wasn't known yet; null when there is nothing new */
  #say(text: string | null, at: unknown): void {
    this.#items.close();
    if (text === null) return;
    const subagent = this.#subagent;
    const turn = this.#builder.turn(null, { role: "user", subagent, at });
    if (subagent === null) {
      const isRunning = this.#taskStart !== null && this.#items.count > this.#taskStart;
      turn.midTurn = isRunning || this.#wasInterrupted;
      this.#wasInterrupted = false;
    }
    this.#builder.say(turn, text);
    this.#note(turn);
  }

  #note(turn: TurnDraft | null): void {
    if (turn !== null && this.#turns.at(-1) !== turn) this.#turns.push(turn);
  }

  #event(event: JsonRecord, at: unknown): void {
    const type = event["type"];
    if (type === "user_message") this.#say(this.#user.fromEvent(event["message"]), at);
    else if (type === "task_started") this.#taskStart = this.#items.count;
    else if (type === "task_complete") this.#taskStart = null;
    else if (type === "turn_aborted") {
      this.#taskStart = null;
      this.#wasInterrupted = true;
    } else if (type === "thread_rolled_back") this.#rollBack(asInteger(event["num_turns"]) ?? 0);
    else this.#ended(event);
  }

  /** The user took back the last messages of theirs, and all that came of them. */
  #rollBack(messages: number): void {
    let left = messages;
    while (left > 0) {
      const turn = this.#turns.pop();
      if (turn === undefined) break;
      turn.rewound = true;
      if (turn.role === "user" && !turn.midTurn) left -= 1;
    }
    this.#items.close();
  }

  #ended(event: JsonRecord): void {
    const id = asId(event["call_id"]);
    const end = endOf(event);
    if (id === null || end === null) return;
    const call = this.#builder.findCall(id);
    if (call === null || call.outcome === "unknown") this.#ends.set(id, end);
    else Object.assign(call, withEnd(call, call, end));
  }

  #amended(call: CallDraft, result: ResultFacts): ResultFacts {
    const end = call.id === null ? undefined : this.#ends.get(call.id);
    if (call.id === null || end === undefined) return result;
    this.#ends.delete(call.id);
    return { ...result, ...withEnd(call, result, end) };
  }
}

/** A sub-agent's rollout names what it was started by. */
function subagentOf(meta: JsonRecord): string | null {
  const source = asRecord(meta["source"])?.["subagent"];
  if (source === undefined) return null;
  const spawn = asRecord(asRecord(source)?.["thread_spawn"]);
  const nickname = asId(meta["agent_nickname"]) ?? asId(spawn?.["agent_nickname"]);
  return nickname ?? asId(spawn?.["agent_role"]) ?? asId(source) ?? "sub-agent";
}

/** What an event tells of a call's end; null when it is about something else. */
function endOf(event: JsonRecord): End | null {
  if (event["status"] === "declined") return { exitCode: null, outcome: "cancelled" };
  const type = event["type"];
  if (type === "exec_command_end") {
    return { exitCode: asInteger(event["exit_code"]), outcome: null };
  }
  if (type === "patch_apply_end" || type === "dynamic_tool_call_response") {
    return event["success"] === false ? { exitCode: null, outcome: "failure" } : null;
  }
  if (type !== "mcp_tool_call_end") return null;
  const result = asRecord(event["result"]);
  const failed = result?.["Err"] !== undefined || asRecord(result?.["Ok"])?.["isError"] === true;
  return failed ? { exitCode: null, outcome: "failure" } : null;
}

function withEnd(
  call: CallDraft,
  result: Pick<ResultFacts, "outcome" | "exitCode">,
  end: End,
): Pick<ResultFacts, "outcome" | "exitCode"> {
  if (result.outcome === "cancelled") return { outcome: "cancelled", exitCode: null };
  const exitCode = call.kind === "shell" ? (result.exitCode ?? end.exitCode) : result.exitCode;
  const failed = exitCode !== null && isFailingExit(exitCode, call.command);
  return { exitCode, outcome: end.outcome ?? (failed ? "failure" : result.outcome) };
}
