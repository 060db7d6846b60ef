/**
 * OpenCode's sessions: one document as `opencode export` writes it, the same from its store as lines (the
 * document without its messages, then a message each), or the lines of `opencode run --format json`.
 *
 * A call is a `tool` part of a message, its state and result in it. Other parts (`patch`,
 * `snapshot`, `step-*`) tell of the same again. The lines hold no words of the user and no folder.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { exitCodeInObject, isFailingExit } from "../exit-codes.ts";
import { userWords } from "../injected-text.ts";
import { asId, asRecord, asRecords, asText, type JsonRecord } from "../json-values.ts";
import { saysNeverRun } from "../refusals.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft, ResultFacts, TurnDraft } from "../session-drafts.ts";

export const opencode: TranscriptFormat = {
  name: "opencode",
  agent: "opencode",
  label: "OpenCode sessions (opencode export, opencode run --format json)",
  matches: ({ records, isWhole }) =>
    records.some(isStreamed) ||
    (isWhole && records.length === 1 && records.every(isExport)) ||
    isFromStore(records),
  open: (builder) => new OpencodeAdapter(builder),
};

function isExport(record: JsonRecord): boolean {
  if (asRecord(record["info"]) === null || !Array.isArray(record["messages"])) return false;
  const messages = asRecords(record["messages"]);
  const isEmpty = asText(asRecord(record["info"])?.["directory"]) !== null && messages.length === 0;
  return isEmpty || messages.some(isMessage);
}

function isFromStore([first, ...others]: readonly JsonRecord[]): boolean {
  if (first === undefined || others.length === 0 || !isExport(first)) return false;
  return asRecords(first["messages"]).length === 0 && others.every(isMessage);
}

function isMessage(record: JsonRecord): boolean {
  return asRecord(record["info"]) !== null && Array.isArray(record["parts"]);
}

function isStreamed(record: JsonRecord): boolean {
  return asText(record["sessionID"]) !== null && asRecord(record["part"]) !== null;
}

/** What a message's parts have in common. */
interface MessageFacts {
  readonly turn: () => TurnDraft;
  readonly cwd: string | null;
}

/** Stands in place of the user's words above the message that holds a command of theirs. */
const OWN_COMMAND = "The following tool was executed by the user";

class OpencodeAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  #subagent: string | null = null;
  #isOwnCommand = false;
  /** The message that the user went back to, and whether it was reached. */
  #revertedFrom: string | null = null;
  #isReverted = false;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    if (Array.isArray(record["messages"])) this.#document(record);
    else if (isStreamed(record)) this.#line(record);
    else if (isMessage(record)) this.#message(record);
  }

  end(): void {}

  #document(record: JsonRecord): void {
    const info = asRecord(record["info"]) ?? {};
    const facts = this.#builder.facts;
    facts.id = asId(info["id"]);
    facts.agentVersion = asId(info["version"]);
    facts.cwd = asId(info["directory"]);
    const time = asRecord(info["time"]);
    this.#builder.sawTime(time?.["created"]);
    this.#builder.sawTime(time?.["updated"]);
    const messages = asRecords(record["messages"]);
    if (asText(info["parentID"]) !== null) {
      this.#subagent = agentOf(messages) ?? asId(info["agent"]) ?? "sub-agent";
    }
    this.#revertedFrom = asId(asRecord(info["revert"])?.["messageID"]);
    for (const message of messages) this.#message(message);
  }

  #message(message: JsonRecord): void {
    const info = asRecord(message["info"]) ?? {};
    this.#isReverted ||= this.#revertedFrom !== null && info["id"] === this.#revertedFrom;
    const isReverted = this.#isReverted;
    const isUser = info["role"] === "user";
    // The command that the user ran stands as a call of the agent.
    const isOwnCommand = !isUser && this.#isOwnCommand;
    this.#isOwnCommand = isUser && asRecords(message["parts"]).some(isOwnCommandNote);
    const model = asId(info["modelID"]) ?? asId(asRecord(info["model"])?.["modelID"]);
    if (model !== null) this.#builder.facts.model = model;
    const at = asRecord(info["time"])?.["created"];
    const cwd = asId(asRecord(info["path"])?.["cwd"]);
    // One turn a message; ids may be worthless, so the message itself keeps it.
    let turn: TurnDraft | null = null;
    const open = () => {
      turn ??= this.#builder.turn(null, {
        role: isUser || isOwnCommand ? "user" : "agent",
        subagent: this.#subagent,
        at,
      });
      turn.rewound = isReverted;
      return turn;
    };
    for (const part of asRecords(message["parts"])) {
      if (isUser) this.#userPart(part, open);
      else if (isOwnCommand) this.#ownCommand(part, open);
      // A summary of what went before is not what the agent said.
      else if (info["summary"] !== true) this.#agentPart(part, { turn: open, cwd });
    }
  }

  #line(record: JsonRecord): void {
    const part = asRecord(record["part"]) ?? {};
    const at = record["timestamp"];
    this.#builder.facts.id ??= asId(record["sessionID"]);
    this.#builder.sawTime(at);
    const turn = () => this.#builder.turn(asId(part["messageID"]), { role: "agent", at });
    this.#agentPart(part, { turn, cwd: null });
  }

  #userPart(part: JsonRecord, turn: () => TurnDraft): void {
    if (part["type"] !== "text" || part["synthetic"] === true || part["ignored"] === true) return;
    const words = userWords(asText(part["text"]) ?? "");
    if (words !== "") this.#builder.say(turn(), words);
  }

  #ownCommand(part: JsonRecord, turn: () => TurnDraft): void {
    const command = asText(asRecord(asRecord(part["state"])?.["input"])?.["command"]);
    if (part["type"] === "tool" && command !== null) this.#builder.say(turn(), `! ${command}`);
  }

  #agentPart(part: JsonRecord, message: MessageFacts): void {
    if (part["type"] === "text") this.#builder.say(message.turn(), asText(part["text"]) ?? "");
    if (part["type"] !== "tool") return;
    const state = asRecord(part["state"]) ?? {};
    const call = this.#builder.call(message.turn(), {
      id: asId(part["callID"]) ?? part["id"],
      name: part["tool"],
      args: state["input"],
      cwd: message.cwd,
      at: asRecord(state["time"])?.["start"],
    });
    this.#builder.sawTime(asRecord(state["time"])?.["end"]);
    const result = resultOf(state, call);
    if (result !== null) this.#builder.settle(call, result);
  }
}

function isOwnCommandNote(part: JsonRecord): boolean {
  return part["synthetic"] === true && part["text"] === OWN_COMMAND;
}

/** The agent that a sub-agent's session is run by. */
function agentOf(messages: readonly JsonRecord[]): string | null {
  for (const { info } of messages) {
    const name = asId(asRecord(info)?.["agent"]) ?? asId(asRecord(info)?.["mode"]);
    if (name !== null) return name;
  }
  return null;
}

/** How a call ended; null while it is pending or running. */
function resultOf(state: JsonRecord, call: CallDraft): ResultFacts | null {
  const { status } = state;
  if (status === "error") {
    const text = asText(state["error"]);
    const outcome = saysNeverRun(text ?? "") ? "cancelled" : "failure";
    return { text, outcome, exitCode: null };
  }
  if (status !== "completed") return null;
  const text = asText(state["output"]);
  const metadata = asRecord(state["metadata"]);
  const exitCode =
    call.kind === "shell"
      ? (exitCodeInObject({ exitCode: metadata?.["exit"] }) ?? exitCodeInObject(metadata))
      : null;
  const failed = exitCode !== null && isFailingExit(exitCode, call.command);
  return { text, outcome: failed ? "failure" : "success", exitCode };
}
