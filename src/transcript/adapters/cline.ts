/**
 * Cline's and Roo Code's `api_conversation_history.json`: a list of Anthropic messages.
 *
 * Results are text of the user's messages (`[execute_command for 'ls'] Result:`), in newer versions
 * blocks; older versions call tools by XML in the agent's text. What the editor shows of the
 * environment stands among the user's words, the folder too.
 */
import type { TranscriptAdapter, TranscriptFormat } from "../adapter.ts";
import { userWords } from "../injected-text.ts";
import { asId, asText, type JsonRecord } from "../json-values.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { CallDraft } from "../session-drafts.ts";
import { isAnthropicMessage } from "./anthropic-messages.ts";
import {
  clineResult,
  folderIn,
  isClineText,
  resultIn,
  saidIn,
  typedIn,
  withoutEnvironment,
} from "./cline-text.ts";
import { splitXmlCalls } from "./cline-xml.ts";
import { addResultBlocks, blocksOf, userTexts } from "./content-blocks.ts";

export const cline: TranscriptFormat = {
  name: "cline",
  agent: "cline",
  label: "Cline and Roo Code conversations (api_conversation_history.json)",
  mayOmitResults: true,
  matches: ({ shape, records }) =>
    shape === "list" && records.every(isAnthropicMessage) && records.some(isFromEditor),
  open: (builder) => new ClineAdapter(builder),
};

function isFromEditor(record: JsonRecord): boolean {
  return record["role"] === "user" && userTexts(record).some(isClineText);
}

/** What is read of one user message. */
interface Heard {
  readonly words: string[];
  /** The result that the next text may go on with. */
  result: { readonly tool: string; text: string } | null;
  /** True when the words came as the answer to a call: the user steered. */
  isAnswer: boolean;
}

class ClineAdapter implements TranscriptAdapter {
  readonly #builder: SessionBuilder;
  /** Calls whose result is still to come, in order. */
  #waiting: CallDraft[] = [];

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  record(record: JsonRecord): void {
    if (record["role"] === "assistant") this.#agentMessage(record);
    else if (record["role"] === "user") this.#userMessage(record);
  }

  end(): void {}

  #agentMessage(record: JsonRecord): void {
    const at = record["ts"];
    this.#builder.facts.model ??= asId(record["model"]);
    const turn = this.#builder.turn(null, { role: "agent", at });
    for (const block of blocksOf(record)) {
      if (block["type"] === "tool_use") {
        const { id, name, input: args } = block;
        this.#builder.call(turn, { id, name, args, at });
      } else if (block["type"] === "text") {
        const { calls, rest } = splitXmlCalls(asText(block["text"]) ?? "");
        this.#builder.say(turn, rest);
        for (const { name, args } of calls) this.#builder.call(turn, { id: null, name, args, at });
      }
    }
    // What the next message doesn't answer is never answered.
    this.#waiting = [...turn.toolCalls];
  }

  #userMessage(record: JsonRecord): void {
    const heard: Heard = { words: [], result: null, isAnswer: false };
    addResultBlocks(this.#builder, record, (block, text, call) => {
      const body = resultIn(text ?? "")?.text ?? text ?? "";
      this.#answered(body, heard);
      return clineResult(block, body, call);
    });
    for (const text of userTexts(record)) {
      this.#builder.facts.cwd ??= folderIn(text);
      this.#hear(withoutEnvironment(text), heard);
    }
    this.#settle(heard);
    const words = heard.words.map(userWords).filter((text) => text !== "");
    if (words.length === 0) return;
    const facts = { role: "user", at: record["ts"], midTurn: heard.isAnswer } as const;
    this.#builder.say(this.#builder.turn(null, facts), words.join("\n"));
  }

  /** A result's text follows its headline, in the same block or in the next ones. */
  #hear(text: string, heard: Heard): void {
    const result = resultIn(text);
    if (result !== null) {
      this.#settle(heard);
      heard.result = { ...result };
      this.#answered(result.text, heard);
    } else if (heard.result !== null && !/^<(?:task|user_message)>/.test(text)) {
      heard.result.text += text;
      this.#answered(text, heard);
    } else heard.words.push(saidIn(text));
  }

  #answered(text: string, heard: Heard): void {
    const typed = typedIn(text);
    if (typed.length > 0) heard.isAnswer = true;
    heard.words.push(...typed);
  }

  /** Gives a result to the first waiting call of its tool. */
  #settle(heard: Heard): void {
    const { result } = heard;
    if (result === null) return;
    heard.result = null;
    const index = this.#waiting.findIndex((call) => call.name === result.tool);
    const [call] = index === -1 ? [] : this.#waiting.splice(index, 1);
    if (call !== undefined) this.#builder.settle(call, clineResult({}, result.text, call));
  }
}
