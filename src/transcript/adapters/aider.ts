/**
 * Aider's chat history (`.aider.chat.history.md`): chats one after the other, each under a header.
 *
 * The user's words stand behind `####`, what the program says and asks behind `>`, the model's
 * answer as it is. There are no tool calls: an edit that the program applied counts as one.
 */
import { userWords } from "../injected-text.ts";
import type { SessionBuilder } from "../session-builder.ts";
import type { TurnDraft } from "../session-drafts.ts";
import type { TextAdapter, TextFormat } from "../text-format.ts";
import { CodeFence } from "./code-fence.ts";
import { Paragraphs } from "./paragraphs.ts";

const CHAT = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/;

export const aider: TextFormat = {
  name: "aider",
  agent: "aider",
  label: "Aider chat histories (.aider.chat.history.md)",
  matches: (head) => /^\s*# aider chat started at /.test(head),
  open: (builder) => new AiderAdapter(builder),
};

class AiderAdapter implements TextAdapter {
  readonly #builder: SessionBuilder;
  readonly #fence = new CodeFence();
  readonly #user = new Paragraphs();
  readonly #agent = new Paragraphs();
  /** What the program and the model did since the user's last words. */
  #turn: TurnDraft | null = null;
  #wasInterrupted = false;
  /** What the program tells of itself before the first message is nobody's words. */
  #isGreeting = true;

  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  line(line: string): void {
    const chat = CHAT.exec(line);
    if (chat !== null) this.#startChat(`${chat[1]}T${chat[2]}`);
    else if (this.#fence.isOpen && !line.startsWith("> Tokens: ")) this.#said(line);
    else if (line.startsWith("####")) this.#asked(line.slice(4));
    else if (line === ">" || line.startsWith("> ")) this.#programSaid(line.slice(1).trim());
    else this.#said(line);
  }

  end(): void {
    this.#endUser();
    this.#endAgent();
  }

  #startChat(at: string): void {
    this.end();
    this.#builder.sawTime(at);
    this.#wasInterrupted = false;
    this.#isGreeting = true;
  }

  #asked(line: string): void {
    this.#isGreeting = false;
    this.#endAgent();
    this.#user.add(line.replace(/^ | {2}$/g, "").trimEnd());
  }

  #said(line: string): void {
    // A blank line parts messages: inside of one, it stands behind `####` too.
    this.#endUser();
    if (line.trim() === "" && this.#agent.isEmpty) return;
    this.#fence.take(line);
    this.#agent.add(line.trimEnd());
  }

  #programSaid(words: string): void {
    this.#endUser();
    // Told after each answer: whatever fence the model left open ends here.
    if (words.startsWith("Tokens: ")) this.#fence.reset();
    else if (!this.#isGreeting) this.#agent.add(`> ${words}`);
    if (words.includes("^C KeyboardInterrupt")) this.#wasInterrupted = true;
    const model = /^(?:Main model|Model): (\S+)/.exec(words)?.[1];
    this.#builder.facts.model = model ?? this.#builder.facts.model;
    this.#builder.facts.agentVersion ??= /^Aider v(\S+)/.exec(words)?.[1] ?? null;
    const path = /^Applied edit to (.+)$/.exec(words)?.[1];
    if (path === undefined) return;
    const call = this.#builder.call(this.#agentTurn(), { id: null, name: "edit", args: { path } });
    this.#builder.settle(call, { text: words, outcome: "success", exitCode: null });
  }

  #agentTurn(): TurnDraft {
    this.#turn ??= this.#builder.turn(null, { role: "agent" });
    return this.#turn;
  }

  #endUser(): void {
    const words = userWords(this.#user.take());
    if (words === "") return;
    const midTurn = this.#wasInterrupted;
    this.#wasInterrupted = false;
    this.#builder.say(this.#builder.turn(null, { role: "user", midTurn }), words);
  }

  #endAgent(): void {
    const words = this.#agent.take();
    if (words !== "") this.#builder.say(this.#agentTurn(), words);
    this.#turn = null;
    this.#fence.reset();
  }
}
